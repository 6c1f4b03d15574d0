import asyncio

import pytest
from msgspec import Struct

from acidtest.data.outcomes import Skip
from acidtest.errors import JudgeError, StoreError
from acidtest.judges.cache import Cached
from acidtest.ports import Prompt
from acidtest.store.journal import StoredJournal
from acidtest.store.runs import Store
from acidtest.store.verdicts import Verdicts
from acidtest.testing import FakeJudge


class Reply(Struct, frozen=True):
    word: str


PROMPT = Prompt(name="p", version="1", template="{{text}}", reply=Reply)


@pytest.fixture
def store(tmp_path):
    with Store(str(tmp_path / "store.db")) as opened:
        yield opened


@pytest.fixture
async def journal(store):
    async with StoredJournal(store) as opened:
        yield opened


def saying(word="yes", **more):
    return FakeJudge({"p": {"word": word}}, **more)


async def test_the_same_question_is_asked_once_also_by_the_next_process(store, journal):
    first, second = saying("first"), saying("second")
    asked = await Cached(first, journal).ask(PROMPT, text="t")
    assert (asked.reply.word, asked.cached) == ("first", False)
    again = await Cached(second, journal).ask(PROMPT, text="t")
    assert (again.reply, again.raw, again.cached) == (asked.reply, asked.raw, True)
    assert second.calls == []


async def test_at_the_same_time_too(journal):
    judge = saying()
    cached = Cached(judge, journal)
    verdicts = await asyncio.gather(*(cached.ask(PROMPT, text="t") for _ in range(20)))
    assert len(judge.calls) == 1
    assert sum(not v.cached for v in verdicts) == 1


@pytest.mark.parametrize(
    "other",
    [
        (saying(model="other"), PROMPT, {"text": "t"}, {}),
        (
            saying(),
            Prompt(name="q", version="1", template="{{text}}", reply=Reply),
            {"text": "t"},
            {},
        ),
        (
            saying(),
            Prompt(name="p", version="2", template="{{text}}", reply=Reply),
            {"text": "t"},
            {},
        ),
        (
            saying(),
            Prompt(name="p", version="1", template="{{text}}!", reply=Reply),
            {"text": "t"},
            {},
        ),
        (saying(), PROMPT, {"text": "u"}, {}),
        (saying(), PROMPT, {"text": ["t"]}, {}),
        (saying(), PROMPT, {"text": "t"}, {"repeat": 1}),
        (saying(), PROMPT, {"text": "t"}, {"salt": "fresh"}),
    ],
)
async def test_another_question_is_another(journal, other):
    await Cached(saying(), journal).ask(PROMPT, text="t")
    judge, prompt, fields, settings = other
    judge.calls.clear()
    await Cached(judge, journal, **settings).ask(prompt, **fields)
    assert len(judge.calls) == 1


async def test_errors_and_skips_are_not_kept(journal):
    judge = FakeJudge({"p": [JudgeError("no"), Skip("cannot"), {"word": "yes"}]})
    cached = Cached(judge, journal)
    with pytest.raises(JudgeError):
        await cached.ask(PROMPT, text="t")
    assert await cached.ask(PROMPT, text="t") == Skip("cannot")
    assert (await cached.ask(PROMPT, text="t")).reply.word == "yes"
    assert (await cached.ask(PROMPT, text="t")).cached


async def test_one_that_fails_lets_the_next_waiter_ask(journal):
    judge = FakeJudge({"p": [JudgeError("no"), {"word": "yes"}]})
    cached = Cached(judge, journal)
    results = await asyncio.gather(
        *(cached.ask(PROMPT, text="t") for _ in range(5)), return_exceptions=True
    )
    assert sum(isinstance(r, JudgeError) for r in results) == 1
    assert len(judge.calls) == 2


async def test_a_verdict_is_on_disk_before_it_is_used(store, journal, tmp_path):
    await Cached(saying(), journal).ask(PROMPT, text="t")
    with Verdicts(str(tmp_path / "store.db")) as other:
        assert other.delete() == 1
    assert store.verdicts(["nothing of that key"]) == {}


async def test_a_verdict_that_cannot_be_kept_is_an_error(store, journal, monkeypatch):
    def full(_):
        raise StoreError("disk full")

    monkeypatch.setattr(store, "save_verdicts", full)
    with pytest.raises(StoreError, match="disk full"):
        await Cached(saying(), journal).ask(PROMPT, text="t")


async def test_half_a_surrogate_pair_has_a_key_too(journal):
    cached = Cached(saying(), journal)
    await cached.ask(PROMPT, text="\ud800")
    assert (await cached.ask(PROMPT, text="\ud800")).cached


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"\xff", b"[" * 100_000, b'{"reply":{"word":1}}', b'{"reply":{}}']
)
async def test_a_damaged_verdict_is_told_with_what_to_do(journal, monkeypatch, body):
    async def get(key):
        return body

    monkeypatch.setattr(journal, "get", get)
    judge = saying()
    with pytest.raises(StoreError, match=r"is damaged.*judge cache delete --model"):
        await Cached(judge, journal).ask(PROMPT, text="x")
    assert not judge.calls
