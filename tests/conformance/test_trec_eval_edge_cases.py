"""The corners of trec_eval: ties, missing queries, duplicates, odd files; bit for bit."""

import json
from pathlib import Path

import pytest

from acidtest.errors import BadData
from acidtest.formats.trec import read_qrels, read_run
from acidtest.formats.trec_names import ours
from acidtest.project.retrieval import retrieval

SOURCE = "trec_eval's values on edge cases"
NOT_OURS = ("infAP", "gm_map", "unj_", "num_")


def edge_cases(ir: Path) -> list[dict]:
    text = (ir / "edge_cases.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("version", ["10", "9"])
def test_values_equal_trec_eval(ir: Path, tally, tmp_path: Path, version: str) -> None:
    for case in edge_cases(ir):
        expected = case[f"expected_v{version}"]
        qrels, run = tmp_path / "qrels", tmp_path / "run"
        qrels.write_bytes(case["qrels"].encode())
        run.write_bytes(case["run"].encode())
        options = {"compat": version}
        for flag in case["flags"]:
            if flag.startswith("-l"):
                options["level"] = int(flag[2:])
            elif flag.startswith("-M"):
                options["depth"] = int(flag[2:])
            elif flag == "-J":
                options["judged_only"] = True
        if "-c" not in case["flags"]:
            continue  # we always count missing queries
        if case["name"] == "comment_lines":
            expected = case["expected_v10"]  # read under either version
        if "error_exit" in expected:
            with pytest.raises(BadData):
                retrieval(qrels, run, ["map"], **options)
            tally.equal(case["name"], "error", "error")
            continue
        measures = [m for m in expected["all"] if not m.startswith(NOT_OURS)]
        scores = retrieval(qrels, run, [ours(m)[0] for m in measures], **options)
        for measure in measures:
            metric = ours(measure)[0]
            where = f"{case['name']} {measure}"
            tally.equal(where, scores.means[metric], expected["all"][measure])
            for query, value in zip(scores.queries, scores.per_query[metric], strict=True):
                if query in expected:
                    tally.equal(f"{where} {query}", value, expected[query][measure])


def test_a_missing_query_without_c_is_left_out_by_hand(ir: Path, tally, tmp_path: Path) -> None:
    [case] = [c for c in edge_cases(ir) if c["name"] == "missing_query_default"]
    (tmp_path / "qrels").write_text(case["qrels"], encoding="utf-8")
    (tmp_path / "run").write_text(case["run"], encoding="utf-8")
    qrels, run = read_qrels(tmp_path / "qrels"), read_run(tmp_path / "run")
    judged = {query: labels for query, labels in qrels.items() if query in run}
    for measure, value in case["expected_v9"]["all"].items():
        if not measure.startswith(NOT_OURS):
            [metric] = ours(measure)
            scores = retrieval(judged, run, [metric], compat="9")
            tally.equal(measure, scores.means[metric], value)
