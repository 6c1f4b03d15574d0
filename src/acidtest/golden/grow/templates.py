"""Drafts without a model: what definitions, values, tables, headings and identifiers give by patterns.

They are simple and near the wording of the corpus, which is what a retriever finds most easily. A pattern
knows no topic from another: a person must read them. Nothing is hopped between, compared or followed up.
"""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from acidtest.data.corpus import CorpusChunk
from acidtest.golden.grow.near import Nearest
from acidtest.golden.grow.plan import identifiers
from acidtest.golden.grow.survey import topic
from acidtest.text.language import guess
from acidtest.text.quotations import comparable
from acidtest.text.sentences import spans

CAN = ("lookup", "identifier", "unanswerable")
"""The kinds that templates give."""

_LONGEST = 400
_LOOK = 4_000

_ASK = {
    "en": ("What is {}?", "What does {} mean?", "What is the {1} of {0}?"),
    "de": ("Was ist {}?", "Was bedeutet {}?", "{1} von {0}?"),
    "fr": ("Qu'est-ce que {} ?", "Que signifie {} ?", "{1} de {0} ?"),
    "es": ("¿Qué es {}?", "¿Qué significa {}?", "¿{1} de {0}?"),
    "zh": ("{}是什么？", "{}是什么意思？", "{0}的{1}是什么？"),
}
_COST = {
    "en": "What does {} cost?",
    "de": "Was kostet {}?",
    "fr": "Combien coûte {} ?",
    "es": "¿Cuánto cuesta {}?",
}
_BARE = ("{}", "{}", "{0}: {1}")
"""In other languages the words alone are asked, as into a search box."""

_NAME = r"(?P<name>(?:(?!\b(?:is|ist|est|es|are)\b)[^\n.:;,?!()|]){2,60}?)"
_DONE = r"(?:\w+ed|due|open|closed|valid|available|free|paid|kept|held|made|sent|given|taken)\b"
"""What follows "is" where the sentence says what happens to a thing and not what it is."""

_DEFINES = {
    "en": re.compile(
        rf"^{_NAME} (?:is(?! {_DONE})|means|(?P<cost>costs)|defaults to) "
        r"(?=(?:an?|the|one|any|every)\b|[^.]{0,20}\d)"
    ),
    "de": re.compile(
        rf"^{_NAME} (?:ist|bedeutet|(?P<cost>kostet)) (?=(?:eine?|der|die|das)\b|[^.]{{0,20}}\d)"
    ),
    "fr": re.compile(
        rf"^{_NAME} (?:est|signifie|(?P<cost>coûte)) (?=(?:une?|le|la|les)\b|l['’]|[^.]{{0,20}}\d)"
    ),
    "es": re.compile(
        rf"^{_NAME} (?:es|significa|(?P<cost>cuesta)) (?=(?:una?|el|la|los|las)\b|[^.]{{0,20}}\d)"
    ),
    "zh": re.compile(r"^(?P<name>[^，。：；？！\s]{2,16}?)(?:是指|是一|是|指的是)(?=.)"),
}
_POINTS = re.compile(
    r"^(?:it|this|that|these|those|there|here|he|she|we|you|they|what|which|who|one|if|when|where|how|"
    r"es|dies\w*|das|er|sie|wir|man|ce\w*|il|elle|on|nous|vous|eso?|est[eoa]|él|ella|"
    r"这|那|它|他|她|我们|你|本)\b",
    re.IGNORECASE,
)
_POINTS_ZH = re.compile(r"^(?:这|那|它|他|她|我|你|本|其|但|而|如果)")
_RULE = re.compile(r"^\s*\|?\s*:?-{2,}")
_MARKUP = re.compile(r"[*`]+|(?<!\w)_+|_+(?!\w)|\[([^\]]{1,200})\]\([^)]{0,300}\)")
_CODE = re.compile(r"^(```|~~~).*?(?:^\1|\Z)", re.MULTILINE | re.DOTALL)
_DIGITS = re.compile(r"\d")


class Template(Struct, frozen=True, kw_only=True):
    """A draft by a pattern: the question, its answer, and where in the chunk that stands.

    `pattern` says which; a question that is to have no answer has neither answer nor place.
    """

    pattern: str
    question: str
    reference: str | None = None
    place: tuple[int, int] | None = None


def templates(chunk: CorpusChunk, kind: str, nearest: Nearest) -> list[Template]:
    """Return the drafts of a kind that patterns give for a chunk, each question once.

    Args:
        chunk: What is asked about.
        kind: One of `CAN`; any other gives none.
        nearest: The corpus, in which a swapped name must not stand.
    """
    if kind == "lookup":
        found = [*_definitions(chunk), *_cells(chunk), *_headings(chunk)]
    elif kind == "identifier":
        found = list(_identified(chunk))
    elif kind == "unanswerable":
        found = list(_swapped(chunk, nearest))
    else:
        found = []
    return list({each.question: each for each in reversed(found)}.values())[::-1]


def _asks(chunk: CorpusChunk) -> tuple[str, str, str]:
    return _ASK.get(guess(chunk.text), _BARE)


def _definitions(chunk: CorpusChunk) -> Iterator[Template]:
    language = guess(chunk.text)
    pattern = _DEFINES.get(language)
    if pattern is None:
        return
    for start, end in _statements(chunk.text):
        sentence = _plain(chunk.text[start:end])
        match = pattern.search(sentence)
        if match is None or _POINTS.search(sentence) or _POINTS_ZH.search(sentence):
            continue
        name = match["name"].strip()
        cost = match.groupdict().get("cost")
        ask = _COST[language] if cost else _asks(chunk)[0]
        name = _small(name) if re.match(r"(?:The|An?) ", name) else name
        yield Template(
            pattern="definition",
            question=ask.format(name),
            reference=sentence,
            place=(start, end),
        )


def _cells(chunk: CorpusChunk) -> Iterator[Template]:
    """Read tables as Markdown writes them: a line of headings, a rule, rows."""
    lines = list(_lines(chunk.text))
    for n, (_, _, line) in enumerate(lines):
        if n == 0 or not _RULE.search(line) or "|" not in line:
            continue
        columns = _row(lines[n - 1][2])
        for start, end, row in lines[n + 1 :]:
            cells = _row(row)
            if len(cells) != len(columns) or len(cells) < 2:
                break
            for column, cell in list(zip(map(_small, columns), cells, strict=True))[1:]:
                if column and cell and cells[0]:
                    yield Template(
                        pattern="table",
                        question=_asks(chunk)[2].format(cells[0], column),
                        reference=cell,
                        place=(start, end),
                    )


def _headings(chunk: CorpusChunk) -> Iterator[Template]:
    """Ask for a heading as a user types it into a search box; the chunk's beginning answers."""
    about = _plain(topic(chunk))
    if chunk.title and comparable(chunk.title) not in comparable(about):
        about = f"{_plain(chunk.title)}: {about}"
    said = [(a, b) for a, b in _statements(chunk.text) if len(chunk.text[a:b]) > len(about) + 20]
    if about and chunk.section and said:
        start, end = said[0]
        reference = _plain(chunk.text[start:end])
        yield Template(pattern="heading", question=about, reference=reference, place=(start, end))


def _identified(chunk: CorpusChunk) -> Iterator[Template]:
    for name in identifiers(chunk.text[:_LOOK]):
        at = chunk.text.find(name)
        for start, end in _statements(chunk.text):
            if start <= at < end:
                yield Template(
                    pattern="identifier",
                    question=_asks(chunk)[1].format(name),
                    reference=_plain(chunk.text[start:end]),
                    place=(start, end),
                )


def _swapped(chunk: CorpusChunk, nearest: Nearest) -> Iterator[Template]:
    """Ask for a name like one of the chunk's that stands nowhere in the corpus."""
    for name in identifiers(chunk.text[:_LOOK]):
        other = _other(name, nearest)
        if other is not None:
            yield Template(pattern="swapped", question=_asks(chunk)[1].format(other))


def _other(name: str, nearest: Nearest) -> str | None:
    digits = [match.start() for match in _DIGITS.finditer(name)]
    for step in range(1, 10):
        for at in reversed(digits):
            other = f"{name[:at]}{(int(name[at]) + step) % 10}{name[at + 1 :]}"
            if not nearest.holds(other):
                return other
    return None


def _statements(text: str) -> Sequence[tuple[int, int]]:
    """Return where whole sentences stand that are no heading and no part of a table."""
    found = []
    code = [match.span() for match in _CODE.finditer(text)]
    for start, end in spans(text):
        if any(first < end and start < last for first, last in code):
            continue
        piece = text[start:end]
        begin = start + len(piece) - len(piece.lstrip())
        stop = end - len(piece) + len(piece.rstrip())
        piece = text[begin:stop]
        if (20 <= len(piece) <= _LONGEST and not piece.startswith(("#", "|", "```"))) or (
            8 <= len(piece) <= _LONGEST and not piece.isascii()
        ):
            found.append((begin, stop))
    return found


def _lines(text: str) -> Iterator[tuple[int, int, str]]:
    at = 0
    for line in text.splitlines(keepends=True):
        yield at, at + len(line.rstrip()), line.strip()
        at += len(line)


def _row(line: str) -> list[str]:
    if "|" not in line:
        return []
    return [_plain(cell) for cell in line.strip().strip("|").split("|")]


def _small(name: str) -> str:
    """Return a name as it stands within a sentence; acronyms keep their capitals."""
    return name if name[1:2].isupper() else f"{name[:1].lower()}{name[1:]}"


def _plain(text: str) -> str:
    """Return a text without the marks of Markdown, on one line."""
    bare = _MARKUP.sub(lambda match: match[1] or "", text.lstrip("#>-*• \t"))
    return " ".join(bare.split())
