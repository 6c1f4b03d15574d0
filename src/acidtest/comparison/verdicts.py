"""The closed list of verdicts on a case, in the order of the stages, and the stage each one blames."""

from acidtest.data.terms import Stage

PIPELINE_FAILED = "pipeline failed"
NOT_IN_CORPUS = "not in corpus"
NOT_RETRIEVED = "not retrieved"
LOST_IN_RERANKING = "lost in reranking"
RANKED_TOO_LOW = "ranked too low"
WRONG_CONTEXT = "faithful to a wrong context"
UNFAITHFUL = "good context but unfaithful"
WRONG = "good context, faithful, yet wrong or incomplete"
WITHOUT_CONTEXT = "correct without its context"
NOT_ABSTAINED = "failed to abstain"
ABSTAINED = "abstained needlessly"
OFF_TOPIC = "off topic"
UNKNOWN = "unknown"
OK = "ok"

STAGES: dict[str, Stage | None] = {
    PIPELINE_FAILED: "operations",
    NOT_IN_CORPUS: "retrieval",
    NOT_RETRIEVED: "retrieval",
    LOST_IN_RERANKING: "retrieval",
    RANKED_TOO_LOW: "retrieval",
    WRONG_CONTEXT: "retrieval",
    UNFAITHFUL: "generation",
    WRONG: "generation",
    WITHOUT_CONTEXT: "generation",
    NOT_ABSTAINED: "generation",
    ABSTAINED: "generation",
    OFF_TOPIC: "generation",
    UNKNOWN: None,
    OK: None,
}
"""Every verdict once; reports list them in this order."""
