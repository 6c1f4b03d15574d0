"""What must hold for any text: copied words are supported, foreign words are not, nothing is random."""

import string

import msgspec
from hypothesis import assume, given
from hypothesis import strategies as st

from acidtest.judges.local.claims import answer
from acidtest.judges.local.findings import findings
from acidtest.judges.local.rules import THRESHOLDS, Thresholds, rule
from acidtest.judges.local.source import Source
from acidtest.metrics.claims import Claims, check_claims

WORD = st.text(alphabet=string.ascii_lowercase[:13], min_size=5, max_size=10)
OTHER_WORD = st.text(alphabet=string.ascii_lowercase[13:], min_size=5, max_size=10)


def sentence(word, least=4):
    return st.lists(word, min_size=least, max_size=12, unique=True).map(
        lambda ws: f"{' '.join(ws).capitalize()}."
    )


@given(st.lists(sentence(WORD), min_size=1, max_size=6), st.data())
def test_a_claim_copied_word_for_word_is_supported(passage, data):
    claim = data.draw(st.sampled_from(passage))
    found = findings(claim, Source([" ".join(passage)]), "en")
    assume(found.size > 0 and not found.negation and not found.denial)
    assert rule(found)[0] == "supported"


@given(st.lists(sentence(WORD), min_size=1, max_size=6), sentence(OTHER_WORD))
def test_a_claim_that_shares_no_word_is_unsupported(passage, claim):
    found = findings(claim, Source([" ".join(passage)]), "en")
    assume(found.size >= THRESHOLDS.least)  # words that share their stem count once
    assert rule(found)[0] == "unsupported"


@given(st.lists(sentence(WORD), min_size=1, max_size=5), sentence(WORD), sentence(WORD))
def test_another_passage_never_takes_words_away(passages, claim, more):
    before = findings(claim, Source(passages), "en")
    after = findings(claim, Source([*passages, more]), "en")
    assert after.share >= before.share
    assert set(after.missing) <= set(before.missing)
    assert after.gap <= before.gap


@given(sentence(WORD), sentence(WORD), st.floats(0.3, 0.9), st.floats(0.0, 0.1))
def test_stricter_thresholds_only_leave_more_open(passage, claim, high, step):
    found = findings(claim, Source([passage]), "en")
    lax, strict = Thresholds(high=high), Thresholds(high=high + step, low=THRESHOLDS.low - step)
    before, after = rule(found, lax)[0], rule(found, strict)[0]
    assert after in {before, "undecided"}


@given(
    st.lists(st.text(max_size=80), min_size=1, max_size=4),
    st.lists(st.text(max_size=80), max_size=4),
)
def test_any_text_gets_a_valid_and_repeatable_reply(sentences, passages):
    fields = {"sentences": sentences, "passages": passages}
    said = answer(fields, THRESHOLDS)
    assert said == answer(fields, THRESHOLDS)
    assert check_claims(msgspec.convert(said, Claims), fields) is None
