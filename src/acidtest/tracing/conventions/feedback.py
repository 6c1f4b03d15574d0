"""What people and programs said of an answer, as annotations on its spans."""

import re
from collections.abc import Mapping
from typing import Any, Literal

from acidtest.data.traces import Feedback
from acidtest.tracing.conventions.values import at, entries, first, name, number, text

_GOOD = frozenset(
    [
        "good",
        "positive",
        "up",
        "thumbs-up",
        "thumbs_up",
        "thumbsup",
        "like",
        "liked",
        "correct",
        "helpful",
        "yes",
        "accept",
        "👍",
        "true",
        "pass",
    ]
)
_BAD = frozenset(
    [
        "bad",
        "negative",
        "down",
        "thumbs-down",
        "thumbs_down",
        "thumbsdown",
        "dislike",
        "disliked",
        "incorrect",
        "unhelpful",
        "no",
        "reject",
        "👎",
        "false",
        "fail",
    ]
)
_FAULT = re.compile(
    r"toxic|hallucinat|bias|harm|error|fault|violat|unsafe|wrong|bad", re.IGNORECASE
)
"""Names of which a high score is no praise."""
_USER = re.compile(r"user|thumb|feedback|reaction|csat|like|star|rating", re.IGNORECASE)
_MAX_FEEDBACK = 200


def annotations(attributes: Mapping[str, Any], path: str, lead: str) -> tuple[Feedback, ...]:
    """Return annotations that are kept as a list: `annotations.0.annotation.score` and the like.

    Args:
        attributes: Of the span.
        path: Where the list stands.
        lead: How the names of an entry begin: `annotation` or `evaluation`.
    """
    found = (
        judged(
            {
                key: first(each, f"{lead}.{key}", key)
                for key in ("name", "score", "label", "explanation", "annotator_kind", "created")
            }
        )
        for each in entries(attributes, path)[:_MAX_FEEDBACK]
    )
    return tuple(each for each in found if each is not None)


def judged(said: Mapping[str, Any], *, by: str | None = None) -> Feedback | None:
    """Return one judgement from its fields; None where there is neither score, label nor comment.

    Args:
        said: name, score, label, explanation or comment, annotator_kind.
        by: Who said it, where the fields do not tell.
    """
    raw = said.get("score")
    score = float(raw) if isinstance(raw, bool) else number(raw)
    label = name(said.get("label"))
    comment = text(first(said, "explanation", "comment"))
    if score is None and label is None and comment is None:
        return None
    title = name(said.get("name")) or "feedback"
    who = _who(by or said.get("annotator_kind"), title)
    return Feedback(
        name=title,
        score=score,
        label=label,
        good=_good(title, score, label, who),
        comment=comment,
        by=who,
        created=name(said.get("created")),
    )


def given(attributes: Mapping[str, Any]) -> tuple[Feedback, ...]:
    """Return a user's word that stands in attributes of its own, as applications name them."""
    found = []
    for lead in ("feedback", "user.feedback", "user_feedback"):
        whole = at(attributes, lead)
        said = {
            "name": at(attributes, f"{lead}.name"),
            "score": first(attributes, f"{lead}.score", f"{lead}.value", f"{lead}.rating"),
            "label": first(attributes, f"{lead}.label", f"{lead}.thumbs"),
            "comment": first(attributes, f"{lead}.comment", f"{lead}.text"),
        }
        if not isinstance(whole, Mapping) and whole is not None:
            said["label" if isinstance(whole, str) else "score"] = whole
        one = judged(said, by="USER")
        if one is not None:
            found.append(one)
    return tuple(found)


def _who(kind: Any, title: str) -> Literal["user", "person", "machine"]:
    word = str(kind).upper() if isinstance(kind, str) else ""
    if word in {"USER", "API"}:
        return "user"
    if word in {"HUMAN", "ANNOTATION", "PERSON"}:
        return "user" if _USER.search(title) else "person"
    if word in {"LLM", "CODE", "EVAL", "MODEL", "MACHINE", "AUTO"}:
        return "machine"
    return "user" if _USER.search(title) else "machine"


def _good(title: str, score: float | None, label: str | None, who: str) -> bool | None:
    word = (label or "").strip().lower().replace(" ", "-")
    if word in _GOOD | _BAD:
        return None if _FAULT.search(title) else word in _GOOD
    if who == "machine" or score not in {-1.0, 0.0, 1.0} or _FAULT.search(title):
        return None
    return score > 0
