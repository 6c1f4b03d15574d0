"""Golden sets as hypothesis makes them, to send through other tools' formats and back."""

from hypothesis import strategies as st

WORDS = st.text(alphabet="abc é漢|;,\"'{}[]=+-@\n\t#:%\\<>&0", min_size=1, max_size=12).filter(
    lambda text: text.strip() and text.strip() != "\\"
)
IDS = st.text(alphabet="abc-_:1", min_size=1, max_size=6)
GRADES = st.dictionaries(IDS, st.integers(0, 3), min_size=1, max_size=3)
EVIDENCE = st.fixed_dictionaries(
    {"text": WORDS},
    optional={"chunk_id": IDS, "doc_id": IDS, "doc_version": IDS, "start": st.integers(0, 5)},
)
VALUES = st.one_of(
    WORDS,
    st.integers(-5, 5),
    st.booleans(),
    st.lists(WORDS, max_size=2),
    st.dictionaries(IDS, WORDS),
)
TURNS = st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant"]), "content": WORDS})
LABELLED = st.fixed_dictionaries(
    {"question": WORDS},
    optional={
        "reference": WORDS,
        "relevant": GRADES,
        "relevant_docs": GRADES,
        "evidence": st.lists(EVIDENCE, min_size=1, max_size=3),
        "tags": st.lists(IDS, min_size=1, max_size=2, unique=True),
        "history": st.lists(TURNS, min_size=1, max_size=2),
        "group": IDS,
        "split": IDS,
        "source": IDS,
        "metadata": st.dictionaries(IDS, VALUES, max_size=3),
    },
)
UNANSWERABLE = st.fixed_dictionaries(
    {"question": WORDS, "answerable": st.just(value=False)},
    optional={
        "reference": st.sampled_from(["NOT_IN_CORPUS", "I cannot say."]),
        "tags": st.just(["x"]),
    },
)
CHUNKS = st.fixed_dictionaries(
    {}, optional={"id": IDS, "text": WORDS, "score": st.floats(-1, 1), "source": IDS}
).filter(lambda chunk: {"id", "text"} & chunk.keys())
ANSWERED = st.fixed_dictionaries(
    {},
    optional={
        "generated_answer": WORDS,
        "retrieved": st.lists(CHUNKS, max_size=3),
        "latency_ms": st.integers(0, 9),
    },
)


@st.composite
def golden_sets(draw: st.DrawFn) -> list[dict[str, object]]:
    """Rows of a golden set with ids, some with the answers that a system gave."""
    rows = draw(st.lists(st.one_of(LABELLED, UNANSWERABLE), min_size=1, max_size=4))
    return [
        {"id": f"case-{n}", **row, **draw(ANSWERED), "question": f"{row['question']} {n}?"}
        for n, row in enumerate(rows)
    ]
