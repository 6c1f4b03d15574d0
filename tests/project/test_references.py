"""What is said while `acidtest watch` goes on: news only."""

from msgspec.structs import replace

from acidtest.data.watching import Reference
from acidtest.project.references import References

ONE = Reference(
    metric="m", scored=True, state="collecting", since_ms=0, until_ms=28, traces=3, days=1
)


def test_what_grows_is_no_news_and_another_state_is():
    said = References()
    assert len(said.news([ONE])) == 1
    assert said.news([replace(ONE, traces=4)]) == []
    (line,) = said.news([replace(ONE, traces=400, state="complete")])
    assert line.startswith("m: changes are told, held against 400 scored traces")
    short = replace(ONE, state="short", until_ms=None)
    assert len(said.news([short])) == 1
    assert said.news([replace(short, since_ms=5)]) == []


def test_an_empty_store_says_nothing(tmp_path):
    assert References()(str(tmp_path / "s.db")) == []
