"""An HTTP endpoint of a provider: address, key, errors by their meaning, nothing shown that is secret."""

import base64
import ipaddress
import re
from collections.abc import Mapping
from typing import Any, NoReturn
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec

from acidtest.errors import BadConfig, JudgeError
from acidtest.judges.backend import Stumbled, Throttled, Unreachable
from acidtest.judges.circuit import ShutOut
from acidtest.judges.complaint import complaint_of
from acidtest.judges.faults import TooLong
from acidtest.judges.rates import retry_after
from acidtest.judges.session import Answer, Session, origin
from acidtest.judges.told import read

CHECK_S = 15.0
_MAX_DETAIL = 4000
_SECRET = re.compile(r"key|token|secret|password|auth|sig|code", re.IGNORECASE)
"""Names in an address's query whose values are nobody's business."""


class Endpoint:
    """Where a model is asked.

    Args:
        model: As the provider names it, for messages.
        base_url: Without the route; may hold a query, and a login that is sent as a header.
        key_header: The header of the key, and what stands before it.
        api_key: Never shown; None sends none.
        headers: Sent with every call.
        session: Shared with others; by default its own, closed by `aclose`.

    Attributes:
        origin: Scheme, host and port: what limits are shared by.

    Raises:
        BadConfig: The address or a header is malformed.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str,
        key_header: tuple[str, str],
        api_key: str | None,
        headers: Mapping[str, str],
        session: Session | None,
    ) -> None:
        base, login = _address(base_url)
        self.model = model
        self.origin = origin(base)
        self._base, _, self._query = base.partition("?")
        self._base = self._base.rstrip("/")
        # Shorter ones are what servers without keys get ("EMPTY"), and would be found everywhere.
        basic = base64.b64encode(login.encode()).decode()
        secrets = (api_key, login.partition(":")[2], basic, *_keys(self._query))
        self._secrets = {s for s in secrets if s and len(s) >= 8}
        self._headers = {"Content-Type": "application/json", **headers}
        if login:
            self._headers["Authorization"] = f"Basic {basic}"
        if api_key:
            self._headers[key_header[0]] = key_header[1] + api_key
        _check_headers(self._headers, self.origin)
        self._owned = session is None
        self._session = session or Session()

    def __repr__(self) -> str:
        """Name the model and the origin; no key, no path, no query."""
        return f"Endpoint({self.model!r}, {self.origin!r})"

    async def post(self, route: str, body: bytes) -> Answer:
        """Post JSON; see `Session.send`."""
        return await self._sent("POST", route, body)

    async def get(self, route: str) -> Answer:
        """Get a listing; see `Session.send`."""
        return await self._sent("GET", route, None, CHECK_S)

    async def aclose(self) -> None:
        """Close the session, unless it is shared."""
        if self._owned:
            await self._session.aclose()

    async def _sent(
        self, method: str, route: str, body: bytes | None, timeout_s: float | None = None
    ) -> Answer:
        """Send, and blacken the key in what comes back, wherever it goes from here."""
        try:
            answer = await self._session.send(
                method, self._url(route), headers=self._headers, body=body, timeout_s=timeout_s
            )
        except JudgeError as error:
            error.what = self._hide(error.what)
            error.args = (error.what, *error.args[1:])
            raise
        found = [secret for secret in map(str.encode, self._secrets) if secret in answer.body]
        if not found:
            return answer
        said = answer.body
        for secret in found:
            said = said.replace(secret, b"[secret]")
        return msgspec.structs.replace(answer, body=said)

    def without_secrets(self, text: str) -> str:
        """Return a text without the key: JSON can write it so that no byte of it is in the body."""
        for secret in self._secrets:
            text = text.replace(secret, "[secret]")
        return text

    def _url(self, route: str) -> str:
        return f"{self._base}{route}{'?' if self._query else ''}{self._query}"

    def decoded(self, answer: Answer, decoder: "msgspec.json.Decoder[Any]", what: str) -> Any:
        """Decode a reply; what is no such reply may be a proxy's page, and may pass."""
        try:
            return read(answer.body, decoder)
        except ValueError as error:
            kind = answer.headers.get("Content-Type", "no content type")
            raise Unreachable(
                self._hide(f"its reply is no {what} ({kind}; {error}): {answer.begins()[:120]}"),
                where=self.origin,
                fix="Check that base_url is the API's address, such as http://127.0.0.1:8000/v1.",
                detail=self._detail(answer),
            ) from None

    def check(self, answer: Answer) -> None:
        """Raise what a status says is wrong.

        Raises:
            Throttled: 429, 529, or 503 with a hint when to come back.
            Unreachable: A server error that may pass.
            ShutOut: Every call will be refused: bad key, no credit, unknown model.
            TooLong: The prompt is longer than the model takes.
            JudgeError: This call is refused.
        """
        status = answer.status
        if status == 200:
            return
        said = complaint_of(answer)
        if 300 <= status < 400:
            self.fail(
                JudgeError,
                f"it redirects ({status}) to {_target(answer.headers.get('Location', ''))}",
                answer,
                "Configure the address that answers.",
            )
        what = f"it replied {status}: {said.message[:300]}"
        busy = said.kind in {"UNAVAILABLE", "unavailable_error"} or said.says("overloaded")
        told = retry_after(answer.headers)
        told = said.retry_after if told is None else told
        if said.code == "insufficient_quota" or status == 402:
            self.fail(ShutOut, what, answer, "Add credit or raise the limit at the provider.")
        if status in {429, 529} or (status == 503 and (busy or told is not None)):
            error = Throttled(self._hide(what), where=self.origin, detail=self._detail(answer))
            error.retry_after = told
            raise error
        if status in {408, 409, 425} or status >= 500:
            self.fail(Stumbled if status == 500 else Unreachable, what, answer)
        if status == 401 or said.says("api_key_invalid", "api key not valid"):
            self.fail(ShutOut, what, answer, "Check the API key.")
        if status == 403:
            self.fail(JudgeError, what, answer, "Check the API key and what it may do.")
        if status == 404:
            self.fail(
                ShutOut, what, answer, f"Check the model's name, {self.model!r}, and base_url."
            )
        if status == 413 or said.too_long:
            what = f"the prompt is too long for {self.model}: {what}"
            self.fail(TooLong, what, answer, "Retrieve fewer or shorter passages.")
        self.fail(JudgeError, what, answer)

    def fail(
        self, kind: type[JudgeError], what: str, answer: Answer, fix: str | None = None
    ) -> NoReturn:
        """Raise an error about an answer, which goes with it as evidence."""
        raise kind(self._hide(what), where=self.origin, fix=fix, detail=self._detail(answer))

    def _detail(self, answer: Answer) -> str:
        return self._hide(answer.body[:_MAX_DETAIL].decode("utf-8", "replace"))

    def _hide(self, text: str) -> str:
        """Return a text without the key, also where it was cut short after eight characters."""
        for secret in self._secrets:
            lengths = range(len(secret), 7, -1) if secret[:8] in text else [len(secret)]
            for length in lengths:
                text = text.replace(secret[:length], "[secret]")
        return text


def _target(location: str) -> str:
    """Return where a redirect leads, without login and query."""
    if "://" in location:
        return origin(location)
    return location.partition("?")[0][:200] or "nowhere"


def check_address(base_url: str, where: str = "base_url") -> None:
    """See that a text is an HTTP address.

    Args:
        base_url: The text.
        where: Where it was given, for the message.

    Raises:
        BadConfig: It is none.
    """
    _address(base_url, where)


def _address(base_url: str, where: str = "base_url") -> tuple[str, str]:
    """Return an address without its login, and the login."""
    login = ""
    try:
        parts = urlsplit(base_url)
        good = parts.scheme in {"http", "https"} and _host(parts.hostname) and parts.port != 0
        if parts.username:
            login = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    except ValueError:
        good = False
    bare = re.sub(r"(?<=://)[^/?#]*@", "", base_url)
    if not good or any(c in bare for c in "\r\n\0 "):
        raise BadConfig(
            f"{bare!r} is no HTTP address",
            where=where,
            fix="Write it like http://127.0.0.1:8000/v1.",
        )
    return bare, login


def _host(name: str | None) -> bool:
    """Tell whether a network could know a host of this name; raises a ValueError when it is none."""
    if not name:
        return False
    if re.fullmatch(r"[0-9.]+", name):
        ipaddress.IPv4Address(name)
    elif ":" not in name:
        name.removesuffix(".").encode("idna")  # an empty or overlong part between the dots
    return True


def _keys(query: str) -> list[str]:
    """Return the values in a query that are secrets, by their names."""
    return [value for name, value in parse_qsl(query) if _SECRET.search(name)]


def _check_headers(headers: Mapping[str, str], where: str) -> None:
    for name, value in headers.items():
        if not name or not name.isascii() or any(c in "\r\n\0: " for c in name):
            raise BadConfig(
                f"{name!r} is no name of a header",
                where=where,
                fix="Use letters, digits and hyphens.",
            )
        if any(c in "\r\n\0" for c in value) or not value.isascii():
            raise BadConfig(
                f"the value of the header {name} holds a line break or is not ASCII",
                where=where,
                fix="Check the API key: it may have been copied with something around it.",
            )
