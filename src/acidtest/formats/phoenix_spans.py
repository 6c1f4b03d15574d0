"""Phoenix: spans of traces as a table (`get_spans_dataframe`), with the columns of evaluations beside them.

The spans of a trace become one case: the root's `attributes.input.value` is the question and its
`attributes.output.value` the answer, `attributes.retrieval.documents` of the retrievers (or a reranker's
`attributes.reranker.output_documents`) are what was retrieved. Tables of one row an answer (`input`,
`output`, `reference` or `context`) are read too. Evaluations are columns `NAME.score`, `NAME.label`,
`NAME.explanation`, or `NAME_score` with JSON, or bare `score`, `label`, `explanation`.
"""

from collections.abc import Iterable
from typing import Any

from acidtest.codec.rows.row import Row, shown
from acidtest.data.answers import Answer
from acidtest.data.outcomes import MetricSpec, Outcome
from acidtest.formats.asked import answered, asked
from acidtest.formats.cells import opened
from acidtest.formats.format import Format, Found, Likeness, Output, System
from acidtest.formats.losses import Losses
from acidtest.formats.phoenix_evals import evaluations
from acidtest.formats.phoenix_parts import documents, latency, usage
from acidtest.formats.scores import MISSING, named, outcome, spec
from acidtest.formats.source import Source

_INPUT, _OUTPUT = "attributes.input.value", "attributes.output.value"
_FOUND = "attributes.retrieval.documents"
_RERANKED = "attributes.reranker.output_documents"
_KIND = ("span_kind", "attributes.openinference.span.kind")
_TRACE = ("context.trace_id", "trace_id")
_SPAN = ("context.span_id", "span_id")
_TABLE = ("reference", "context", "document")


def _sniff(source: Source) -> Likeness:
    keys = source.keys
    if keys & {_INPUT, _FOUND}:
        return 2
    return 2 if "context.span_id" in keys and {"input", "output"} <= keys else 0


def _read(source: Source) -> Found:
    losses = Losses()
    traces: dict[str, list[Row]] = {}
    for row in source.rows:
        name = _first(row, (*_TRACE, *_SPAN))
        traces.setdefault(str(name or row.where), []).append(row)
    rows, outputs = list[Row](), list[Output]()
    specs: dict[str, MetricSpec] = {}
    for trace, spans in traces.items():
        root = _root(spans)
        if root is None:
            why = "no span of the trace has an input: there is no question"
            losses.add("trace", why, spans[0].where)
            continue
        scores = _scores(spans, specs)
        outputs.append(Output(row=len(rows), answer=_answer(root, spans, losses), scores=scores))
        rows.append(_case(root, trace))
    if not rows:
        raise source.fault(
            "no span has an input: there is no question", fix=f"Export {_INPUT} too."
        )
    system = System(name=source.stem, outputs=tuple(outputs), specs=tuple(specs.values()))
    return Found(rows=tuple(rows), systems=(system,), losses=losses.told())


def _first(row: Row, names: Iterable[str]) -> Any:
    return next((row.values[name] for name in names if row.values.get(name)), None)


def _root(spans: list[Row]) -> Row | None:
    """Return the span that the question came in by: the first without a parent, else the first."""
    told = [row for row in spans if _first(row, (_INPUT, "input"))]
    return next((row for row in told if not row.values.get("parent_id")), told[0] if told else None)


def _value(row: Row, names: tuple[str, ...]) -> Any:
    """Return an input or output, which may be JSON in a text."""
    return opened(row, names[0], _first(row, names))


def _case(root: Row, trace: str) -> Row:
    question = asked(root, _value(root, (_INPUT, "input")), _INPUT)
    values: dict[str, Any] = {"id": trace, "question": question.question, "source": "log"}
    if question.history:
        values["history"] = list(question.history)
    if question.more:
        values["metadata"] = {"input": question.more}
    session = root.values.get("attributes.session.id")
    if isinstance(session, str):
        values["group"] = session
    return Row(where=root.where, values=values, error=root.error)


def _answer(root: Row, spans: list[Row], losses: Losses) -> Answer:
    text, more = answered(_value(root, (_OUTPUT, "output")))
    for name in more:
        losses.add(f"output.{name}", "not a part of the answer", root.where)
    found = [chunk for row in spans for chunk in documents(row, _FOUND)]
    reranked = [chunk for row in spans for chunk in documents(row, _RERANKED)]
    known = any(row.values.get(name) is not None for row in spans for name in (_FOUND, _RERANKED))
    retrieved = tuple(reranked or found) if known else None
    if retrieved is None:
        retrieved = documents(root, *_TABLE) or None
    return Answer(
        case_id="",
        text=text,
        retrieved=retrieved,
        candidates=tuple(found) if reranked else None,
        latency_ms=latency(root),
        usage=usage(spans),
    )


def _scores(spans: list[Row], specs: dict[str, MetricSpec]) -> dict[str, Outcome]:
    found: dict[str, Outcome] = {}
    for row in spans:
        for name, one in evaluations(row).items():
            made = spec("phoenix", name, judged=True, direction=one.direction)
            told = specs.setdefault(named("phoenix", name), made)
            if told.name not in found and (one.score is not None or one.label):
                missing = MISSING if not one.label else f"the label {shown(one.label)} has no score"
                reason = " - ".join(part for part in (one.label, one.explanation) if part)
                found[told.name] = outcome(one.score, reason=reason, missing=missing)
    return found


FORMAT = Format(name="phoenix-spans", sniff=_sniff, read=_read)
