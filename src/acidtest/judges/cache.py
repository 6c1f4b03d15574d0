"""A judge around a judge that asks every question once: across metrics, runs and processes.

The key is the hash of the whole question: the judge's fingerprint (model and parameters), the prompt's
name, version and template, the fields, and the number of the repeat, so that three draws stay three.
A verdict is on disk before it is used, and a question that is being asked is not asked beside it.
"""

import asyncio
import hashlib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec
from msgspec.structs import replace

from acidtest.codec.json import content_hash
from acidtest.codec.lossy import encoded
from acidtest.data.outcomes import Skip
from acidtest.errors import StoreError
from acidtest.judges.around import Around
from acidtest.judges.spending import spent_on
from acidtest.ports import Journal, Judge, Prompt, Reply, Verdict


class Cached(Around):
    """A judge that looks into the journal first.

    Args:
        judge: Who is asked when the journal does not know.
        journal: Where verdicts are kept.
        repeat: Which of several draws of the same question this judge stands for.
        salt: Anything not used before asks everything again, and keeps it under keys of its own.
    """

    def __init__(self, judge: Judge, journal: Journal, *, repeat: int = 0, salt: str = "") -> None:
        super().__init__(judge)
        self._journal = journal
        self._draw = (repeat, salt)
        self._asking: dict[str, asyncio.Future[None] | None] = {}

    async def ask(self, prompt: Prompt[Reply], **fields: Any) -> Verdict[Reply] | Skip:
        """Answer from the journal, or ask and keep the verdict.

        Raises:
            JudgeError: No usable verdict could be had; errors are not kept.
            StoreError: What is kept is damaged.
        """
        key = question_key(self._judge.fingerprint, prompt, fields, *self._draw)
        while key in self._asking:
            # Whoever asks this already keeps the verdict; if that fails, one waiter asks again.
            told = self._asking[key] or asyncio.get_running_loop().create_future()
            self._asking[key] = told
            await asyncio.wait([told])
        self._asking[key] = None
        try:
            return await self._asked(key, prompt, fields)
        finally:
            waited_for = self._asking.pop(key)
            if waited_for is not None:
                waited_for.set_result(None)

    async def _asked(
        self, key: str, prompt: Prompt[Reply], fields: dict[str, Any]
    ) -> Verdict[Reply] | Skip:
        body = await self._journal.get(key)
        if body is not None:
            return replace(self._read(body, prompt), cached=True)
        verdict = await self._judge.ask(prompt, **fields)
        if not isinstance(verdict, Skip):
            try:
                await self._journal.put(key, verdict.model, encoded(verdict))
            except BaseException as error:
                # Cut off, or a full disk: who counts what is paid for would never hear of it.
                vars(error)["spent"] = spent_on(verdict)
                raise
        return verdict

    def _read(self, body: bytes, prompt: Prompt[Reply]) -> Verdict[Reply]:
        try:
            kept: Verdict[Reply] = _decoder(prompt.reply).decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            # Asking again would be paid for in each run: what is kept under a key stands.
            raise StoreError(
                f"the verdict of {self.model} that is kept for a question to {prompt.name!r} is damaged",
                where="the store",
                fix="Delete what is kept of that model: acidtest judge cache delete --model NAME; "
                "acidtest judge cache stats has the names.",
            ) from error
        return kept


@lru_cache(maxsize=256)
def _decoder(reply: type[Any]) -> "msgspec.json.Decoder[Any]":
    return msgspec.json.Decoder(Verdict[reply])  # type: ignore[valid-type]


def question_key(
    fingerprint: str, prompt: Prompt[Any], fields: Mapping[str, Any], repeat: int, salt: str
) -> str:
    """Return what a verdict is kept under: the hash of the whole question.

    Args:
        fingerprint: The judge's.
        prompt: What is asked.
        fields: Of what.
        repeat: Which of several draws.
        salt: See `Cached`.
    """
    whole = [fingerprint, prompt.name, prompt.version, prompt.template, fields, (repeat, salt)]
    try:  # the same as `content_hash`, in half the time: fields are mostly texts
        return f"sha256:{hashlib.sha256(msgspec.json.encode(whole, order='sorted')).hexdigest()}"
    except UnicodeEncodeError:
        return content_hash(whole)
