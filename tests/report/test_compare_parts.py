"""The parts of the comparison page: figures, axes, readings, passages that move, answers in pieces."""

import pytest
from tests.report.compared import change

from acidtest.data.answers import Chunk
from acidtest.data.outcomes import Score
from acidtest.data.runs import CaseResult
from acidtest.report.answer_view import claims_of
from acidtest.report.compare_answer import both_answers
from acidtest.report.compare_case import moved
from acidtest.report.compare_chart import SCORE_ENDS, drawn, end_of, mark, place
from acidtest.report.compare_figures import between, figure, p_value, signed, unit_of
from acidtest.report.compare_passages import MOST_PASSAGES, passages
from acidtest.report.compare_rows import PERHAPS, reading

NAMES = ("old", "new")


def case(*ids, **kw):
    chunks = tuple(Chunk(id=name, rank=n, text=f"text of {name}") for n, name in enumerate(ids, 1))
    return CaseResult(**({"id": "c", "question": "q", "retrieved": chunks} | kw))


def moves(before, after):
    found = passages(before, after, ((), ()), NAMES)
    return [(row.name, row.before, row.after, row.moved, row.tone) for row in found.rows]


@pytest.mark.parametrize(
    ("metric", "stage", "value", "plain", "sign"),
    [
        ("recall@5", "retrieval", -0.25, "-0.250", "-0.250"),
        ("latency_ms.total", "operations", 1500.0, "1.5 s", "+1.5 s"),
        ("cost_usd", "operations", 0.002, "$0.0020", "+$0.0020"),
        ("tokens.output", "operations", 1234.0, "1,234", "+1,234"),
        ("calls", "operations", 1.5, "1.5", "+1.5"),
        ("latency_ms.mine", "generation", 0.5, "0.500", "+0.500"),
    ],
)
def test_figures_have_their_unit(metric, stage, value, plain, sign):
    unit = unit_of(metric, stage)
    assert figure(value, unit).replace("\u00a0", " ") == plain
    assert signed(value, unit).replace("\u00a0", " ") == sign


def test_intervals_and_p_values():
    assert between((-3.0, 12.0), "count") == "-3 to +12"
    assert between((0.1, 0.2), "score") == "0.10-0.20"
    assert between(None, "ms") == "-"
    assert [p_value(p) for p in (None, 0.0001, 0.0301, 1.0)] == ["", "<0.001", "0.030", "1.000"]


def test_an_axis_holds_what_is_drawn_and_cuts_the_rest():
    assert end_of([0.04, -0.06], SCORE_ENDS) == 0.1
    assert end_of([3.0], SCORE_ENDS) == 1.0
    assert end_of([], SCORE_ENDS) == 0.05
    assert [place(x, 0.5) for x in (-0.5, 0.0, 0.25, 9.0)] == [0.0, 100.0, 150.0, 200.0]
    seen = mark((0.1, (0.1, 0.1)), 0.2, "")
    assert (seen.low, seen.width) == (150.0, 1.0)


def test_amounts_are_drawn_as_shares_of_the_baseline():
    slower = change("latency_ms.total", "operations", 200.0, 300.0, (50.0, 150.0))
    assert drawn(slower) == (0.5, (0.25, 0.75))
    assert drawn(change("cost_usd", "operations", 0.0, 0.1, None)) is None


@pytest.mark.parametrize(
    ("ci", "p", "adjusted", "direction", "read"),
    [
        ((0.1, 0.2), 0.01, 0.02, "higher", ("good", "better")),
        ((0.1, 0.2), 0.01, 0.02, "lower", ("bad", "worse")),
        ((0.1, 0.2), 0.01, 0.2, "higher", ("warn", PERHAPS)),
        ((0.1, 0.2), 0.06, None, "higher", ("warn", PERHAPS)),
        ((0.1, 0.2), None, None, "higher", ("good", "better")),
        ((-0.1, 0.2), 0.01, 0.02, "higher", ("mute", "within noise")),
    ],
)
def test_better_and_worse_need_interval_and_p_value(ci, p, adjusted, direction, read):
    made = change("m", "retrieval", 0.5, 0.65, ci, p=p, p_adjusted=adjusted, direction=direction)
    assert reading(made) == read


def test_passages_move_and_only_relevant_ones_for_better_or_worse():
    labels = {"a": 1, "d": 1}
    assert moves(case("a", "b", "c"), case("b", "a", "d", relevant=labels)) == [
        ("b", 2, 1, "up 1", "mute"),
        ("a", 1, 2, "down 1", "bad"),
        ("d", None, 3, "new", "good"),
        ("c", 3, None, "gone", "mute"),
    ]


def test_doubles_count_once_and_passages_without_id_are_told_by_their_text():
    plain = case(retrieved=(Chunk(text="one"), Chunk(text="two"), Chunk(text="one")))
    other = case(retrieved=(Chunk(text="two"), Chunk()))
    assert [row[1:4] for row in moves(plain, other)] == [
        (2, 1, "up 1"),
        (None, 2, "new"),
        (1, None, "gone"),
    ]


def test_document_labels_and_what_neither_found():
    old = case(retrieved=(Chunk(id="x#1", doc_id="x"),))
    new = case(retrieved=(Chunk(id="x#2", doc_id="x"),), relevant_docs={"x": 2, "y": 1})
    found = passages(old, new, ((), ()), NAMES)
    assert [(row.name, row.grade) for row in found.rows] == [("x#2", 2), ("x#1", 2)]
    assert [row.name for row in found.missing] == ["y"]
    assert not found.same


def test_long_rankings_are_cut_and_counted():
    many = [f"a{n}" for n in range(30)]
    found = passages(case(*many), case(*reversed(many)), ((), ()), NAMES)
    assert len(found.rows) == 2 * MOST_PASSAGES - 10
    assert found.more == 0
    found = passages(case(*many), case(*(f"b{n}" for n in range(30))), ((), ()), NAMES)
    assert len(found.rows) == 2 * MOST_PASSAGES
    assert found.more == 20


def test_another_text_under_the_same_id_is_told():
    old = case(retrieved=(Chunk(id="a", text="The fee is 5."),))
    new = case(retrieved=(Chunk(id="a", text="The fee is 9."),))
    assert passages(old, new, ((), ()), NAMES).rows[0].other_text
    assert not passages(old, old, ((), ()), NAMES).rows[0].other_text


def test_answers_lose_nothing_and_claims_stand_at_the_end_of_their_sentence():
    records = ({"claim": "One.", "sentence": 2, "verdict": "supported", "passage": 1},)
    new = case(scores={"faithfulness": Score(1.0, "", records)})
    texts = "It costs 5. It is blue.", "It costs 7. It is blue. Really."
    old_pieces, new_pieces = both_answers(*texts, ((), claims_of(new)))
    assert "".join(p.text for p in old_pieces) == texts[0]
    assert "".join(p.text for p in new_pieces) == texts[1]
    assert [p.text for p in old_pieces if p.mark] == ["5"]
    assert [p.text for p in new_pieces if p.mark] == ["7", "Really."]
    (ending,) = [p.text for p in new_pieces if p.claims]
    assert ending.endswith("blue.")
    assert both_answers(None, "Alone.", ((), ()))[0] is None
    assert [p.mark for p in both_answers(None, "Alone.", ((), ()))[1]] == [""]


def test_a_case_moves_by_scores_answer_ranking_and_kind_of_outcome():
    ways = {"m": "higher", "leak": "lower"}
    old = case("a", answer="x", scores={"m": Score(0.5), "leak": Score(0.5)})
    same = moved((old, old), ways)
    assert (same.kind, same.size, same.different) == ("same", 0.0, False)
    mixed = case("a", answer="x", scores={"m": Score(1.0), "leak": Score(1.0)})
    assert moved((old, mixed), ways).kind == "mixed"
    assert moved((old, mixed), ways).steps == {"m": 0.5, "leak": -0.5}
    for other in (
        case("b", answer="x", scores=old.scores),
        case("a", answer="y", scores=old.scores),
        case("a", answer="x", scores={"m": Score(0.5)}),
    ):
        found = moved((old, other), ways)
        assert (found.kind, found.different) == ("same", True)
