"""The index: the best window, among equals the shortest and the first."""

from acidtest.judges.local import source as module
from acidtest.judges.local.source import Source
from acidtest.judges.local.terms import stem

TEXT = (
    "Alpha beta gamma delta. Epsilon zeta eta theta. Alpha epsilon meets omega here. Nothing else."
)


def best(passages, words):
    return Source(passages).best([stem(w) for w in words.split()])


def test_the_shortest_window_that_holds_most():
    window = best([TEXT], "alpha omega")
    assert window.text == "Alpha epsilon meets omega here."
    assert window.holds == {"alph", stem("omega")} | ({stem("alpha")} & {"alp"})


def test_neighbouring_sentences_count_together():
    assert best([TEXT], "gamma zeta").text == "Alpha beta gamma delta. Epsilon zeta eta theta."


def test_a_window_stays_in_one_passage():
    window = best(["One alpha here.", "Two omega there."], "alpha omega")
    assert len(window.holds) == 1
    assert window.passage == 1


def test_of_equals_the_first():
    assert best(["None here.", "Some alpha.", "More alpha."], "alpha").passage == 2


def test_nothing_shared_is_no_window():
    assert best([TEXT], "sigma tau") is None
    assert Source([]).best(["x"]) is None
    assert Source(["", " "]).best(["x"]) is None


def test_a_word_that_is_everywhere_says_nothing_of_the_place(monkeypatch):
    monkeypatch.setattr(module, "_COMMON", 2)
    passages = ["Alpha one.", "Alpha two.", "Alpha three omega."]
    window = best(passages, "alpha omega")
    assert window.passage == 3
    assert len(window.holds) == 2
    assert best(passages, "alpha").passage == 1


def test_numbers_and_languages_of_all_passages():
    index = Source(["It costs €49.", "Die Frist ist 14 Tage und nicht mehr.", ""])
    assert [(n.value, n.unit) for n in index.numbers] == [("49", "EUR"), ("14", "day")]
    assert index.languages == {"en", "de"}
