"""promptfoo: results of an evaluation (`promptfoo eval -o results.json`), versions 2 and 3.

Every provider (and prompt, where there are several) is a system. Scores are the test's own score, whether
it passed, the named scores, and the score of each assertion under its metric or type, the mean of them where
a type comes several times. A provider's error is a failed answer, and a score that could not be obtained.
"""

from collections.abc import Mapping
from typing import Any

from acidtest.codec.chunks import chunks
from acidtest.codec.fields import Given
from acidtest.codec.rows.row import Row
from acidtest.data.answers import Answer, Latency, Usage
from acidtest.data.outcomes import MetricSpec
from acidtest.formats.format import Format, Found, Likeness, Output, System
from acidtest.formats.losses import Losses
from acidtest.formats.promptfoo_scores import failed, scores_of
from acidtest.formats.promptfoo_vars import fields
from acidtest.formats.scores import number_of
from acidtest.formats.source import Source


def _sniff(source: Source) -> Likeness:
    rows = _results(source.document) if source.form == "json" else None
    first = rows[0] if rows else None
    known = isinstance(first, dict) and "success" in first and first.keys() & {"vars", "testCase"}
    return 2 if known else 0


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
        key = repr(_variables(row))
        if key not in cases:
            cases[key] = _case(row, losses)
        number = place.setdefault(key, len(place))
        outputs = systems.setdefault(_name(row, several=len(prompts) > 1), {})
        if number in outputs:
            losses.add("results", "the test was repeated: the first result counts", row.where)
            continue
        scores = dict(scores_of(row, specs))
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


def _case(row: Row, losses: Losses) -> Row:
    test = row.values.get("testCase")
    asserts = test.get("assert") if isinstance(test, dict) else None
    given = _variables(row)
    if given is None:
        raise row.fault("has no variables", field="vars")
    values, more = fields(row, given, asserts if isinstance(asserts, list) else [], losses)
    if more:
        values["metadata"] = more
    # The cells of promptfoo's tables come through as text.
    return Row(where=row.where, values=values, error=row.error, flat=True)


def _variables(row: Row) -> dict[str, Any] | None:
    test = row.values.get("testCase")
    inner = test.get("vars") if isinstance(test, dict) else None
    given = row.values.get("vars") or inner
    return given if isinstance(given, dict) else None


def _prompt(row: Row) -> str:
    """Return the template's name: the text that was sent differs from test to test."""
    prompt, number = row.values.get("prompt"), row.values.get("promptIdx")
    label = prompt.get("label") if isinstance(prompt, dict) else None
    return str(label or (f"prompt {number}" if isinstance(number, int) else ""))


def _name(row: Row, *, several: bool) -> str:
    provider = row.values.get("provider")
    if isinstance(provider, dict):
        provider = provider.get("label") or provider.get("id")
    name = str(provider or "provider")
    return f"{name} | {_prompt(row)[:80]}" if several else name


def _answer(row: Row) -> Answer:
    values, failure = row.values, failed(row)
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


FORMAT = Format(name="promptfoo-results", sniff=_sniff, read=_read)
