"""The local judge as a whole: known prompts, thresholds, fingerprint."""

import pytest

from acidtest.errors import JudgeError
from acidtest.judges.local.judge import LocalJudge
from acidtest.judges.local.rules import THRESHOLDS, Thresholds
from acidtest.metrics.generation.faithfulness import FAITHFULNESS


def test_other_thresholds_are_another_judge():
    assert LocalJudge(Thresholds(high=0.9)).fingerprint != LocalJudge().fingerprint
    assert LocalJudge(THRESHOLDS).fingerprint == LocalJudge().fingerprint


async def test_thresholds_are_obeyed():
    fields = {
        "passages": ["The Pro plan costs 49 euros a month."],
        "question": "",
        "sentences": ["The Pro plan costs plenty of money."],
    }
    strict = await LocalJudge().ask(FAITHFULNESS, **fields)
    assert strict.reply.sentences[0].claims[0].verdict == "undecided"
    lax = await LocalJudge(Thresholds(high=0.2, gap=9)).ask(FAITHFULNESS, **fields)
    assert lax.reply.sentences[0].claims[0].verdict == "supported"


async def test_a_known_prompt_without_its_fields_is_an_error():
    with pytest.raises(JudgeError, match="passages"):
        await LocalJudge().ask(FAITHFULNESS, sentences=["x y z"])
