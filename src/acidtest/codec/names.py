"""The field names that people already have, each read as the field that it means.

Names are compared folded: case, spaces, hyphens and camelCase do not matter (`Expected Answer` is
`expected_answer`). `answer` stands apart: in recorded outputs it is what the pipeline said; in a
golden set it may be either, and `acidtest.golden.case` decides.
"""

import re

CASE: dict[str, tuple[str, ...]] = {
    "id": ("id", "case_id", "qid", "query_id", "question_id", "_id", "example_id"),
    "question": ("question", "query", "user_input", "input", "user_query"),
    "reference": (
        "reference",
        "expected_answer",
        "ground_truth",
        "ground_truths",
        "reference_answer",
        "expected_output",
        "correct_answer",
        "gold_answer",
        "truth",
    ),
    "relevant": (
        "relevant",
        "relevant_chunk_ids",
        "relevant_ids",
        "relevant_chunks",
        "relevant_context_ids",
        "reference_context_ids",
        "correct_chunks",
        "gold_ids",
    ),
    "relevant_docs": (
        "relevant_docs",
        "relevant_doc_ids",
        "relevant_documents",
        "relevant_document_ids",
        "reference_doc_ids",
    ),
    "evidence": (
        "evidence",
        "ground_truth_contexts",
        "ground_truth_context",
        "reference_contexts",
        "reference_context",
        "gold_contexts",
        "expected_contexts",
        "context",
    ),
    "answerable": ("answerable", "is_answerable"),
    "tags": ("tags", "tag"),
    "history": ("history", "chat_history", "conversation_history"),
    "group": ("group", "conversation_id", "thread_id"),
    "split": ("split", "subset"),
    "source": ("source", "origin"),
    "metadata": ("metadata", "meta"),
}

# Written by other tools beside a case; kept in `metadata` under the same name.
CARRIED = (
    "name",
    "comments",
    "source_file",
    "additional_metadata",
    "custom_column_key_values",
    "tools_called",
    "expected_tools",
    "synthesizer_name",
    "persona_name",
    "query_style",
    "query_length",
    "rubrics",
    "multi_responses",
)

# What recorded outputs are called wherever they stand, also inside a golden set.
ANSWER_ANYWHERE: dict[str, tuple[str, ...]] = {
    "answer": (
        "generated_answer",
        "response",
        "actual_output",
        "generated_response",
        "generated_text",
        "model_answer",
        "system_answer",
        "predicted_answer",
        "prediction",
    ),
    "retrieved": (
        "retrieved",
        "retrieved_contexts",
        "contexts",
        "retrieval_context",
        "retrieved_context",
        "retrieved_chunks",
        "retrieved_documents",
        "retrieved_docs",
    ),
    "retrieved_ids": ("retrieved_ids", "retrieved_context_ids", "retrieved_chunk_ids"),
    "retrieved_doc_ids": ("retrieved_doc_ids", "retrieved_document_ids"),
    "candidates": ("candidates",),
    "citations": ("citations",),
    "abstained": ("abstained",),
    "latency_ms": ("latency_ms",),
    "usage": ("usage",),
}

# Names that mean the pipeline's output only where the whole row is one.
ANSWER_ALONE: dict[str, tuple[str, ...]] = {
    "answer": ("answer", "output"),
    "retrieved": ("chunks", "documents", "docs", "sources"),
    "failure": ("failure", "error"),
}

# Under these names a bare string is a text, whatever it looks like.
TEXTS = ("retrieved_contexts", "contexts", "retrieval_context", "retrieved_context")
# Under these names a bare id is a document's.
DOCUMENTS = (
    "retrieved_docs",
    "retrieved_documents",
    "docs",
    "documents",
    "retrieved_doc_ids",
    "retrieved_document_ids",
)

# Members of a saved run's cases and of other rows that say nothing of the output.
BESIDE_ANSWER = ("scores", "diagnosis", "notes", "mode")

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_GAP = re.compile(r"[\s\-]+")


def fold(name: str) -> str:
    """Return the form of a field name in which it is compared."""
    return _GAP.sub("_", _HUMP.sub("_", name.strip())).casefold()
