"""Pre-labels by a judge that fails: each chunk stays without one, and why is told."""

from acidtest.data.answers import Answer, Chunk
from acidtest.errors import JudgeError
from acidtest.golden.load import load_golden
from acidtest.pipelines.recorded import RecordedPipeline
from acidtest.project.golden_label import Wish, prepare_labelling

GOLDEN = load_golden([{"id": "a", "question": "A?"}])


class Refused:
    model = "m"
    fingerprint = "f"

    async def ask(self, prompt, **fields):
        raise JudgeError("it replied 401: no key", where="http://x")


async def test_why_there_are_no_prelabels_is_told():
    chunks = (Chunk(id="c", text="t"), Chunk(id="d", text="u"))
    retriever = RecordedPipeline([Answer(case_id="a", text="", retrieved=chunks)], name="r")
    found = await prepare_labelling(
        list(GOLDEN), [retriever], Wish(annotator="ann"), prelabel=True, judge=Refused()
    )
    assert all(item.prelabel is None for item in found.tasks[0].items)
    assert len(found.tasks[0].items) == 2
    assert any("2 chunks have no pre-label" in n and "401: no key" in n for n in found.notes)
