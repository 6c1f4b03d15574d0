"""trec_eval's own test outputs: what it prints is what we print, to its four decimals."""

import gzip
import re
from pathlib import Path

import pytest

from acidtest.formats.trec import read_qrels, read_run
from acidtest.formats.trec_names import ours
from acidtest.project.retrieval import retrieval

SOURCE = "trec_eval's own test outputs"
OURS = re.compile(
    r"(map|recip_rank|Rprec|bpref|ndcg|set_P|set_recall|set_F|"
    r"(map_cut|P|recall|ndcg_cut|success)_\d+)"
)
FILES = {
    # output: qrels, results, options, whether missing queries count (-c)
    "out.test": ("qrels.test.gz", "results.test.gz", {}, False),
    "out.test.a": ("qrels.test.gz", "results.test.gz", {}, False),
    "out.test.aq": ("qrels.test.gz", "results.test.gz", {}, False),
    "out.test.aqc": ("qrels.test.gz", "results.trunc.gz", {}, True),
    "out.test.aqcM": ("qrels.test.gz", "results.trunc.gz", {"depth": 100}, True),
    "out.test.aql": ("qrels.rel_level.gz", "results.test.gz", {"level": 2}, False),
    "out.test.meas_params": ("qrels.test.gz", "results.test.gz", {}, False),
    "out.comment.test": ("qrels.comment.test.gz", "results.comment.test.gz", {}, False),
}


@pytest.mark.parametrize("output", FILES)
def test_values_print_as_trec_eval_prints_them(ir: Path, tally, output: str) -> None:
    folder = ir / "trec_eval_test"
    qrels_file, run_file, options, complete = FILES[output]
    qrels, run = read_qrels(folder / qrels_file), read_run(folder / run_file)
    judged = qrels if complete else {q: x for q, x in qrels.items() if q in run}
    rows = [line.split("\t") for line in (folder / output).read_text().splitlines()]
    rows = [(name.strip(), query.strip(), text) for name, query, text in rows]
    rows = [row for row in rows if OURS.fullmatch(row[0])]
    assert len(rows) > 10
    scores = retrieval(judged, run, sorted({ours(name)[0] for name, _, _ in rows}), **options)
    values = scores.rows() | {"all": scores.means}
    for name, query, text in rows:
        where = f"{output} {name} {query}"
        tally.equal(where, f"{values[query][ours(name)[0]]:.4f}", text)


def test_comment_lines_of_trec_evals_own_files_are_passed_over(ir: Path) -> None:
    file = ir / "trec_eval_test" / "qrels.test.with-comments.gz"
    lines = gzip.decompress(file.read_bytes()).decode().splitlines()
    kept = [line.split() for line in lines if not line.startswith("#")]
    assert len(kept) < len(lines)
    rows = [(q, d, g) for q, judged in read_qrels(file).items() for d, g in judged.items()]
    assert rows == [(query, document, int(grade)) for query, _, document, grade in kept]
