"""acidtest: evaluate retrieval-augmented generation, the two stages apart.

The public names are loaded when they are used, so that importing this package costs next to nothing
and touches neither network, disk nor environment. Every metric is a public name too, as a plain
function: `acidtest.recall(["c12", "c5"], ["c12"], k=5)`.

PYTEST_DONT_REWRITE: nothing here asserts, and pytest would warn who imports this before it does.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from acidtest.codec.runs import load_run as load_run
    from acidtest.comparison.decide import gate as gate
    from acidtest.comparison.side_by_side import compare as compare
    from acidtest.data.answers import Answer as Answer
    from acidtest.data.answers import Chunk as Chunk
    from acidtest.data.answers import Usage as Usage
    from acidtest.data.golden import Case as Case
    from acidtest.data.golden import Evidence as Evidence
    from acidtest.data.golden import GoldenSet as GoldenSet
    from acidtest.data.outcomes import Failure as Failure
    from acidtest.data.outcomes import Score as Score
    from acidtest.data.outcomes import Skip as Skip
    from acidtest.data.runs import Run as Run
    from acidtest.errors import AcidtestError as AcidtestError
    from acidtest.golden.load import load_golden as load_golden
    from acidtest.golden.save import save_golden as save_golden
    from acidtest.metrics.contexts.context_precision_judged import (
        context_precision_judged as context_precision_judged,
    )
    from acidtest.metrics.contexts.context_recall import context_recall as context_recall
    from acidtest.metrics.contexts.context_relevance import context_relevance as context_relevance
    from acidtest.metrics.contexts.context_usefulness import (
        context_usefulness as context_usefulness,
    )
    from acidtest.metrics.declare import label_metric as label_metric
    from acidtest.metrics.declare import metric as metric
    from acidtest.metrics.end_to_end.abstention import abstention_accuracy as abstention_accuracy
    from acidtest.metrics.end_to_end.abstention import abstention_precision as abstention_precision
    from acidtest.metrics.end_to_end.abstention import abstention_recall as abstention_recall
    from acidtest.metrics.end_to_end.correctness import correctness as correctness
    from acidtest.metrics.end_to_end.exact_match import exact_match as exact_match
    from acidtest.metrics.end_to_end.factual_correctness import (
        factual_correctness as factual_correctness,
    )
    from acidtest.metrics.end_to_end.semantic_similarity import (
        semantic_similarity as semantic_similarity,
    )
    from acidtest.metrics.end_to_end.token_f1 import token_f1 as token_f1
    from acidtest.metrics.generation.answer_relevance import answer_relevance as answer_relevance
    from acidtest.metrics.generation.answer_relevancy import answer_relevancy as answer_relevancy
    from acidtest.metrics.generation.citation_precision import (
        citation_precision as citation_precision,
    )
    from acidtest.metrics.generation.citation_recall import citation_recall as citation_recall
    from acidtest.metrics.generation.citation_validity import citation_validity as citation_validity
    from acidtest.metrics.generation.faithfulness import faithfulness as faithfulness
    from acidtest.metrics.generation.faithfulness_binary import (
        faithfulness_binary as faithfulness_binary,
    )
    from acidtest.metrics.generation.faithfulness_score import (
        faithfulness_score as faithfulness_score,
    )
    from acidtest.metrics.generation.grounding_leak import grounding_leak as grounding_leak
    from acidtest.metrics.generation.noise_sensitivity import noise_sensitivity as noise_sensitivity
    from acidtest.metrics.retrieval.bpref import bpref as bpref
    from acidtest.metrics.retrieval.context_precision import context_precision as context_precision
    from acidtest.metrics.retrieval.f1 import f1 as f1
    from acidtest.metrics.retrieval.hit import hit as hit
    from acidtest.metrics.retrieval.map import map as map
    from acidtest.metrics.retrieval.mrr import mrr as mrr
    from acidtest.metrics.retrieval.ndcg import ndcg as ndcg
    from acidtest.metrics.retrieval.precision import precision as precision
    from acidtest.metrics.retrieval.r_precision import r_precision as r_precision
    from acidtest.metrics.retrieval.recall import recall as recall
    from acidtest.metrics.text.semantic_recall import semantic_recall as semantic_recall
    from acidtest.metrics.text.token_recall import token_recall as token_recall
    from acidtest.ports import PipelineOptions as PipelineOptions
    from acidtest.project.calibrate import calibrate as calibrate
    from acidtest.project.convert import convert as convert
    from acidtest.project.convert import read_format as read_format
    from acidtest.project.corpora import load_corpus as load_corpus
    from acidtest.project.evaluate import aevaluate as aevaluate
    from acidtest.project.evaluate import evaluate as evaluate
    from acidtest.project.golden_edit import diff_golden as diff_golden
    from acidtest.project.golden_edit import merge_golden as merge_golden
    from acidtest.project.golden_label import apply_labels as apply_labels
    from acidtest.project.golden_lint import lint as lint
    from acidtest.project.golden_promote import promote_cases as promote_cases
    from acidtest.project.golden_remap import remap as remap
    from acidtest.project.golden_stale import stale as stale
    from acidtest.project.golden_synthesize import asynthesize as asynthesize
    from acidtest.project.golden_synthesize import synthesize as synthesize
    from acidtest.project.retrieval import retrieval as retrieval
    from acidtest.tracing.record import Recorder as Recorder
    from acidtest.tracing.record import feedback as feedback
    from acidtest.tracing.record import record as record

_PUBLIC = {
    "AcidtestError": "errors",
    "Answer": "data.answers",
    "Case": "data.golden",
    "Chunk": "data.answers",
    "Evidence": "data.golden",
    "Failure": "data.outcomes",
    "GoldenSet": "data.golden",
    "PipelineOptions": "ports",
    "Recorder": "tracing.record",
    "Run": "data.runs",
    "Score": "data.outcomes",
    "Skip": "data.outcomes",
    "Usage": "data.answers",
    "abstention_accuracy": "metrics.end_to_end.abstention",
    "abstention_precision": "metrics.end_to_end.abstention",
    "abstention_recall": "metrics.end_to_end.abstention",
    "aevaluate": "project.evaluate",
    "answer_relevance": "metrics.generation.answer_relevance",
    "answer_relevancy": "metrics.generation.answer_relevancy",
    "asynthesize": "project.golden_synthesize",
    "apply_labels": "project.golden_label",
    "bpref": "metrics.retrieval.bpref",
    "calibrate": "project.calibrate",
    "citation_precision": "metrics.generation.citation_precision",
    "citation_recall": "metrics.generation.citation_recall",
    "citation_validity": "metrics.generation.citation_validity",
    "compare": "comparison.side_by_side",
    "context_precision": "metrics.retrieval.context_precision",
    "context_precision_judged": "metrics.contexts.context_precision_judged",
    "context_recall": "metrics.contexts.context_recall",
    "context_relevance": "metrics.contexts.context_relevance",
    "context_usefulness": "metrics.contexts.context_usefulness",
    "convert": "project.convert",
    "correctness": "metrics.end_to_end.correctness",
    "diff_golden": "project.golden_edit",
    "evaluate": "project.evaluate",
    "exact_match": "metrics.end_to_end.exact_match",
    "f1": "metrics.retrieval.f1",
    "factual_correctness": "metrics.end_to_end.factual_correctness",
    "faithfulness": "metrics.generation.faithfulness",
    "faithfulness_binary": "metrics.generation.faithfulness_binary",
    "faithfulness_score": "metrics.generation.faithfulness_score",
    "feedback": "tracing.record",
    "gate": "comparison.decide",
    "grounding_leak": "metrics.generation.grounding_leak",
    "hit": "metrics.retrieval.hit",
    "label_metric": "metrics.declare",
    "lint": "project.golden_lint",
    "load_corpus": "project.corpora",
    "load_golden": "golden.load",
    "load_run": "codec.runs",
    "map": "metrics.retrieval.map",
    "merge_golden": "project.golden_edit",
    "metric": "metrics.declare",
    "mrr": "metrics.retrieval.mrr",
    "ndcg": "metrics.retrieval.ndcg",
    "noise_sensitivity": "metrics.generation.noise_sensitivity",
    "precision": "metrics.retrieval.precision",
    "promote_cases": "project.golden_promote",
    "r_precision": "metrics.retrieval.r_precision",
    "read_format": "project.convert",
    "recall": "metrics.retrieval.recall",
    "record": "tracing.record",
    "remap": "project.golden_remap",
    "retrieval": "project.retrieval",
    "save_golden": "golden.save",
    "semantic_recall": "metrics.text.semantic_recall",
    "semantic_similarity": "metrics.end_to_end.semantic_similarity",
    "stale": "project.golden_stale",
    "synthesize": "project.golden_synthesize",
    "token_f1": "metrics.end_to_end.token_f1",
    "token_recall": "metrics.text.token_recall",
}
"""Public name -> the module that defines it; a test holds it against the imports above."""


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'acidtest' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"acidtest.{_PUBLIC[name]}"), name)


def __dir__() -> list[str]:
    return sorted(_PUBLIC)
