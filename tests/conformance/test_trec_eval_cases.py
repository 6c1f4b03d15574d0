"""Every value of trec_eval 10 and 9 on real and synthetic runs, bit for bit."""

import gzip
import json
from pathlib import Path

import pytest

from acidtest.columns.place import from_runs
from acidtest.formats.trec import read_qrels, read_run
from acidtest.formats.trec_names import ours
from acidtest.project.retrieval import retrieval

SOURCE = "trec_eval's values on cases"
CASES = (
    "covid-round1-missing",
    "dl19-passage",
    "syn-binary-1000q-inttie",
    "syn-float32-collisions-150q",
    "syn-graded-300q",
    "syn-unicode-deep-30q",
    "web-201-250-negative",
)
NOT_OURS = ("infAP", "gm_map", "unj_", "num_")


def options_of(variant) -> dict:
    options = {"compat": variant["trec_eval"].removeprefix("v")}
    for flag in variant["flags"]:
        if flag.startswith("-l"):
            options["level"] = int(flag[2:])
        elif flag.startswith("-M"):
            options["depth"] = int(flag[2:])
        elif flag == "-J":
            options["judged_only"] = True
    if variant["variant"] == "complete_expgain":
        options["gain"] = "exp"
    return options


def expected_of(path: Path) -> tuple[list[str], dict[str, list[str]]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as stream:
        head, *rows = (line.rstrip("\n").split("\t") for line in stream)
    return head[1:], {row[0]: row[1:] for row in rows}


@pytest.mark.parametrize("name", CASES)
def test_values_equal_trec_eval(ir: Path, tally, name: str) -> None:
    folder = ir / name
    case = json.loads((folder / "case.json").read_text(encoding="utf-8"))
    qrels, run = read_qrels(folder / case["qrels"]), read_run(folder / case["run"])
    for variant in case["expected"]:
        if "error_exit" in variant:
            continue
        # Without -c, trec_eval 9 leaves queries out that the run lacks.
        complete = "-c" in variant["flags"]
        judged = qrels if complete else {q: x for q, x in qrels.items() if q in run}
        measures, expected = expected_of(folder / variant.get("file", variant.get("same_as")))
        known = {m: ours(m)[0] for m in measures if not m.startswith(NOT_OURS)}
        scores = retrieval(judged, run, list(known.values()), **options_of(variant))
        where = f"{name} {variant['variant']} {variant['trec_eval']}"
        for measure, metric in known.items():
            at = measures.index(measure)
            tally.equal(f"{where} {measure} all", scores.means[metric], float(expected["all"][at]))
            for query, value in zip(scores.queries, scores.per_query[metric], strict=True):
                if query in expected:  # version 9 prints no row for a query that is missing
                    tally.equal(f"{where} {measure} {query}", value, float(expected[query][at]))


@pytest.mark.parametrize("name", CASES)
def test_counts_equal_trec_eval(ir: Path, tally, name: str) -> None:
    folder = ir / name
    case = json.loads((folder / "case.json").read_text(encoding="utf-8"))
    qrels, run = read_qrels(folder / case["qrels"]), read_run(folder / case["run"])
    queries = sorted(qrels)
    for variant in case["expected"]:
        if "error_exit" in variant or variant["trec_eval"] == "v9":  # counts do not differ
            continue
        options = options_of(variant)
        del options["compat"]
        options.pop("gain", None)
        table = from_runs(
            [run.get(query, {}) for query in queries], [qrels[q] for q in queries], **options
        )
        counts = {
            "num_ret": table.retrieved,
            "num_rel": table.relevant,
            "num_rel_ret": table.found(),
        }
        measures, expected = expected_of(folder / variant.get("file", variant.get("same_as")))
        for measure, column in counts.items():
            for query, value in zip(queries, column, strict=True):
                tally.equal(
                    f"{name} {variant['variant']} {measure} {query}",
                    value,
                    int(expected[query][measures.index(measure)]),
                )
