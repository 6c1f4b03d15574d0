"""Small golden sets that collide often, for properties."""

from hypothesis import strategies as st

from acidtest.data.golden import Case, Evidence, GoldenSet, Turn
from acidtest.golden.version import version_of

_words = st.sampled_from(["one", "two", "Not found", "tea\x1b[31m", "é"])
_grades = st.dictionaries(st.sampled_from(["c1", "c2", "c3"]), st.integers(0, 3), max_size=3)
_pieces = st.builds(
    Evidence,
    text=st.sampled_from(["e1", "e2", "e3"]),
    chunk_id=st.sampled_from(["c1", "c2", None]),
    doc_id=st.sampled_from(["d", None]),
    doc_version=st.sampled_from(["v1", "v2", None]),
)


@st.composite
def _case(draw, name: str) -> Case:
    answerable = draw(st.integers(0, 4)) > 0
    return Case(
        id=name,
        question=draw(st.sampled_from([f"{name}?", "Same?"])),
        reference=draw(st.none() | _words),
        answerable=answerable,
        relevant=(draw(_grades) or None) if answerable else {},
        evidence=tuple(draw(st.lists(_pieces, max_size=3))) if answerable else (),
        tags=tuple(draw(st.lists(st.sampled_from("xyz"), max_size=3, unique=True))),
        history=draw(st.sampled_from([(), (Turn("user", "Hi"),)])),
        split=draw(st.sampled_from([None, "test", "tuning"])),
        metadata=draw(
            st.dictionaries(st.sampled_from("kl"), st.sampled_from([1, True, None, "v"]))
        ),
    )


@st.composite
def _cases(draw) -> list[Case]:
    names = draw(st.permutations(["a", "b", "c", "d"]))[: draw(st.integers(0, 4))]
    return [draw(_case(name)) for name in names]


CASES = _cases()
SETS = CASES.map(lambda cases: GoldenSet(cases, version=version_of(cases)))
