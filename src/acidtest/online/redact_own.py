"""Which patterns redact: built-in ones by name, and a user's own, held to a bound of time.

Python's regular expressions have no time limit, and some take years on texts made for it. So a pattern is
tried before it is used, in a process of its own that can be stopped, and it looks at a text in windows.
"""

import re
import sys
from collections.abc import Sequence
from itertools import cycle, islice

from acidtest.errors import BadConfig, UnknownName

NAMES = ("secret", "email", "iban", "card", "ip", "phone")
"""Built-in patterns, in the order that they are applied in; see `redact_patterns`."""

LONGEST = 1_000
"""Characters that one match can have at most."""

OWN = "re:"
"""What an own pattern begins with in the configuration."""

_TRIAL_S = 2.0
_TRY = """
import re, sys
pattern = re.compile(sys.stdin.readline().encode("ascii").decode("unicode_escape"))
for line in sys.stdin:
    pattern.sub("", line.encode("ascii").decode("unicode_escape"))
"""
_CHARS = "".join(map(chr, range(32, 127))) + "\n\t\u00e9\u4e2d\u0660"


def check_redaction(patterns: Sequence[str], where: str) -> None:
    """Refuse what is no pattern.

    Raises:
        UnknownName: It is no name of one, and does not begin with `re:`.
        BadConfig: It is no regular expression.
    """
    for given in patterns:
        if given.startswith(OWN):
            compiled(given, where)
        elif given not in NAMES:
            raise UnknownName("redaction", given, (*NAMES, f"{OWN}PATTERN"), where=where)


def compiled(given: str, where: str) -> re.Pattern[str]:
    """Return the regular expression of `re:...`.

    Raises:
        BadConfig: It is none, or it matches an empty text.
    """
    source = given.removeprefix(OWN)
    try:
        pattern = re.compile(source)
    except (re.error, OverflowError, RecursionError) as error:
        raise BadConfig(
            f"{given!r} is no regular expression: {error}",
            where=where,
            fix="Mend the pattern after re:.",
        ) from error
    if pattern.match(""):
        raise BadConfig(
            f"{given!r} matches where nothing is",
            where=where,
            fix="Write what must be there, such as re:EMP-[0-9]{4,8}.",
        )
    return pattern


def tried(pattern: re.Pattern[str], where: str) -> None:
    """Refuse a pattern that takes too long on texts that are hard for such patterns.

    Raises:
        BadConfig: It does.
    """
    import subprocess  # slow to import, and every command reads the configuration

    lines = [pattern.pattern, *_hard(pattern.pattern)]
    given = "\n".join(line.encode("unicode_escape").decode("ascii") for line in lines)
    try:
        subprocess.run(  # noqa: S603 - our own program, given texts
            [sys.executable, "-I", "-S", "-c", _TRY],
            input=given.encode(),
            timeout=_TRIAL_S,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired as error:
        raise BadConfig(
            f"the pattern {pattern.pattern!r} takes too long on some texts",
            where=where,
            fix="Bound its repeats, such as {1,64} for +, and let no repeat stand inside another.",
        ) from error
    except (OSError, subprocess.CalledProcessError) as error:
        raise BadConfig(
            f"the pattern {pattern.pattern!r} could not be tried: {error}",
            where=where,
            fix="Write it simpler.",
        ) from error


def without(pattern: re.Pattern[str], text: str, instead: str) -> str:
    """Return a text without what a pattern matches; one match has at most `LONGEST` characters.

    The pattern sees twice as many at a time, so its time grows with the text alone.
    """
    if len(text) <= 2 * LONGEST:
        return pattern.sub(lambda _: instead, text)
    kept, done, at = list[str](), 0, 0
    while at < len(text):
        found = pattern.search(text, at, min(at + 2 * LONGEST, len(text)))
        if found is None or found.start() >= at + LONGEST:
            at += LONGEST  # what begins later is seen whole by the next window
            continue
        end = max(found.end(), found.start() + 1)
        kept += [text[done : found.start()], instead]
        done = at = end
    return "".join([*kept, text[done:]])


def _hard(source: str) -> list[str]:
    """Return texts on which patterns that try too many ways do so: much of the same, then no match."""
    size = 2 * LONGEST
    own = "".join(
        dict.fromkeys(c for c in source if c.isalnum() or not c.isascii() or c in "-_@. ,:;/")
    )
    mixed = [own, own[::-1], "ab", "a ", "a1", "a.", "a-", "1.", "1-", "1 "] if own else []
    texts = [c * size for c in _CHARS] + ["".join(islice(cycle(m), size)) for m in mixed]
    return [f"{text[:-1]}\u2603" for text in texts]
