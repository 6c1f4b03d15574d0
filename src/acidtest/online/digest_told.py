"""The weekly digest as a message: short, whole in itself, and nothing that was asked acts in it."""

from acidtest.codec.lossy import encoded
from acidtest.data.digest import Digest
from acidtest.online.digest_words import Part, document_of, parts, titled
from acidtest.online.notify import LONGEST, Parcel
from acidtest.online.told import inert
from acidtest.online.weekly import STATE, key_of
from acidtest.report.clean import clip
from acidtest.report.online_dashboard import day

_MOST = 3  # lines of a part
_SAID = 100  # characters of a question
_LINE = 260


def digest_parcel(found: Digest, *, into: str) -> Parcel:
    """Return a digest as it is sent.

    Args:
        found: The digest.
        into: The golden set that commands put traces into.
    """
    said = digest_message(found, into=into)
    document = document_of(found, into=into)
    key = key_of(found.until_ms)
    return Parcel(
        key=key,
        state=STATE,
        body=encoded({**document, "key": key, "text": said}),
        title="acidtest: the week",
        text=said,
    )


def digest_message(found: Digest, *, into: str) -> str:
    """Return a digest as a short text for people, with the command that says the rest."""
    command = f"acidtest traces digest --until {day(found.until_ms)}"
    end = f"Each group with the command that makes golden cases of it: {command}"
    room = LONGEST - len(end) - 1
    lines = [f"Live traffic, {titled(found)}"]
    some = parts(found, into=into)
    for part in some:
        lines += _part(part)
    if not some:
        lines.append("Nothing new is asked, no failures are alike, and nothing moved.")
    kept: list[str] = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    return "\n".join([*kept, end] if found.lacking or found.failing else kept)


def _part(part: Part) -> list[str]:
    lines = [f"{part.title}:"]
    for line in part.lines[:_MOST]:
        said = f": “{inert(clip(line.said, _SAID))}”" if line.said else ""
        lines.append(f"- {clip(inert(line.words), _LINE)}{said}")
    more = len(part.lines) - _MOST
    return [*lines, f"- and {more} more"] if more > 0 else lines
