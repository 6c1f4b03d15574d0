"""`acidtest compare --cross` from the command line to the pipelines and back."""

import json

import pytest

SHOP = """
LAMPS = {f"lamp#{n}": f"Lamp {n} costs {n + 20} euros." for n in range(1, 31)}


class Shop:
    def __init__(self, whole, brief):
        self.whole, self.brief = whole, brief

    def retrieve(self, question):
        number = question.split()[-1].rstrip("?")
        name = f"lamp#{number if self.whole else number[-1]}"
        return [{"id": name, "text": LAMPS[name]}] if name in LAMPS else []

    def generate(self, question, contexts):
        with open("calls", "a") as calls:
            print("brief" if self.brief else "long", question, file=calls)
        if not contexts:
            return "I do not know."
        text = contexts[0]["text"]
        return text.partition(" costs ")[2] if self.brief else text


before, after = Shop(False, False), Shop(True, True)


def closed(question):
    return {"answer": "No.", "contexts": [{"id": "lamp#0", "text": "No lamp is for sale."}]}
"""


@pytest.fixture
def shop(folder, cli):
    (folder / "shop.py").write_text(SHOP)
    (folder / "acidtest.toml").write_text(
        'golden = "golden.jsonl"\n'
        + "".join(
            f'[pipelines.{name}]\npython = "shop.py:{name}"\n'
            for name in ("before", "after", "closed")
        )
    )
    rows = [
        {
            "id": f"q{n}",
            "question": f"What is the price of lamp {n}?",
            "reference": f"Lamp {n} costs {n + 20} euros.",
            "relevant": {f"lamp#{n}": 1},
        }
        for n in range(1, 31)
    ]
    (folder / "golden.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = cli("run", "-m", "recall@5", "-m", "token_f1", "-m", "faithfulness", "--judge", "local")
    assert done.status == 0, done.err
    (folder / "calls").unlink()
    return folder


def calls(folder):
    return (folder / "calls").read_text().splitlines() if (folder / "calls").exists() else []


def test_the_split_is_exact_in_json_and_told_in_words(cli, shop):
    done = cli("compare", "before", "after", "--cross", "--json", "-")
    assert done.status == 0, done.err
    split = done.json["stages"]["token_f1"]
    assert split["method"] == "crossed"
    assert split["retrieval"] + split["generation"] == pytest.approx(split["delta"], abs=1e-12)
    assert split["delta"] == pytest.approx(done.json["metrics"]["token_f1"]["delta"], abs=1e-12)
    assert split["retrieval_ci"][0] > 0 > split["generation_ci"][1]
    assert split["interaction"] < 0
    assert (split["n"], split["changed"]) == (30, 21)
    words = done.json["words"]
    assert (
        "Crossed: 21 of 30 cases got other contexts, and each generator answered from both."
        in words
    )
    assert any("token_f1" in word and "the generator by -" in word for word in words)
    assert not any("estimate" in word or "--cross" in word for word in words)
    assert len(calls(shop)) == 42
    shown = cli("compare", "before", "after", "--cross")
    assert shown.status == 0
    assert "the generator by -" in " ".join(shown.out.split())
    assert shown.err.count("Crossed before: ") == 2
    assert len(calls(shop)) == 42


def test_without_cross_it_is_an_estimate_and_nobody_is_asked(cli, shop):
    done = cli("compare", "before", "after", "--json", "-")
    assert done.json["stages"]["token_f1"]["method"] == "estimated"
    assert calls(shop) == []


def test_a_dry_run_asks_nobody(cli, shop):
    done = cli("compare", "before", "after", "--cross", "--dry-run")
    assert done.status == 0
    assert "before on after: 21 cases, 21 pipeline calls" in done.out
    assert "after on before: 21 cases, 21 pipeline calls" in done.out
    assert calls(shop) == []
    assert cli("compare", "before", "after", "--cross").status == 0
    done = cli("compare", "before", "after", "--cross", "--dry-run")
    assert "Nothing has to be asked." in done.err
    done = cli("compare", "before", "after", "--cross", "--dry-run", "--fresh")
    assert "before on after: 21 cases, 21 pipeline calls" in done.out


def test_latest_is_no_half_of_a_crossing_and_runs_list_names_both(cli, shop):
    cli("compare", "before", "after", "--cross")
    listed = cli("runs", "list", "--json").json
    assert [run["name"] for run in listed] == [
        "after on before",
        "before on after",
        "closed",
        "after",
        "before",
    ]
    assert cli("runs", "show", "latest", "--json").json["run"]["name"] == "closed"
    assert cli("runs", "show", "before on after").status == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--judge", "local"], "--judge goes with --cross"),
        (["--concurrency", "0"], "--concurrency goes with --cross"),
        (["--budget-usd", "0"], "--budget-usd goes with --cross"),
        (["--dry-run"], "--dry-run goes with --cross"),
        (["--fresh"], "--fresh goes with --cross"),
        (["--cross", "--unpaired"], "runs that are not paired cannot be crossed"),
        (["--cross", "--concurrency", "0"], "concurrency is 0"),
    ],
)
def test_options_that_do_not_go_together(cli, shop, arguments, message):
    done = cli("compare", "before", "after", *arguments)
    assert done.status == 2
    assert message in done.err
    assert calls(shop) == []


def test_a_pipeline_that_takes_no_contexts_says_what_to_do(cli, shop):
    done = cli("compare", "before", "closed", "--cross")
    assert done.status == 2
    assert "pipeline 'closed' cannot be crossed: it takes no contexts" in done.err
    assert "Compare without --cross" in done.err
    assert calls(shop) == []


def test_nothing_is_written_over_the_judges_file(cli, shop):
    (shop / "mine.py").write_text("def judge(prompt): ...\n")
    done = cli(
        "compare", "before", "after", "--cross", "--judge", "mine.py:judge", "--json", "mine.py"
    )
    assert done.status == 2
    assert (shop / "mine.py").read_text() == "def judge(prompt): ...\n"
