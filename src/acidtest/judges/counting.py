"""Judges that ask nobody: they count what they are asked, and answer so that the metrics go on.

What the journal already answers gets its real reply; anything else a synthetic one, by a path that the
rehearsal chooses. Panels and cascades are the real ones, over counting judges. The local judge of a cascade
is really asked, as long as that is quick, since its replies decide what the next one is asked.
"""

from collections.abc import Sequence
from typing import Any

from acidtest.data.outcomes import Skip
from acidtest.errors import JudgeError
from acidtest.judges.around import Around
from acidtest.judges.cache import question_key
from acidtest.judges.cascade import Cascade
from acidtest.judges.desk import Desk, Question
from acidtest.judges.local.judge import LocalJudge
from acidtest.judges.panel import Panel
from acidtest.judges.synthetic import synthetic
from acidtest.judges.tokens import tokens
from acidtest.ports import Judge, Prompt, Reply, Verdict

LOCAL_ASKED = 300
"""Questions that the local judge of a cascade is really asked: some seconds."""


def counting_judge(
    desk: Desk,
    asked: list[Question],
    *,
    draw: int = 0,
    path: int = 0,
    doubt: bool = False,
    real: bool = False,
) -> Judge:
    """Return a judge that writes its questions down.

    Args:
        desk: Where questions are written down.
        asked: Where each question goes, in order.
        draw: Which of several draws it stands for.
        path: Which synthetic replies it gives; see `synthetic.PATHS`.
        doubt: Whether the first judge of a cascade decides nothing rather than everything.
        real: Whether what is asked about are real answers, which the local judge of a cascade can
            be asked about.
    """

    def counting(judge: Judge, *, doubtful: bool) -> Judge:
        judge = _bare(judge)
        if isinstance(judge, Panel):
            return Panel([counting(each, doubtful=doubtful) for each in judge.judges])
        if isinstance(judge, Cascade):
            first = counting(judge.first, doubtful=doubt)
            return Cascade(first, counting(judge.second, doubtful=doubtful), audit=judge.audit)
        leaf = _CountingJudge(desk, judge, asked, draw=draw, path=path, doubtful=doubtful)
        if real and doubts(desk.whole) and isinstance(judge, LocalJudge):
            return _LocalJudge(leaf, judge, desk.local)
        return leaf

    return counting(desk.whole, doubtful=False)


def _bare(judge: Judge) -> Judge:
    while isinstance(judge, Around):
        judge = judge.inside
    return judge


def doubts(judge: Judge) -> bool:
    """Tell whether a cascade in a judge may ask more or fewer."""
    judge = _bare(judge)
    if isinstance(judge, Panel):
        return any(map(doubts, judge.judges))
    return isinstance(judge, Cascade)


class _CountingJudge:
    """A judge (`ports.Judge`) that only counts, in the place of one that answers by itself."""

    def __init__(
        self,
        desk: Desk,
        judge: Judge,
        asked: list[Question],
        *,
        draw: int,
        path: int,
        doubtful: bool,
    ) -> None:
        self._desk, self._judge, self._asked = desk, judge, asked
        self._draw, self._path, self._doubtful = draw, path, doubtful
        self._model, self.fingerprint = desk.model(judge)
        self.model = self._model.name

    async def ask(self, prompt: Prompt[Reply], **fields: Any) -> Verdict[Reply] | Skip:
        """Count the question and answer it.

        Raises:
            JudgeError: It would not be sent, no reply to it could be made up, or it is to be in doubt.
        """
        if self._model.knows is not None and prompt.name not in self._model.knows:
            return Skip("the judge cannot judge this")
        question = self.count(prompt, fields)
        if question.answered is not None:
            return question.answered
        reply = None if self._doubtful else synthetic(prompt, fields, self._path)
        if reply is None:
            raise JudgeError(f"no reply to {prompt.name!r} is made up")
        return Verdict(reply=reply, model=self.model)

    def count(self, prompt: Prompt[Any], fields: dict[str, Any]) -> Question:
        """Write a question down."""
        question = self._desk.question(self._judge, prompt, fields, self._draw)
        self._asked.append(question)
        return question


class _LocalJudge:
    """The local judge of a cascade, which is really asked, each question once."""

    def __init__(
        self, counting: _CountingJudge, judge: LocalJudge, said: dict[str, Verdict[Any]]
    ) -> None:
        self._counting, self._judge, self._said = counting, judge, said
        self.model, self.fingerprint = counting.model, counting.fingerprint

    async def ask(self, prompt: Prompt[Reply], **fields: Any) -> Verdict[Reply] | Skip:
        key = question_key(self.fingerprint, prompt, fields, 0, "")
        if key not in self._said and len(self._said) < LOCAL_ASKED:
            verdict = await self._judge.ask(prompt, **fields)
            if isinstance(verdict, Skip):
                return verdict
            self._said[key] = verdict
        if key not in self._said:
            return await self._counting.ask(prompt, **fields)
        self._counting.count(prompt, fields)
        return self._said[key]


class CountingEmbedder:
    """An embedder (`ports.Embedder`) that only counts; all its vectors are the same.

    Attributes:
        calls: How often it was asked.
        texts: How many texts that were.
        tokens: About how many tokens they have together.
    """

    def __init__(self) -> None:
        self.calls = self.texts = 0
        self.tokens = 0.0

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Count the texts and return a vector for each."""
        self.calls += 1
        self.texts += len(texts)
        self.tokens += sum(map(tokens, texts))
        return [[1.0] for _ in texts]
