from acidtest.text.surrogates import without_halves, without_halves_in


def test_halves_are_replaced_one_by_one_and_whole_pairs_stay():
    assert without_halves("a\ud800b\udfff") == "a\ufffdb\ufffd"
    assert without_halves("😀") == "😀"


def test_every_text_and_key_inside_is_looked_at():
    assert without_halves_in({"\ud800": ("\udfff", 1)}) == {"\ufffd": ["\ufffd", 1]}
