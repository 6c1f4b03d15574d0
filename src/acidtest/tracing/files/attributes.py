"""The fields of other tools as OpenInference attributes, so that one understanding serves all."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from acidtest.tracing.otlp.values import plain

_LARGEST_JSON = 8_000_000
_TEXTS = ("page_content", "pageContent", "content", "text", "document.content")
_IDS = ("id", "chunk_id", "node_id", "id_", "document.id")
_OUTSIDE = ("[object Object]",)  # what JavaScript prints of an object that nobody wrote out
_MOST = 1_000


def value(side: str, given: Any) -> dict[str, Any]:
    """Return `input.value` or `output.value` with its mime type; nothing where nothing is given."""
    if given is None:
        return {}
    if isinstance(given, str):
        return {f"{side}.value": given, f"{side}.mime_type": "text/plain"}
    return {f"{side}.value": as_json(given), f"{side}.mime_type": "application/json"}


def as_json(given: Any) -> str:
    """Return the JSON text of any value."""
    return json.dumps(plain(given), ensure_ascii=False)


def from_json(given: Any) -> Any:
    """Return what a JSON text holds; anything else as it is."""
    if not isinstance(given, str) or len(given) > _LARGEST_JSON:
        return given
    if given.lstrip()[:1] not in ("{", "[", '"'):
        return given
    try:
        return json.loads(given)
    except (ValueError, RecursionError):
        return given


def mapping(given: Any) -> dict[str, Any]:
    """Return a mapping, also from its JSON text; an empty one for anything else."""
    found = from_json(given)
    return found if isinstance(found, dict) else {}


def records(given: Any) -> list[dict[str, Any]]:
    """Return the mappings of a list; none for anything else."""
    return [each for each in given if isinstance(each, dict)] if isinstance(given, list) else []


def told(pairs: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is there: no nulls and no empty texts."""
    return {key: each for key, each in pairs.items() if each is not None and each != ""}


def documents(given: Any, *, at: str = "retrieval.documents") -> dict[str, Any]:
    """Return a list of documents as flat attributes; nothing where it is no list of them.

    Texts, LangChain's documents (also serialised ones), LlamaIndex's nodes with scores, and plain
    mappings with a text are known.
    """
    found = from_json(given)
    if isinstance(found, dict):
        found = next(
            (found[key] for key in ("documents", "nodes", "results", "output") if key in found),
            None,
        )
    if not isinstance(found, list):
        return {}
    flat: dict[str, Any] = {}
    for i, each in enumerate(found[:_MOST]):
        fields = _document(each)
        if fields is None:
            return {}  # a list of something else, which the output's value shows
        flat |= {f"{at}.{i}.document.{key}": one for key, one in fields.items()}
    return flat


def _document(given: Any) -> dict[str, Any] | None:
    if isinstance(given, str):
        return None if given in _OUTSIDE else {"content": given}
    if not isinstance(given, dict):
        return None
    score = given.get("score")
    inner = next(
        (given[key] for key in ("kwargs", "node", "document") if isinstance(given.get(key), dict)),
        given,
    )
    text = next((inner[key] for key in _TEXTS if isinstance(inner.get(key), str)), None)
    name = next((inner[key] for key in _IDS if isinstance(inner.get(key), str | int)), None)
    if text is None and name is None:
        return None
    metadata = mapping(inner.get("metadata"))
    number = score if isinstance(score, int | float) else inner.get("score")
    return told(
        {
            "content": text,
            "id": name if name is not None else metadata.get("id"),
            "score": number if isinstance(number, int | float) else None,
            "metadata": as_json(metadata) if metadata else None,
        }
    )


def annotations(judged: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return judgements as flat attributes.

    Args:
        judged: Of each its name, score, label, explanation and annotator_kind, as far as they are known.
    """
    flat: dict[str, Any] = {}
    for i, each in enumerate(judged):
        flat |= {
            f"annotations.{i}.annotation.{key}": one
            for key, one in told(each).items()
            if isinstance(one, str | int | float)
        }
    return flat
