"""Whatever is in a file: a golden set, or an error in words."""

import contextlib
import json
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from acidtest.codec.names import ANSWER_ALONE, ANSWER_ANYWHERE, CASE
from acidtest.errors import AcidtestError
from acidtest.golden.load import load_golden
from acidtest.pipelines.recorded import load_recorded

FORMS = ("jsonl", "json", "yaml", "csv", "tsv", "jsonl.gz", "trec", "parquet")
quick = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
known = sorted({n for t in (CASE, ANSWER_ANYWHERE, ANSWER_ALONE) for ns in t.values() for n in ns})
parts = sorted(
    ["id", "text", "score", "doc_id", "role", "content", "total", "input_tokens", "start"]
)
nested = st.lists(st.dictionaries(st.sampled_from(parts), values, max_size=3), max_size=2)
rows = st.dictionaries(st.sampled_from(known), values | nested, max_size=6)


def try_both(path: Path) -> None:
    for load in (load_golden, load_recorded):
        with contextlib.suppress(AcidtestError):
            load(path)


@quick
@given(st.binary(max_size=80), st.sampled_from(FORMS))
def test_random_bytes(tmp_path: Path, raw: bytes, form: str) -> None:
    path = tmp_path / f"g.{form}"
    path.write_bytes(raw)
    try_both(path)


@quick
@given(st.text(alphabet="-[]{}:,\"'&*!|>?#%@` \n\tab1~é\\", max_size=60), st.sampled_from(FORMS))
def test_random_punctuation(tmp_path: Path, text: str, form: str) -> None:
    path = tmp_path / f"g.{form}"
    path.write_text(text, encoding="utf-8")
    try_both(path)


@quick
@given(st.lists(rows, min_size=1, max_size=3))
def test_random_json_under_known_names(tmp_path: Path, some: list[dict[str, Any]]) -> None:
    path = tmp_path / "g.json"
    some = [{"question": f"q{i}", **row} for i, row in enumerate(some)]
    path.write_text(json.dumps(some), encoding="utf-8")
    try_both(path)


@quick
@given(st.dictionaries(st.sampled_from(known), st.text(max_size=20), min_size=1, max_size=5))
def test_random_cells_under_known_names(tmp_path: Path, row: dict[str, str]) -> None:
    import csv

    path = tmp_path / "g.csv"
    with path.open("w", newline="", encoding="utf-8", errors="surrogatepass") as stream:
        csv.writer(stream).writerows([["question", *row], ["q", *row.values()]])
    try_both(path)


@quick
@given(st.lists(rows, max_size=3) | values)
def test_random_objects_in_memory(source: Any) -> None:
    if isinstance(source, str):
        source = [source]
    with contextlib.suppress(AcidtestError):
        load_golden(source)
