"""The cases of ranx's and ir_measures' own tests, for the measures that exist here."""

import functools
import json
import operator
import re
from pathlib import Path

from acidtest.columns.place import from_rankings
from acidtest.formats.trec import read_qrels, read_run
from acidtest.project.retrieval import label_metric, retrieval

SOURCE = "ranx's and ir_measures' tests"
RANX = {
    "hit_rate": "hit",
    "precision": "precision",
    "map": "map",
    "mrr": "mrr",
    "r-precision": "r_precision",
    "recall": "recall",
    "ndcg": "ndcg",
    "ndcg_burges": "ndcg(gain=exp)",
}
IR_MEASURES = {
    "Success": "hit",
    "SetP": "precision",
    "SetR": "recall",
    "SetF": "f1",
    "AP": "map",
    "P": "precision",
    "RR": "mrr",
    "nDCG": "ndcg(gain=exp)",  # its tests take the gain from gdeval
}


def test_ranx(ir: Path, tally) -> None:
    text = (ir / "ranx_tests" / "evaluate_cases.jsonl").read_text(encoding="utf-8")
    for case in map(json.loads, text.splitlines()):
        name, _, k = case["metric"].partition("@")
        if name not in RANX:  # hits and dcg are sums, not scores
            continue
        rankings = [[str(id_) for id_, _ in ranking] for ranking in case["run"]]
        labels = [{str(id_): grade for id_, grade in judged} for judged in case["qrels"]]
        metric, settings = label_metric(f"{RANX[name]}@{k}" if k else RANX[name])
        column = metric.column(from_rankings(rankings, labels), **settings)
        mean = functools.reduce(operator.add, column) / len(column)
        tally.equal(case["origin"], mean, case["expected"])


def of_ir_measures(measure: str) -> tuple[str, int] | None:
    """Translate `Success(rel=2) @ 2`: our name and the level; None for what is not here."""
    match = re.fullmatch(r"(\w+)(?:\(rel=(\d)\))?(?: @ (\d+))?", measure)
    if match is None or match[1] not in IR_MEASURES:
        return None
    name = IR_MEASURES[match[1]]
    return f"{name}@{match[3]}" if match[3] else name, int(match[2] or 1)


def test_ir_measures_inline(ir: Path, tally, tmp_path: Path) -> None:
    text = (ir / "ir_measures_tests" / "inline_cases.jsonl").read_text(encoding="utf-8")
    for case in map(json.loads, text.splitlines()):
        (tmp_path / "qrels").write_text(case["qrels"], encoding="utf-8")
        (tmp_path / "run").write_text(case["run"], encoding="utf-8")
        if "ERR_IA" in case["origin"]:  # judgements by subtopic
            continue
        for part in case["cases"]:
            named = of_ir_measures(part["measure"])
            if named is None:
                continue
            name, level = named
            scores = retrieval(tmp_path / "qrels", tmp_path / "run", [name], level=level)
            values = {query: row[name] for query, row in scores.rows().items()}
            for query, expected in part["expected"].items():
                got = scores.means[name] if query == "all" else values[query]
                tally.close(f"{part['measure']} {query}", got, expected, 5.1e-5)


def test_ir_measures_cwl(ir: Path, tally) -> None:
    folder = ir / "ir_measures_tests"
    expected = json.loads((folder / "compat_cwl_expected.json").read_text(encoding="utf-8"))
    [cases] = [cases for key, cases in expected.items() if key.startswith("cwl")]
    qrels, run = read_qrels(folder / "cwl.qrels"), read_run(folder / "cwl.run")
    for measure, values in cases:
        named = of_ir_measures(measure)
        if named is not None:
            rows = retrieval(qrels, run, [named[0]]).rows()
            for query, value in values.items():
                tally.close(f"{measure} {query}", rows[query][named[0]], value, 1e-4)
