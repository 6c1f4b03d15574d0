"""What an alignment found, widened to whole sentences: it ends where likeness ends, often inside one."""

from acidtest.golden.locate.found import Occurrence
from acidtest.text.sentences import spans

_ENDS = ".!?…。！？"
_CLOSERS = "\"'”’»)]"
_AROUND = 600  # characters on each side in which the sentence must begin and end


def whole_sentences(found: Occurrence, was: str) -> str:
    """Return the whole sentences that stand where a text was found.

    Args:
        found: The place, by alignment.
        was: The text that was looked for. Where it is no whole sentence, or it was found in several parts,
            what was found is returned as it is.
    """
    if len(found.parts) != 1 or not was.rstrip().rstrip(_CLOSERS).endswith(tuple(_ENDS)):
        return found.text
    part = found.parts[0]
    text = part.stretch.text
    low, high = max(0, part.start - _AROUND), min(len(text), part.end + _AROUND)
    touched = [
        (low + start, low + end)
        for start, end in spans(text[low:high])
        if low + start < part.end and low + end > part.start
    ]
    # A heading above is no part of the sentence below it, whatever the alignment took along.
    touched = [each for each in touched if not text.startswith("#", each[0])] or touched
    if not touched:
        return found.text
    start, end = touched[0][0], touched[-1][1]
    if (start == low and low > 0) or (end == high and high < len(text)):  # cut by our own window
        return found.text
    return text[start:end].strip()
