"""The most room for a reply that a model gives, read from its refusal to give more.

Known: OpenAI ("supports at most 4096 completion tokens"), Anthropic ("99999 > 64000, which is the maximum
allowed number of output tokens"), Google ("the supported range is from 1 (inclusive) to 65537
(exclusive)"), Groq and DeepSeek ("must be less than or equal to `8192`", "range of max_tokens is
[1, 8192]"), vLLM ("10000 > 4096 - 50") and OpenAI's older models ("maximum context length is 8192
tokens", "1000 in the messages").
"""

import re

from msgspec import Struct

from acidtest.judges.complaint import Complaint

LEAST = 16
"""Tokens; with less there is no verdict, so it is the prompt that is too long."""

_ABOUT = re.compile(
    r"max_?(?:completion_|output_|new_)?_?tokens|maxoutputtokens|max_output|output tokens"
    r"|completion tokens|in the completion"
)
_OF_MODEL = (
    re.compile(r"at most (\d+)"),
    re.compile(r"> (\d+), which is the maximum"),
    re.compile(r"less than or equal to \W{0,3}(\d+)"),
    re.compile(r"\[\d+, (\d+)\]"),
)
_UP_TO = re.compile(r"to (\d+) \(exclusive\)")
_LEFT = re.compile(r"\d+ > (\d+) - (\d+)")
_WINDOW = re.compile(
    r"maximum context length is (\d+) tokens.{0,200}?(\d+) in the messages", re.DOTALL
)


class Most(Struct, frozen=True):
    """The most room there is: for every prompt, or beside this prompt only."""

    tokens: int
    of_model: bool


def most_room(complaint: Complaint, asked: int) -> Most | None:
    """Return the room that a refusal leaves; None when it is of something else, or does not say."""
    text = f"{complaint.param} {complaint.message[:2000]}".lower()
    if not _ABOUT.search(text):
        return None
    most = _most(text)
    return most if most is not None and LEAST <= most.tokens < asked else None


def _most(text: str) -> Most | None:
    for beside in (_LEFT, _WINDOW):
        if found := beside.search(text):
            return Most(int(found[1]) - int(found[2]), of_model=False)
    if found := _UP_TO.search(text):
        return Most(int(found[1]) - 1, of_model=True)
    for pattern in _OF_MODEL:
        if found := pattern.search(text):
            return Most(int(found[1]), of_model=True)
    return None
