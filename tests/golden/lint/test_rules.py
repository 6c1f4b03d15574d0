"""Each rule: what it finds, and what it leaves alone."""

import msgspec
import pytest

import acidtest as at
from acidtest.data.corpus import Corpus
from acidtest.errors import UnknownName
from acidtest.golden.lint.finding import exit_status
from acidtest.golden.lint.lint import RULES, chosen_rules, lint_all
from acidtest.golden.lint.rule import Subject

CORPUS = [
    {"id": "p#1", "text": "The upload limit of the Pro plan is 2 GB per file, for all members.", "doc_id": "p"},
    {"id": "p#2", "text": "Refunds are paid within 30 days after the return arrived at our house.", "doc_id": "p"},
]  # fmt: skip


def found(rule, rows, corpus=None, tuning=None, judged=False):
    held = at.load_corpus(corpus) if isinstance(corpus, list) else corpus
    subject = Subject(
        at.load_golden(rows),
        corpus=held,
        tuning=at.load_golden(tuning) if tuning else (),
        judged=judged,
    )
    findings = lint_all(subject, [RULES[rule]])
    assert all(
        each.rule == rule and each.fix.endswith((".", "?")) and each.message for each in findings
    )
    return findings


def cases(findings):
    return [each.cases for each in findings]


def row(name, question="Why?", **more):
    return {"id": name, "question": question, "reference": "So.", **more}


def many(n, **more):
    return [row(str(i), f"What is thing{i}?", **more) for i in range(n)]


@pytest.mark.parametrize(
    ("n", "judged", "count"),
    [(29, False, 1), (30, False, 0), (49, True, 1), (50, True, 0), (1, False, 1)],
)
def test_few_cases(n, judged, count):
    assert len(found("few-cases", many(n), judged=judged)) == count


def test_cases_of_a_tuning_split_do_not_count():
    rows = [*many(29), row("t", "What else?", split="Tuning")]
    assert "29 cases beside those of a tuning split" in found("few-cases", rows)[0].message


@pytest.mark.parametrize(("n", "count"), [(0, 1), (1, 1), (2, 0)])
def test_few_unanswerable(n, count):
    none = [{"id": f"u{i}", "question": f"Who{i}?", "answerable": False} for i in range(n)]
    assert len(found("few-unanswerable", [*many(20 - n), *none])) == count


def test_mostly_synthetic():
    assert found("mostly-synthetic", [*many(2, source="synthetic"), row("x")])[
        0
    ].message.startswith("2 of 3")
    assert not found("mostly-synthetic", [*many(1, source="Synthetic"), row("x")])


def test_unaccepted():
    rows = [
        row("a", "A?", source="synthetic"),
        row("b", "B?", source="synthetic", metadata={"review": "accepted"}),
        row("c", "C?", metadata={"review": "open"}),
        row("d", "D?", metadata={"review": "rejected"}),
        row("e", "E?", source="log"),
    ]
    assert cases(found("unaccepted", rows)) == [("a",), ("c",), ("d",)]


def test_no_evidence():
    rows = [
        row("a", "A?", relevant=["p#1"]),
        row("b", "B?", relevant=["p#1", "x"], evidence=[{"text": "t", "chunk_id": "p#1"}]),
        row("c", "C?", relevant=["p#1", "x"], evidence=["t"]),
        row("d", "D?", relevant_docs=["p"]),
        row("e", "E?", relevant={"p#1": 1, "x": 0}, evidence=[{"text": "t", "chunk_id": "p#1"}]),
        row("f", "F?"),
    ]
    told = found("no-evidence", rows, CORPUS)
    assert cases(told) == [("a",), ("b",), ("d",)]
    assert [each.fixable for each in told] == [True, False, False]
    assert told[1].message == "x has no evidence text"


def test_no_labels():
    rows = [row("a", "A?"), row("b", "B?", relevant={"x": 0}), row("c", "C?", evidence=["t"])]
    assert cases(found("no-labels", rows)) == [("a",), ("b",)]


@pytest.mark.parametrize(
    ("more", "count"),
    [
        ({}, 1),
        ({"tags": ["hard"]}, 0),
        ({"tags": ["easy"]}, 1),
        ({"tags": ["Multi_Hop"]}, 0),
        ({"relevant": ["a", "b"]}, 0),
        ({"history": ["What does it cost?", "€49."]}, 0),
        ({"question": "How do Basic and Pro differ?"}, 0),
        ({"question": "What does it cost and how do I cancel?"}, 0),
    ],
)
def test_no_hard_cases(more, count):
    question = more.pop("question", "Where is it?")
    assert len(found("no-hard-cases", [row("a", question, **more)])) == count


def test_duplicate_and_contradiction():
    rows = [
        row("a", "What does Pro cost?"),
        row("b", "what does  pro cost"),
        row("c", "What does Pro cost?"),
        row("d", "Who?"),
        {"id": "e", "question": "who", "answerable": False},
    ]
    told = found("duplicate", rows)
    assert cases(told) == [("a", "b", "c")]
    assert told[0].fixable
    assert cases(found("contradiction", rows)) == [("d", "e")]
    assert not found("duplicate", rows[:2])[0].fixable


def test_near_duplicate():
    rows = [
        row("a", "How do I reset my password?"),
        row("b", "How to reset passwords"),
        row("c", "Who?"),
    ]
    assert cases(found("near-duplicate", rows)) == [("a", "b")]
    rows[0]["split"] = "tuning"
    assert not found("near-duplicate", rows)


def test_contamination_within_a_set_and_from_a_file():
    rows = [
        row("a", "How do I reset my password?"),
        row("b", "How can I reset the password?"),
        row("c", "Who is it?"),
        row("t", "how to reset passwords", split="train"),
    ]
    assert cases(found("contamination", rows)) == [("a",), ("b",)]
    told = found(
        "contamination",
        rows[:3],
        tuning=[row("x", "who is it"), row("y", "How to reset passwords")],
    )
    assert cases(told) == [("c",), ("a",), ("b",)]
    assert "is in the tuning split too (case x: who is it)" in told[0].message
    assert not found("contamination", rows[:3])


def test_unknown_id():
    rows = [
        row("a", "A?", relevant=["p#1", "x", "y"]),
        row("b", "B?", relevant_docs=["p", "q"]),
        row("c", "C?", relevant=["p#1"]),
    ]
    told = found("unknown-id", rows, CORPUS)
    assert [(each.cases, each.message) for each in told] == [
        (("a",), "the corpus has no x, y"),
        (("b",), "the corpus has no q"),
    ]
    assert not found("unknown-id", rows)
    whole = found("unknown-id", rows, Corpus([]))
    assert cases(whole) == [("a", "b", "c")]
    assert "none of the 6 labels is in the corpus" in whole[0].message
    assert "remap" in whole[0].fix


def test_missing_reference():
    rows = [
        {"id": "a", "question": "A?"},
        {"id": "b", "question": "B?", "reference": "  "},
        {"id": "c", "question": "C?", "answerable": False},
        row("d", "D?"),
    ]
    assert cases(found("missing-reference", rows)) == [("a",), ("b",)]


def test_reference_declines():
    rows = [
        row("a", "A?") | {"reference": "I could not find that in the documents."},
        row("b", "B?") | {"reference": "Not found", "answerable": True},
        row("c", "C?"),
        {"id": "d", "question": "D?", "reference": "I don't know"},
    ]
    assert cases(found("reference-declines", rows)) == [("a",), ("b",)]


def test_copied_wording():
    copied = "What is the upload limit of the Pro plan?"
    rows = [
        row("a", copied, evidence=["The upload limit of the Pro plan is 2 GB."]),
        row("b", "How big may my files be on Pro?", relevant=["p#1"]),
        row("c", copied, relevant=["p#1"], history=["Hi", "Hello"]),
        row("d", "The Pro plan?", relevant=["p#1"]),
        {"id": "e", "question": copied + "!", "answerable": False},
        row("f", "专业版的上传限制是多少？", evidence=["专业版的上传限制是2GB。"]),
    ]
    assert cases(found("copied-wording", rows, CORPUS)) == [("a",), ("c",), ("f",)]
    assert cases(found("copied-wording", rows)) == [("a",), ("f",)]


def test_copied_wording_is_measured_as_reuse_does():
    from acidtest.golden.grow.faults import MOST_COPIED
    from acidtest.text.reuse import reuse

    text = CORPUS[1]["text"]
    for question in (
        "Are refunds paid within 30 days after the return arrived?",
        "When are refunds paid within the house?",
        "Refunds are paid within which days after the return arrived?",
    ):
        told = found("copied-wording", [row("a", question, evidence=[text])])
        assert bool(told) is (reuse(question, text) > MOST_COPIED)


@pytest.mark.parametrize(
    ("question", "reference", "count"),
    [
        (
            "Is the capital Oslo the seat of parliament, and which city is it?",
            "Oslo",
            0,
        ),  # a yes-no form
        ("What city, Oslo, hosts the parliament?", "Oslo.", 1),
        ("Do you know it?", "No", 0),
        ("Which is better, Basic or Pro Plus?", "Pro Plus", 0),
        ("What does it cost?", "€49", 0),
        ("专业版卖四十九欧元吗，价格是四十九欧元的是什么", "四十九欧元", 1),
    ],
)
def test_answer_in_question(question, reference, count):
    assert (
        len(found("answer-in-question", [row("a", question) | {"reference": reference}])) == count
    )


def test_tag_imbalance():
    assert "no case has a tag" in found("tag-imbalance", many(10))[0].message
    assert not found("tag-imbalance", many(9))
    rows = many(20, tags=["lookup"])
    assert "20 of 20 tagged cases (100%) are 'lookup'" in found("tag-imbalance", rows)[0].message
    assert not found("tag-imbalance", many(20, tags=["easy"]))
    mixed = [
        *many(10, tags=["lookup"]),
        *[row(f"m{i}", f"M{i}?", tags=["multi-hop"]) for i in range(4)],
    ]
    assert [each.message for each in found("tag-imbalance", mixed)] == [
        "tags of fewer than 5 cases say little: multi-hop 4"
    ]


def test_stale_evidence():
    rows = [
        row(
            "a",
            "A?",
            evidence=[{"text": "The upload limit of the Pro plan is 2 GB per file", "doc_id": "p"}],
        ),
        row(
            "b",
            "B?",
            evidence=[{"text": "The upload limit of the Pro plan is 9 GB per file", "doc_id": "p"}],
        ),
        row(
            "c",
            "C?",
            evidence=[{"text": "Something that nobody wrote down anywhere at all.", "doc_id": "z"}],
        ),
    ]
    told = found("stale-evidence", rows, CORPUS)
    assert [(each.cases, each.message.split(":")[0]) for each in told] == [
        (("b",), "changed"),
        (("c",), "vanished"),
    ]
    assert not found("stale-evidence", rows, Corpus([]))


def test_evidence_label():
    text = "The upload limit of the Pro plan is 2 GB per file"
    rows = [
        row("a", "A?", relevant=["p#1"], evidence=[{"text": text, "chunk_id": "p#2"}]),
        row("b", "B?", relevant=["p#1"], evidence=[{"text": "other text", "chunk_id": "p#2"}]),
        row(
            "c", "C?", relevant=["p#1"], evidence=[{"text": text, "chunk_id": "p#1", "doc_id": "q"}]
        ),
        row(
            "d", "D?", relevant=["p#1"], evidence=[{"text": text, "chunk_id": "p#1", "doc_id": "p"}]
        ),
        row("e", "E?", relevant={"p#1": 1, "p#2": 0}, evidence=[{"text": text, "chunk_id": "p#2"}]),
        row("f", "F?", evidence=[{"text": text, "chunk_id": "p#2"}]),
    ]
    told = found("evidence-label", rows, CORPUS)
    assert [(each.case, each.fixable) for each in told] == [
        ("a", True),
        ("b", False),
        ("c", False),
        ("e", True),
    ]


def test_missing_number():
    def number(name, reference, *evidence, question="What is it?"):
        return row(name, question, evidence=list(evidence)) | {"reference": reference}

    rows = [
        number("a", "It is 30 days.", "Refunds are paid in 14 days."),
        number("b", "It is 1,000 files.", "Up to 1000 files."),
        number("c", "It is thirty days.", "Refunds are paid in 14 days."),
        number("d", "In 2024.", "On 3 March 2024 it began."),
        number("e", "It is 7.", "Seven of them.", question="Which of 7?"),
        number("f", "Use RFC-2119.", "An RFC says so."),
    ]
    assert cases(found("missing-number", rows)) == [("a",)]


def test_untidy():
    rows = [row("a", " A? "), row("b", "B\u200b?"), row("c", "C\x1b[31m?"), row("d", "می‌خواهم؟")]
    told = found("untidy", rows)
    assert [(each.case, each.fixable) for each in told] == [("a", True), ("b", False), ("c", False)]


def test_rules_are_chosen_by_name():
    assert [rule.name for rule in chosen_rules(["duplicate"])] == ["duplicate"]
    assert "duplicate" not in [rule.name for rule in chosen_rules(ignore=["duplicate"])]
    with pytest.raises(UnknownName, match="Did you mean 'duplicate'"):
        chosen_rules(["duplikate"])
    with pytest.raises(UnknownName, match="--ignore"):
        chosen_rules((), ["x"])


def test_every_rule_is_in_the_list_and_in_the_handbook():
    from importlib import import_module
    from pathlib import Path
    from pkgutil import iter_modules

    import acidtest.golden.lint.rules as package

    there = {
        import_module(f"{package.__name__}.{each.name}").RULE.name
        for each in iter_modules(package.__path__)
    }
    assert there == set(RULES)
    page = (Path(__file__).parents[3] / "docs" / "lint.md").read_text(encoding="utf-8")
    for rule in RULES.values():
        assert f"| `{rule.name}` | {rule.severity} | {rule.about} |" in page


def test_only_notes_are_no_reason_to_stop():
    notes = found("no-labels", [row("a")])
    assert (len(notes), exit_status(notes), exit_status(())) == (1, 0, 0)
    assert exit_status(found("few-cases", [row("a")])) == 1


HOSTILE = {
    "one case": [row("a")],
    "emoji": [row(str(n), "😀" * (n + 1)) for n in range(5)],
    "a megabyte": [
        row("a", "why " * 250_000, evidence=["why " * 1_000]),
        row("b", "x" * 1_000_000),
    ],
    "one question": many(1) + [row(f"x{n}", "What does Pro cost?") for n in range(2_000)],
    "signs": [row(str(n), sign) for n, sign in enumerate(["?", "{}", "%s", "[bold]", "\\", "'"])],
    "spaces": [row("a", "a\u3000b"), row("b", "a b"), row("c", "\u00a0a b\t")],
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("corpus", [None, CORPUS, Corpus([])])
def test_anything_is_linted(name, corpus):
    for each in at.lint(HOSTILE[name], corpus, HOSTILE[name]):
        assert len(each.message) < 2_000
        assert msgspec.to_builtins(each)


def test_python_takes_paths_rows_and_sets(tmp_path):
    path = tmp_path / "g.jsonl"
    at.save_golden(at.load_golden(many(3)), path)
    told = at.lint(path, CORPUS, many(1))
    assert told == at.lint(at.load_golden(path), at.load_corpus(CORPUS), at.load_golden(many(1)))
    assert ("contamination", "0") in [(each.rule, each.case) for each in told]
