"""Reading people's labels of verdicts from a file."""

import os

from acidtest.codec.fields import Given, lookup, pick
from acidtest.codec.names import fold
from acidtest.codec.rows.read import read_rows
from acidtest.codec.rows.row import Row, shown
from acidtest.codec.values import identifier, number
from acidtest.data.human import HumanLabel
from acidtest.data.ranges import inside, range_of
from acidtest.errors import BadData

_NAMES = lookup(
    {
        "case": ("case", "case_id", "id", "qid", "question_id"),
        "metric": ("metric", "score_name", "criterion"),
        "label": ("label", "value", "score", "human", "human_label", "verdict"),
        "annotator": ("annotator", "rater", "annotator_id", "by", "user"),
        "weight": ("weight",),
    }
)
_BESIDE = ("note", "comment", "reason", "created", "question", "metadata")
_WORDS = {
    **dict.fromkeys(("yes", "true", "pass", "supported", "correct", "relevant", "good"), 1.0),
    **dict.fromkeys(("no", "false", "fail", "unsupported", "incorrect", "irrelevant", "bad"), 0.0),
}

LIGHTEST, HEAVIEST = 1e-9, 1e9
"""Between these lies a weight that is not 0: one case beside which the others vanish leaves no figure to tell."""


def read_labels(path: str | os.PathLike[str]) -> tuple[HumanLabel, ...]:
    """Read a file of labels: a row each, with `case`, `metric`, `label` and `annotator`.

    A row whose `label` is null waits for a person and is left out.

    Args:
        path: JSONL, JSON, YAML, CSV or Parquet.

    Raises:
        BadData: A row lacks something, a label is outside its metric's range, or one person labels one
            metric of one case twice, otherwise; the message names file, line and field.
    """
    return tuple(label for _, label in read_label_rows(path) if label is not None)


def read_label_rows(path: str | os.PathLike[str]) -> list[tuple[Row, HumanLabel | None]]:
    """Read a file of labels with its rows; those that wait for a person have no label. See `read_labels`."""
    found: dict[tuple[str, str, str | None], tuple[Row, HumanLabel]] = {}
    rows: list[tuple[Row, HumanLabel | None]] = []
    for row in read_rows(path, error=BadData):
        if _waits(row):
            rows.append((row, None))
            continue
        label = _label(row)
        key = (label.case, label.metric, label.annotator)
        before = found.setdefault(key, (row, label))
        if before[1].label != label.label:
            raise row.fault(
                f"{shown(label.case)} has another label for {label.metric} at {before[0].where}",
                field="label",
                fix="Keep one, or name the people apart with annotator.",
            )
        if before[0] is row:
            rows.append((row, label))
    return rows


def _waits(row: Row) -> bool:
    """Say whether a row has a place for a label, and none in it."""
    names = [name for name in row.values if _NAMES.get(fold(name)) == "label"]
    return bool(names) and all(row.values[name] is None for name in names)


def _label(row: Row) -> HumanLabel:
    fields = pick(row, _NAMES, passed_over=_BESIDE)
    for name in ("case", "metric", "label"):
        if name not in fields:
            raise row.fault(
                f"has no {name}",
                fix='Write {"case": "q1", "metric": "faithfulness", "label": 1, "annotator": "ann"}.',
            )
    metric = identifier(row, fields["metric"])
    value, bounds = _value(row, fields["label"]), range_of(metric)
    if bounds is not None and not inside(value, bounds):
        raise row.fault(
            f"{metric} is from {bounds[0]:g} to {bounds[1]:g}, not {value:g}",
            field=fields["label"].name,
        )
    weight = number(row, fields["weight"], least=0) if "weight" in fields else 1.0
    if weight and not LIGHTEST <= weight <= HEAVIEST:
        raise row.fault(
            f"must be 0, or from {LIGHTEST:g} to {HEAVIEST:g}, not {weight:g}",
            field=fields["weight"].name,
            fix="Write 1 over the chance by which the case was chosen.",
        )
    return HumanLabel(
        case=identifier(row, fields["case"]),
        metric=metric,
        label=value,
        annotator=identifier(row, fields["annotator"]) if "annotator" in fields else None,
        weight=weight,
    )


def _value(row: Row, given: Given) -> float:
    value = given.value
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, str) and value.strip().casefold() in _WORDS:
        return _WORDS[value.strip().casefold()]
    return number(row, given)
