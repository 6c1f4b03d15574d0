"""promptfoo's tests and results; nothing that a file names is read, and nothing is run."""

import json
from pathlib import Path

import pytest

from acidtest.data.outcomes import Failure, Score
from acidtest.errors import DataError
from acidtest.project.convert import convert, read_format

CONFIG = """
prompts: ['{{question}}']
providers: [openai:gpt-4.1-mini]
defaultTest:
  vars: {tone: short}
  assert: [{type: latency, threshold: 1}]
tests:
  - description: first
    vars: {question: 'Where?', context: file:///etc/passwd}
    assert:
      - {type: javascript, value: "require('fs').writeFileSync('boom', '')"}
      - {type: python, value: "file://boom.py"}
      - {type: contains, value: Here}
      - {type: assert-set, assert: [{type: equals, value: Here.}, {type: factuality, value: It is here.}]}
    threshold: 0.5
  - vars: {question: 'Why?', reference: So.}
    assert: [{type: factuality, value: '{{reference}}'}]
    metadata: {kind: hard}
    providerOutput: Because.
  - file://more.yaml
  - vars: file://vars.yaml
"""


def saved(tmp_path, text, name):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_configuration(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    opened = []
    monkeypatch.setattr(Path, "open", _spy(Path.open, opened))
    found = read_format(saved(tmp_path, CONFIG, "c.yaml"))
    first, second = found.golden or ()
    assert (first.question, first.reference) == ("Where?", "Here.")
    assert first.metadata == {"tone": "short", "description": "first"}
    assert (second.reference, second.metadata) == ("So.", {"tone": "short", "kind": "hard"})
    assert found.answers[0].text == "Because."
    assert [(loss.field, loss.count) for loss in found.losses] == [
        ("defaultTest.assert", 1),
        ("tests", 1),
        ("vars.context", 1),
        ("assert javascript", 1),
        ("assert python", 1),
        ("assert contains", 1),
        ("assert factuality", 1),
        ("threshold", 1),
        ("vars", 1),
    ]
    assert {path.name for path in opened if path.suffix != ".py"} <= {"c.yaml"}
    assert not (tmp_path / "boom").exists()


def _spy(real, opened):
    def spy(self, *args, **more):
        opened.append(self)
        return real(self, *args, **more)

    return spy


def test_columns_of_a_table(tmp_path):
    text = (
        "question,__expected1,__expected2,__description,__metadata:team,__metadata:tags[],__threshold\n"
        'Where?,Here.,contains:Here,first,x,"a,b\\,c",0.5\n'
        "Why?,similar(0.8):So.,fn:output.length,,,,\n"
        "When?,is-json,file://check.py,,,,\n"
    )
    found = read_format(saved(tmp_path, text, "t.csv"))
    cases = list(found.golden or ())
    assert [case.reference for case in cases] == ["Here.", "So.", None]
    assert cases[0].metadata == {"description": "first", "team": "x", "tags": ["a", "b,c"]}
    assert {loss.field: loss.count for loss in found.losses} == {
        "__threshold": 1,
        "assert contains": 1,
        "assert javascript": 1,
        "assert is-json": 1,
        "assert python": 1,
    }


@pytest.mark.parametrize(
    ("variables", "what"),
    [
        ({"a": "x", "b": "y"}, "no variable is a question: there are 'a', 'b'"),
        ({"question": ["x", "y"]}, "a question must be text, not a list"),
        ({"question": "file://q.txt"}, "no variable is a question: there are none"),
    ],
)
def test_a_test_without_a_question_is_refused_with_its_number(tmp_path, variables, what):
    tests = [{"vars": {"question": "fine"}}, {"vars": variables}]
    with pytest.raises(DataError) as caught:
        read_format(saved(tmp_path, json.dumps(tests), "t.json"))
    assert what in str(caught.value)
    assert "test 2" in str(caught.value)


def test_yaml_is_read_safely(tmp_path):
    tag = "tests:\n  - vars: {question: !!python/object/apply:os.system ['touch boom']}\n"
    with pytest.raises(DataError, match="tag"):
        read_format(saved(tmp_path, tag, "t.yaml"), "promptfoo")
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
    with pytest.raises(DataError, match="grows too large"):
        read_format(saved(tmp_path, "\n".join([*lines, "tests: []"]), "b.yaml"), "promptfoo")


def test_what_promptfoo_would_take_for_its_own_is_told(tmp_path):
    rows = [
        {"id": "a", "question": "What is {{x}}?"},
        {"id": "b", "question": "Q?", "reference": "file://a"},
    ]
    path = saved(tmp_path, "\n".join(map(json.dumps, rows)), "g.jsonl")
    done = convert(path, tmp_path / "t.yaml", "acidtest", "promptfoo")
    assert [(loss.field, loss.first) for loss in done.lost] == [
        ("question", "a"),
        ("reference", "b"),
    ]


def test_tests_are_written_with_checks(tmp_path):
    rows = [
        {"id": "a", "question": "Where?", "reference": "Here.", "generated_answer": "There."},
        {"id": "b", "question": "Why?", "answerable": False},
    ]
    path = saved(tmp_path, "\n".join(map(json.dumps, rows)), "g.jsonl")
    convert(path, tmp_path / "t.json", "acidtest", "promptfoo")
    first, second = json.loads((tmp_path / "t.json").read_text())
    assert first["assert"] == [{"type": "factuality", "value": "{{reference}}"}]
    assert (first["providerOutput"], second["assert"]) == ("There.", [{"type": "is-refusal"}])


def test_a_refusal_that_is_expected_is_a_case_that_must_be_declined(tmp_path):
    tests = [
        {"vars": {"question": "Who is king?"}, "assert": [{"type": "is-refusal"}]},
        {"vars": {"question": "Who is queen?"}, "assert": [{"type": "not-is-refusal"}]},
        {
            "vars": {"question": "Where?", "relevant_ids": ["c1"], "reference": "Here."},
            "assert": [{"type": "is-refusal"}],
        },
    ]
    found = read_format(saved(tmp_path, json.dumps(tests), "t.json"))
    assert [case.answerable for case in found.golden] == [False, True, True]
    assert [(loss.field, loss.first.rpartition(" ")[2]) for loss in found.losses] == [
        ("assert not-is-refusal", "2"),
        ("assert is-refusal", "3"),
    ]


@pytest.mark.parametrize("ending", ["yaml", "json", "jsonl", "csv"])
def test_a_case_that_must_be_declined_comes_back_without_a_loss(tmp_path, ending):
    row = {"id": "b", "question": "Why?", "reference": "We do not say.", "answerable": False}
    path = saved(tmp_path, json.dumps(row), "g.jsonl")
    assert convert(path, tmp_path / f"t.{ending}", "acidtest", "promptfoo").losses == ()
    found = read_format(tmp_path / f"t.{ending}")
    assert found.losses == ()
    assert (found.golden[0].answerable, found.golden[0].reference) == (False, "We do not say.")


def result(question, provider, **more):
    return {
        "vars": {"question": question, "reference": "Here."},
        "provider": {"id": provider, "label": provider.upper()},
        "prompt": {"raw": "{{question}}", "label": "p"},
        "success": True,
        "score": 1,
        "namedScores": {},
        "latencyMs": 12,
        **more,
    }


def test_results_of_version_3(tmp_path):
    graded = {
        "pass": False,
        "score": 0.5,
        "reason": "half",
        "componentResults": [
            {"pass": True, "score": 1, "reason": "fine", "assertion": {"type": "context-recall"}},
            {"pass": False, "score": 0, "reason": "bad", "assertion": {"type": "context-recall"}},
            {
                "pass": False,
                "score": 0,
                "reason": "No output",
                "assertion": {"type": "factuality"},
                "metadata": {"graderError": True},
            },
            {"pass": True, "score": 0.7, "assertion": {"type": "llm-rubric", "metric": "Tone"}},
        ],
    }
    results = [
        result(
            "Where?",
            "a",
            success=False,
            score=0.5,
            error="half",
            failureReason=1,
            gradingResult=graded,
            namedScores={"Tone": 0.7},
            response={"output": "There.", "tokenUsage": {"prompt": 3, "completion": 2}},
            cost=0.01,
        ),
        result(
            "Where?", "b", success=False, score=0, failureReason=2, error="API error: 429\nmore"
        ),
        result("Where?", "a", response={"output": "again"}),
        result("Why?", "b", response={"output": {"answer": "So.", "context": ["Since."]}}),
    ]
    document = {
        "evalId": "e",
        "results": {"version": 3, "timestamp": "2026-01-02T03:04:05Z", "results": results},
    }
    found = read_format(saved(tmp_path, json.dumps(document), "r.json"))
    one, other = found.runs
    assert (one.name, other.name, one.info.created) == ("A", "B", "2026-01-02T03:04:05Z")
    scores = one.cases[0].scores
    assert scores["promptfoo_score"] == Score(0.5, "half")
    assert scores["promptfoo_context_recall"] == Score(0.5, "fine")
    assert scores["promptfoo_factuality"] == Failure("the grader failed", "No output")
    assert scores["promptfoo_tone"] == Score(0.7)
    assert one.cases[0].usage is not None
    assert (one.cases[0].usage.input_tokens, one.cases[0].usage.cost_usd) == (3, 0.01)
    failed = other.cases[0]
    assert failed.failure == Failure("API error: 429", "API error: 429\nmore")
    assert failed.scores["promptfoo_pass"] == Failure("API error: 429", "API error: 429\nmore")
    assert (other.cases[1].answer, (other.cases[1].retrieved or ())[0].text) == ("So.", "Since.")
    assert [(loss.field, loss.count) for loss in found.losses] == [("results", 1)]
    assert found.golden is not None
    assert [case.reference for case in found.golden] == ["Here.", "Here."]


def test_prompts_are_told_apart_by_their_templates(tmp_path):
    results = [
        result(
            question,
            "a",
            prompt={"raw": f"{label} {question}", "label": label},
            response={"output": "x"},
        )
        for question in ("Where?", "Why?")
        for label in ("short", "long")
    ]
    for one in results:
        one["testCase"] = {"vars": one.pop("vars")}
    found = read_format(saved(tmp_path, json.dumps({"results": {"results": results}}), "r.json"))
    assert list(found.outputs) == ["A | short", "A | long"]
    assert [len(answers) for answers in found.outputs.values()] == [2, 2]
