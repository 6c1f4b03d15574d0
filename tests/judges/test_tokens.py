import pytest

from acidtest.judges.tokens import tokens


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("", 0),
        ("word " * 8, 10),
        ("naïve café", 2.5),
        ("退款在十四天内支付", 9),
        ("返品は無料です", 7),
        ("환불은 무료", 5.25),
        ("деньги", 3),
        ("\U00020000\U00020001", 2),
    ],
)
def test_letters_make_tokens(text, about):
    assert tokens(text) == about
