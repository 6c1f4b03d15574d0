import itertools

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers

from acidtest.judges.nli.tokens import Tokens
from acidtest.judges.nli.windows import MOST, Window, _cuts, nearest, windows


@pytest.fixture
def tokens(three):
    return Tokens(three / "tokenizer.json", 64)


def numbered(count):
    return " ".join(f"We ship the {n} to Rome." for n in range(count))


def test_both_sides_of_a_pair_have_room(tokens):
    assert tokens.room == (64 - 3) // 2
    assert tokens.count("The pro plan costs 49 euros.") == 6


def test_a_short_passage_is_one_window_and_a_blank_one_none(tokens):
    assert windows(["Returns are free.", "", " \n", "It does."], tokens) == [
        Window(1, "Returns are free."),
        Window(4, "It does."),
    ]


def test_windows_hold_three_sentences_and_any_two_neighbours_together(tokens):
    text = numbered(12)
    found = windows([text], tokens)
    assert all(window.text in text for window in found)
    assert max(window.text.count(".") for window in found) == 3
    for a, b in itertools.pairwise(range(12)):
        assert any(f"the {a} to" in w.text and f"the {b} to" in w.text for w in found)
    assert len(found) == 6


def test_windows_never_cross_passages(tokens):
    assert [w.passage for w in windows([numbered(3), numbered(3)], tokens)] == [1, 2]


def test_fewer_sentences_where_they_are_long(tokens):
    long = "We ship the red the green the blue one to Europe and to Paris and to Rome."  # 16 tokens
    found = windows([f"{long} {long} Returns are free. {long}"], tokens)
    assert all(tokens.count(window.text) <= tokens.room for window in found)
    assert [w.text.count(".") for w in found] == [1, 2, 2]


def test_a_sentence_that_is_too_long_is_read_in_overlapping_pieces(tokens):
    text = " ".join(["red green blue"] * 40)
    found = windows([text], tokens)
    assert len(found) > 4
    assert all(tokens.count(window.text) <= tokens.room for window in found)
    assert all(window.text in text for window in found)
    assert sum(tokens.count(window.text) for window in found) > 120
    places = [text.find(found[0].text), text.rfind(found[-1].text) + len(found[-1].text)]
    assert places == [0, len(text)]


@pytest.fixture(scope="module")
def bytewise(tmp_path_factory):
    """A tokenizer that falls back to bytes, as those of many models do: a character has several tokens."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    trainer = trainers.BpeTrainer(
        vocab_size=300,
        special_tokens=["<s>", "</s>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    made.train_from_iterator([numbered(9)], trainer)
    made.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> </s> $B </s>",
        special_tokens=[("<s>", 0), ("</s>", 1)],
    )
    path = tmp_path_factory.mktemp("bytes") / "tokenizer.json"
    made.save(str(path))
    return Tokens(path, 64)


@pytest.mark.parametrize(
    "text", ["🙂" * 300, "日本語の文章です。" * 30, numbered(20), "é\ud800" * 90, "x" * 999]
)
def test_characters_of_several_tokens_are_read_whole_and_none_is_left_out(bytewise, text):
    read = 0
    for start, end in _cuts(text, bytewise):
        assert start <= read < end
        read = end
        assert len(bytewise.pair(text[start:end], "We ship.")[0]) <= 64
        assert (
            bytewise.count(text[start:end]) <= bytewise.room + 7
        )  # first and last character are whole
    assert read == len(text)


@pytest.mark.parametrize(
    "text",
    [
        "\ud800 half",
        "\0\0",
        "🙂" * 300,
        "a" * 5000,
        "\u202e\u200b",
        "...",
        "。" * 400,
        "{}" * 200,
        "\u0301" * 999,
    ],
)
def test_hostile_passages_have_windows_that_stand_in_them(tokens, text):
    for window in windows([text, "Returns are free."], tokens):
        assert window.text in (text, "Returns are free.") or window.text in text
        assert tokens.count(window.text) <= tokens.room


def test_of_very_many_windows_those_near_the_claim_are_read(tokens):
    text = " ".join(["We ship to Europe. It does."] * 400) + " Returns are free in Rome."
    found = windows([text], tokens)
    assert len(found) > MOST
    near, other = nearest(["Returns are free", "Only red."], found)
    assert len(near) == MOST
    assert "Returns are free" in near[-1].text
    assert near[:-1] == found[: MOST - 1]  # of equals the first, in order
    assert other == found[:MOST]
    assert nearest(["Returns are free"], found[:MOST]) == [found[:MOST]]
