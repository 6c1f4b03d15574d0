"""`acidtest demo`: one command, both scorecards, the difference, a report."""

import re
import subprocess
import sys
from pathlib import Path


def test_the_demo_tells_the_pipelines_apart_and_writes_a_report(tmp_path):
    done = subprocess.run(
        [Path(sys.executable).parent / "acidtest", "demo"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Retrieval breaks first" in done.stdout
    # Recall rises too, but over some sixty questions a single one decides whether that is clear, and the
    # p-values are corrected for all metrics: any new page of the handbook moves them.
    assert re.search(r"recall@5 .* \+0\.\d", done.stdout)
    assert re.search(r"ndcg@5 .*(better|perhaps)", done.stdout)
    assert re.search(r"mrr .*(better|perhaps)", done.stdout)
    assert not re.search(r"faithfulness .*(better|worse)$", done.stdout, re.MULTILINE)
    page = (tmp_path / "acidtest-demo" / "report.html").read_text(encoding="utf-8")
    assert "baseline" in page
    assert "reranked" in page
    assert list(tmp_path.iterdir()) == [tmp_path / "acidtest-demo"]
