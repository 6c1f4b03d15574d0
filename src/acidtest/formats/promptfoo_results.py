"""promptfoo: results of an evaluation (`promptfoo eval -o results.json`), versions 2 and 3.

Every provider (and prompt, where there are several) is a system. Scores are the test's own score, whether
it passed, the named scores, and the score of each assertion under its metric or type, the mean of them where
a type comes several times. A provider's error is a failed answer, and a score that could not be obtained.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from acidtest.codec.chunks import chunks
from acidtest.codec.fields import Given
from acidtest.codec.rows.row import Row
from acidtest.data.answers import Answer, Latency, Usage
from acidtest.data.outcomes import Failure, MetricSpec, Outcome
from acidtest.formats.format import Format, Found, Likeness, Output, System
from acidtest.formats.losses import Losses
from acidtest.formats.promptfoo_vars import fields
from acidtest.formats.scores import named, number_of, outcome, spec
from acidtest.formats.source import Source

_ERROR = 2
"""promptfoo's reason of failure where the provider, not an assertion, is at fault."""

_JUDGED = (
    "rubric",
    "factuality",
    "relevance",
    "faithfulness",
    "context-",
    "g-eval",
    "model-graded",
)


def _sniff(source: Source) -> Likeness:
    rows = _results(source.document) if source.form == "json" else None
    first = rows[0] if rows else None
    return 2 if isinstance(first, dict) and {"vars", "success"} <= first.keys() else 0


def _results(document: object) -> list[Any] | None:
    inner = document.get("results") if isinstance(document, dict) else None
    rows = inner.get("results") if isinstance(inner, dict) else inner
    return rows if isinstance(rows, list) else None


def _read(source: Source) -> Found:
    results = _results(source.document)
    if results is None:
        raise source.fault("not results of promptfoo: they have a list results.results")
    rows = source.under(results, "result")
    losses = Losses()
    prompts = {_prompt(row) for row in rows}
    cases: dict[str, Row] = {}
    place: dict[str, int] = {}
    systems: dict[str, dict[int, Output]] = {}
    specs: dict[str, MetricSpec] = {}
    for row in rows:
        case, key = _case(row, losses if repr(row.values.get("vars")) not in cases else Losses())
        cases.setdefault(key, case)
        number = place.setdefault(key, len(place))
        outputs = systems.setdefault(_name(row, several=len(prompts) > 1), {})
        if number in outputs:
            losses.add("results", "the test was repeated: the first result counts", row.where)
            continue
        scores = dict(_scores(row, specs))
        outputs[number] = Output(row=number, answer=_answer(row), scores=scores)
    inner = source.document.get("results")
    created = inner.get("timestamp") if isinstance(inner, dict) else None
    return Found(
        rows=tuple(cases.values()),
        systems=tuple(
            System(
                name=name,
                outputs=tuple(outputs.values()),
                specs=tuple(specs.values()),
                created=created if isinstance(created, str) else None,
            )
            for name, outputs in systems.items()
        ),
        losses=losses.told(),
    )


def _case(row: Row, losses: Losses) -> tuple[Row, str]:
    given = row.values.get("vars")
    if not isinstance(given, dict):
        raise row.fault("has no variables", field="vars")
    test = row.values.get("testCase")
    asserts = test.get("assert") if isinstance(test, dict) else None
    values, more = fields(row, given, asserts if isinstance(asserts, list) else [], losses)
    if more:
        values["metadata"] = more
    # The cells of promptfoo's tables come through as text.
    return Row(where=row.where, values=values, error=row.error, flat=True), repr(given)


def _prompt(row: Row) -> str:
    prompt = row.values.get("prompt")
    label = prompt.get("label", prompt.get("raw")) if isinstance(prompt, dict) else None
    return str(label or "")


def _name(row: Row, *, several: bool) -> str:
    provider = row.values.get("provider")
    if isinstance(provider, dict):
        provider = provider.get("label") or provider.get("id")
    name = str(provider or "provider")
    return f"{name} | {_prompt(row)[:80]}" if several else name


def _failed(row: Row) -> Failure | None:
    values = row.values
    response = values.get("response")
    error = values.get("error")
    inner = response.get("error") if isinstance(response, dict) else None
    silent = not isinstance(response, dict) or response.get("output") is None
    if values.get("failureReason") == _ERROR or inner or (silent and error):
        lines = str(inner or error or "an error without a message").strip().splitlines()
        return Failure(lines[0][:1000], "\n".join(lines)[:20_000] if len(lines) > 1 else None)
    return None


def _answer(row: Row) -> Answer:
    values, failure = row.values, _failed(row)
    response = values.get("response") if isinstance(values.get("response"), dict) else {}
    output = response.get("output") if isinstance(response, dict) else None
    took = number_of(values.get("latencyMs"))
    latency = Latency(total=took) if took is not None and took >= 0 else None
    if failure is not None:
        return Answer(case_id="", latency_ms=latency, failure=failure)
    retrieved = None
    text = output if isinstance(output, str) else None
    if isinstance(output, list):
        retrieved = chunks(row, Given("response.output", output))
    elif isinstance(output, dict):
        text = next(
            (output[n] for n in ("answer", "output", "text") if isinstance(output.get(n), str)),
            None,
        )
        contexts = next(
            (output[n] for n in ("retrieved", "contexts", "context") if output.get(n)), None
        )
        if contexts is not None:
            retrieved = chunks(row, Given("contexts", contexts))
    return Answer(
        case_id="",
        text=text,
        retrieved=retrieved,
        latency_ms=latency,
        usage=_usage(values, response),
    )


def _usage(values: Mapping[str, Any], response: object) -> Usage | None:
    tokens = response.get("tokenUsage") if isinstance(response, dict) else None
    counts = [
        int(tokens[name])
        if isinstance(tokens, dict) and isinstance(tokens.get(name), int) and tokens[name] >= 0
        else None
        for name in ("prompt", "completion")
    ]
    cost = number_of(values.get("cost"))
    money = cost if cost is not None and 0 < cost < 1e9 else None  # 0 stands for "not known" too
    if not any(counts) and money is None:
        return None
    return Usage(input_tokens=counts[0], output_tokens=counts[1], cost_usd=money)


def _scores(row: Row, specs: dict[str, MetricSpec]) -> Iterator[tuple[str, Outcome]]:
    """Give each score of a result, and note its metric."""
    values = row.values
    failure = _failed(row)
    grading = values.get("gradingResult")
    reason = str(grading.get("reason") or "") if isinstance(grading, dict) else ""
    given: dict[str, Outcome] = {
        "score": failure or outcome(values.get("score"), reason=reason),
        "pass": failure or outcome(values.get("success"), reason=reason),
    }
    if failure is None:
        inner = values.get("namedScores")
        for name, value in (inner if isinstance(inner, dict) else {}).items():
            given[str(name)] = outcome(value)
        for name, found in _components(grading).items():
            given.setdefault(name, found)
    for name, found in given.items():
        told = specs.setdefault(named("promptfoo", name), _spec(name))
        yield told.name, found


def _spec(name: str) -> MetricSpec:
    return spec("promptfoo", name, judged=any(mark in name for mark in _JUDGED))


def _components(grading: object) -> dict[str, Outcome]:
    parts: dict[str, list[float]] = {}
    broken: dict[str, Outcome] = {}
    reasons: dict[str, str] = {}
    listed = grading.get("componentResults") if isinstance(grading, dict) else None
    for part in listed if isinstance(listed, list) else ():
        if not isinstance(part, dict):
            continue
        inner = part.get("namedScores") or part.get("named_scores")
        scores = dict(inner) if isinstance(inner, dict) else {}
        told = part.get("assertion")
        if not scores and isinstance(told, dict):
            scores = {str(told.get("metric") or told.get("type")): part.get("score")}
        metadata = part.get("metadata")
        unjudged = isinstance(metadata, dict) and metadata.get("graderError") is True
        for name, value in scores.items():
            number = number_of(value)
            if unjudged:  # promptfoo writes 0 there
                broken[str(name)] = Failure("the grader failed", str(part.get("reason"))[:4000])
            elif number is not None:
                parts.setdefault(str(name), []).append(number)
                reasons.setdefault(str(name), str(part.get("reason") or ""))
    return broken | {
        name: outcome(sum(numbers) / len(numbers), reason=reasons[name])
        for name, numbers in parts.items()
        if name not in broken
    }


FORMAT = Format(name="promptfoo-results", sniff=_sniff, read=_read)
