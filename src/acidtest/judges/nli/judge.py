"""The judge `nli:MODEL`: a cross-encoder for natural language inference; no key, no language model.

It knows three prompts by name - faithfulness, context_recall, factual_correctness - and answers them by
what the model says of each sentence and each window of the source: entailed, contradicted or neither. It
is asked for nothing else: it has no opinion on usefulness, relevance or tone.
"""

import asyncio
import hashlib
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import msgspec

from acidtest.codec.json import content_hash
from acidtest.codec.lossy import encoded
from acidtest.data.outcomes import Skip
from acidtest.errors import JudgeError
from acidtest.judges.nli import claims, facts
from acidtest.judges.nli.files import Files, find
from acidtest.judges.nli.model import Model
from acidtest.judges.nli.rules import THRESHOLDS, Thresholds
from acidtest.ports import Prompt, Reply, Verdict

VERSION = "1"

_Answerer = Callable[[Mapping[str, Any], Model, Thresholds, Callable[[], bool]], Mapping[str, Any]]
ANSWERS: Mapping[str, _Answerer] = {
    "faithfulness": claims.answer,
    "context_recall": claims.answer,
    "factual_correctness": facts.answer,
}


class NliJudge:
    """A judge that asks an inference model what entails what.

    Making one touches nothing; the model is found and loaded when it is first needed, and what is wrong with
    it is told then. Questions are answered one after the other in a thread of its own.

    Args:
        model: A folder, a file in it, or a name on a hub; see `files`.
        thresholds: Where its rules cut.
    """

    def __init__(self, model: str, thresholds: Thresholds = THRESHOLDS) -> None:
        self._name = model
        self._thresholds = thresholds
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="acidtest-nli")

    @property
    def model(self) -> str:
        """Its name, `nli:MODEL`."""
        return f"nli:{self._name}"

    @cached_property
    def fingerprint(self) -> str:
        """A hash of all its files, version and thresholds: what its verdicts depend on.

        Raises:
            BadConfig: The model cannot be had.
        """
        return content_hash(
            {
                "model": "nli",
                "version": VERSION,
                "files": [_hash(path, path.stat().st_mtime_ns) for path in self._files.all],
                "cut": self._thresholds,
            }
        )

    async def check(self) -> list[str]:
        """Load the model and try it; nothing to warn of.

        Raises:
            BadConfig: It cannot be had, or is no model for inference.
            MissingExtra: What runs it is not installed.
        """
        await asyncio.get_running_loop().run_in_executor(self._worker, lambda: self._loaded)
        return []

    async def ask(self, prompt: Prompt[Reply], **fields: Any) -> Verdict[Reply] | Skip:
        """Answer a prompt that it knows by name; Skip for any other.

        Raises:
            JudgeError: The model failed, or the prompt bears a known name and its fields or reply are
                another's.
            BadConfig: The model cannot be had.
        """
        answer = ANSWERS.get(prompt.name)
        if answer is None:
            return Skip(
                f"an inference model cannot judge a free rubric: {prompt.name!r} asks for more than "
                "what entails what"
            )
        began = time.perf_counter()
        given_up = threading.Event()

        def work() -> Mapping[str, Any]:
            return answer(fields, self._loaded, self._thresholds, given_up.is_set)

        try:
            said = await asyncio.get_running_loop().run_in_executor(self._worker, work)
            reply = msgspec.convert(said, prompt.reply)
        except asyncio.CancelledError:
            given_up.set()  # the thread leaves the rest, so that nothing waits for it
            raise
        except (KeyError, msgspec.ValidationError) as error:
            raise JudgeError(
                f"the inference judge does not know this prompt {prompt.name!r}: {error}",
                where=f"judge {self.model}",
                fix="Give a prompt of your own another name.",
            ) from error
        return Verdict(
            reply=reply,
            raw=encoded(said).decode(),
            model=self.model,
            cost_usd=0.0,
            seconds=time.perf_counter() - began,
        )

    @cached_property
    def _files(self) -> Files:
        return find(self._name)

    @cached_property
    def _loaded(self) -> Model:
        return Model(self._files)


@lru_cache(maxsize=64)
def _hash(path: Path, _changed: int) -> str:
    """Return the hash of a file's content; a file that has not changed is read once."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
