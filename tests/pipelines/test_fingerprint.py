"""Fingerprints: the same for the same code, in every process; another for other code."""

import functools
import subprocess
import sys

from acidtest.pipelines.fingerprint import fingerprint
from acidtest.pipelines.load import load_pipeline
from acidtest.ports import PipelineOptions

CODE = "K = 3\nclass Rag:\n    def answer(self, q): return q\nrag = Rag()\n"
SHOW = (
    "import sys; from pathlib import Path; from acidtest.pipelines.load import load_pipeline;"
    "print(load_pipeline('rag.py:rag', base=Path(sys.argv[1])).fingerprint)"
)


def in_process(folder):
    return subprocess.run(
        [sys.executable, "-c", SHOW, str(folder)], capture_output=True, text=True, check=True
    ).stdout.strip()


def test_it_is_the_same_in_every_process_and_folder(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "rag.py").write_text(CODE)
    here = load_pipeline("rag.py:rag", base=tmp_path / "one").fingerprint
    assert here == in_process(tmp_path / "one") == in_process(tmp_path / "two")
    assert here.startswith("sha256:")


def test_it_changes_with_the_code_beside_the_object(tmp_path):
    (tmp_path / "rag.py").write_text(CODE)
    before = in_process(tmp_path)
    (tmp_path / "rag.py").write_text(CODE.replace("K = 3", "K = 5"))
    assert in_process(tmp_path) != before


def test_it_covers_the_file_that_makes_an_object_of_a_class_from_elsewhere(tmp_path):
    (tmp_path / "library_of_rags.py").write_text(CODE)
    prints = set()
    for n in (1, 2):
        (tmp_path / f"made{n}.py").write_text(
            f"from library_of_rags import Rag\nrag = Rag()  # {n}"
        )
        prints.add(load_pipeline(f"made{n}.py:rag", base=tmp_path, name="x").fingerprint)
    assert len(prints) == 2


def test_it_changes_with_name_and_k():
    def thing(q, k=1):
        return q

    prints = {
        fingerprint(thing, name=name, k=k) for name, k in (("a", None), ("b", None), ("a", 3))
    }
    assert len(prints) == 3


def test_code_without_a_file_counts_too():
    first, second, again = (
        eval(code)  # noqa: S307
        for code in ("lambda q: q + 'a'", "lambda q: q + 'b'", "lambda q: q + 'a'")
    )
    assert fingerprint(first, name="x", k=None) == fingerprint(again, name="x", k=None)
    assert fingerprint(first, name="x", k=None) != fingerprint(second, name="x", k=None)


def test_any_object_has_one():
    for thing in (len, functools.partial(len), object(), functools.partial(print, "x")):
        assert fingerprint(thing, name="x", k=None).startswith("sha256:")


def test_time_outs_do_not_change_it(tmp_path):
    (tmp_path / "rag.py").write_text(CODE)
    slow = load_pipeline("rag.py:rag", base=tmp_path, options=PipelineOptions(timeout_s=1))
    assert slow.fingerprint == load_pipeline("rag.py:rag", base=tmp_path).fingerprint
