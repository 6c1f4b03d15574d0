"""What is ranked or drawn may be called as runs call it, or by any name of a metric."""

import pytest

from acidtest.errors import BadConfig, UnknownName
from acidtest.project.config import Config
from acidtest.project.limit_names import column_of

KNOWN = ("recall@5", "our_own_score")


@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("our_own_score", "our_own_score"),
        ("recall(k=5)", "recall@5"),
        ("ndcg@10", "ndcg@10"),
        ("cost_usd", "cost_usd"),
    ],
)
def test_a_column_has_the_name_that_runs_have_it_under(name, column):
    assert column_of(name, KNOWN, Config(), where="-m") == column


def test_an_unknown_name_is_told_with_what_the_runs_have():
    with pytest.raises(UnknownName, match="Did you mean 'our_own_score'"):
        column_of("our_own_scor", KNOWN, Config(), where="-m")
    with pytest.raises(UnknownName, match=r"Known: our_own_score, recall@5"):
        column_of("nothing_like_it", KNOWN, Config(), where="-m")
    with pytest.raises(BadConfig, match="is a tier"):
        column_of("fast", KNOWN, Config(), where="-m")
