import pytest

from acidtest.judges.desk import Model, Question
from acidtest.ports import Verdict
from acidtest.run.experience import ENOUGH, experience, reported_as
from acidtest.store.runs import Store


def question(key, *, real_in, real_out=20):
    answered = Verdict(reply=Model(name="r"), input_tokens=real_in, output_tokens=real_out)
    return Question(
        key=str(key),
        model=Model(name="m"),
        bytes=400,
        input_tokens=100.0,
        output_tokens=10.0,
        answered=answered,
    )


def test_real_tokens_over_counted_ones():
    known = experience(None, "m", [question(n, real_in=130) for n in range(ENOUGH)])
    assert known.input.value == pytest.approx(1.3)
    assert known.input.error == 0.05
    assert known.output.value == pytest.approx(2.0)
    uneven = experience(None, "m", [question(n, real_in=100 + 50 * (n % 2)) for n in range(10)])
    assert uneven.input.value == pytest.approx(1.25)
    assert uneven.input.error == pytest.approx(0.4)


def test_few_verdicts_and_those_without_usage_say_nothing():
    few = [question(n, real_in=130) for n in range(ENOUGH - 1)]
    assert experience(None, "m", few).input is None
    assert experience(None, "m", [question(n, real_in=0) for n in range(9)]).input is None


def test_the_newest_verdicts_of_the_model_are_read(tmp_path):
    with Store(str(tmp_path / "store.db")) as store:
        store.save_verdicts(
            [
                {
                    "key": f"{model}-{n}",
                    "model": model,
                    "created": f"2026-11-{n + 10}",
                    "body": body,
                }
                for model, body in (
                    ("m-2026-01-02", b'{"output_tokens": 60, "seconds": 2.0, "other": [1]}'),
                    ("m-mini", b'{"output_tokens": 9000, "seconds": 90.0}'),
                    ("m", b"damaged"),
                )
                for n in range(ENOUGH)
            ]
        )
        known = experience(store, "m", [])
        assert (known.reply, known.seconds) == (60.0, 2.0)
        assert experience(store, "none", []).seconds is None


@pytest.mark.parametrize(
    ("named", "reported", "same"),
    [
        ("gpt-5-mini", "gpt-5-mini", True),
        ("gpt-5-mini", "gpt-5-mini-2025-08-07", True),
        ("gpt-5", "gpt-5-mini", False),
        ("gpt-5", "gpt-5.1", False),
        ("a%", "abc", False),
    ],
)
def test_a_model_is_known_with_its_date(named, reported, same):
    assert reported_as(named, reported) is same
