"""Redaction: what must not be stored is taken out of spans before anything keeps them.

Names of attributes, ids and times stay; texts (values, names, messages, events, the sender's resource) go
through the patterns, then through the user's own function. Where that fails the span is refused: never is
it stored as it came.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from acidtest.data.spans import Arrivals, Span, SpanEvent
from acidtest.errors import BadConfig, MissingExtra
from acidtest.online.redact_own import OWN, check_redaction, compiled, tried, without
from acidtest.online.redact_patterns import PATTERNS, SECRET_NAMES, Redactor
from acidtest.tracing.otlp.open import gathered, opened

SECRET = "ACIDTEST_HASH_KEY"  # noqa: S105 - a variable's name
"""The environment variable with the key that users and sessions are hashed with."""

_KEY_LENGTH = 16
_DEPTH = 60
_CUT = "(nested too deep to be kept)"
_JSON_BEGINS = ("{", "[", '"')

_WHOSE = re.compile(
    r"(?i)(?:^|[._])(?:user|enduser|session|conversation|thread|chat)[._-]?id$"
    r"|^(?:user|session)$|(?:^|\.)mlflow\.trace\.(?:user|session)$"
)
"""Names of attributes that say whose a span is, in the conventions that are read."""


class Redaction:
    """Takes out of spans what must not be stored. Threads may share it.

    Args:
        patterns: Names of `PATTERNS`, or `re:` and a regular expression.
        function: Every text goes through it after the patterns; it raises to have the span refused.
        key: The key that ids of users and sessions are hashed with; None leaves them.
        where: The setting, for messages.

    Raises:
        UnknownName: There is no such pattern.
        BadConfig: A regular expression is none, or takes too long; or the key is too short.
    """

    def __init__(
        self,
        patterns: Sequence[str] = (),
        function: Callable[[str], str] | None = None,
        *,
        key: str | None = None,
        where: str = "redact",
    ) -> None:
        check_redaction(patterns, where)
        own = [compiled(each, where) for each in patterns if each.startswith(OWN)]
        for pattern in own:
            tried(pattern, where)
        self._redactors: list[Redactor] = [PATTERNS[name] for name in PATTERNS if name in patterns]
        self._own = own
        self._names_too = "secret" in patterns
        self._function = function
        if key is not None and len(key) < _KEY_LENGTH:
            raise BadConfig(
                f"{SECRET} has {len(key)} characters",
                where=where,
                fix=f"Set it to {_KEY_LENGTH} or more random ones; whoever has it can tell who is who.",
            )
        self._key = key.encode() if key is not None else None

    def __call__(self, arrivals: Arrivals) -> Arrivals:
        """Return what arrived without what must not be stored; what cannot be redacted is refused."""
        refused, why = arrivals.refused, self._of_why(arrivals.why)
        spans = list[Span]()
        for each in arrivals.spans:
            try:
                spans.append(
                    self.span(opened(each.form, each.body, arrivals.origins.get(each.origin, b"")))
                )
            except MissingExtra:
                raise
            except Exception as error:  # noqa: BLE001 - whatever the user's function raises
                refused += 1
                # Its message may quote the text: only its kind is told.
                why = (
                    why or f"a span could not be redacted ({type(error).__name__}): it is not kept"
                )
        return gathered(spans, refused, why)

    def span(self, span: Span) -> Span:
        """Return a span without what must not be stored.

        Raises:
            Exception: What the user's function raised.
        """
        return replace(
            span,
            name=self.text(span.name),
            status_message=self.text(span.status_message),
            attributes=self._mapping(span.attributes, 0),
            events=tuple(
                SpanEvent(
                    name=self.text(event.name),
                    at_ns=event.at_ns,
                    attributes=self._mapping(event.attributes, 0),
                )
                for event in span.events
            ),
            resource=self._mapping(span.resource, 0),
            scope=self.text(span.scope),
        )

    def text(self, text: str) -> str:
        """Return a text without what must not be stored.

        JSON stays JSON: the texts in it are redacted, not its notation.

        Raises:
            Exception: What the user's function raised.
        """
        return self._text(text, 0)

    def hashed(self, name: str) -> str:
        """Return the id of a user or session as it is kept: the same id always gives the same hash."""
        if self._key is None or not name:
            return name
        return hmac.new(
            self._key, name.encode("utf-8", "surrogatepass"), hashlib.sha256
        ).hexdigest()[:32]

    def _text(self, text: str, depth: int) -> str:
        if len(text) > 1 and depth < _DEPTH and text.lstrip()[:1] in _JSON_BEGINS:
            try:
                value = json.loads(text, object_pairs_hook=_once)
            except (ValueError, RecursionError):
                return self._plain(text)
            clean = self._value(value, depth + 1)
            return text if clean == value else json.dumps(clean, ensure_ascii=False)
        return self._plain(text)

    def _plain(self, text: str) -> str:
        text = self._by_patterns(text)
        if self._function is not None and text:
            text = self._function(text)
            if not isinstance(text, str):
                raise TypeError(f"it returned {type(text).__name__}, not a text")
        return text

    def _by_patterns(self, text: str) -> str:
        text = self._by_names(text)
        for pattern in self._own:
            text = without(pattern, text, "[redacted]")
        return text

    def _by_names(self, text: str) -> str:
        for redactor in self._redactors:
            text = redactor(text)
        return text

    def _mapping(self, given: Mapping[str, Any], depth: int) -> dict[str, Any]:
        # What a convention calls its attributes stays; an address that is a key does not.
        return {self._by_names(key): self._named(key, value, depth) for key, value in given.items()}

    def _named(self, key: str, value: Any, depth: int) -> Any:
        if self._names_too and value not in (None, "") and SECRET_NAMES.search(key):
            return "[secret]"
        if self._key is not None and isinstance(value, str | int) and _WHOSE.search(key):
            return self.hashed(str(value))
        return self._value(value, depth)

    def _value(self, value: Any, depth: int) -> Any:
        if isinstance(value, str):
            return self._text(value, depth)
        if isinstance(value, dict | list) and depth >= _DEPTH:
            return _CUT
        if isinstance(value, dict):
            return self._mapping(value, depth + 1)
        if isinstance(value, list):
            return [self._value(each, depth + 1) for each in value]
        if isinstance(value, int) and not isinstance(value, bool):
            # A number may be a card's; one that nothing is found in stays a number.
            text = str(value)
            clean = self._by_patterns(text)
            return value if clean == text else clean
        return value

    def _of_why(self, why: str) -> str:
        try:
            return self._plain(why)
        except Exception:  # noqa: BLE001 - whatever the user's function raises
            return "some spans could not be taken"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice: one of its values would go unseen")
    return found


def key_of(environ: Mapping[str, str], where: str) -> str:
    """Return the key that ids are hashed with.

    Raises:
        BadConfig: The environment has none.
    """
    found = environ.get(SECRET)
    if not found:
        raise BadConfig(
            f"hash_users needs a key in the variable {SECRET}",
            where=where,
            fix="Make one: python -c 'import secrets; print(secrets.token_hex(32))'",
        )
    return found
