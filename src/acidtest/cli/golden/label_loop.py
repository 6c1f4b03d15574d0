"""The labelling session of the command line: a key, a word on the disk, the next chunk."""

from acidtest.cli.golden.label_keys import KEYS, ReadKey
from acidtest.cli.golden.label_screen import Screen
from acidtest.golden.labelling.journal import LabelJournal
from acidtest.golden.labelling.judgement import Judgement, Mark
from acidtest.golden.labelling.session import (
    Session,
    back,
    judged,
    judgement,
    next_case,
    shown,
)

_MARKS: dict[str, Mark] = {"s": "skip", "u": "unsure"}


def label(session: Session, journal: LabelJournal, read: ReadKey, screen: Screen) -> Session:
    """Let a person judge chunk after chunk, until they quit or all is judged.

    Args:
        session: Where to begin.
        journal: Where each judgement goes before the next chunk is shown.
        read: The keys.
        screen: What shows.

    Returns:
        Where they left.

    Raises:
        KeyboardInterrupt: They pressed Ctrl-C; all that was judged is kept.
    """
    page, word = 0, ""
    while shown(session) is not None:
        pages = screen.show(session, page, word)
        word = ""
        try:
            key = read()
        except EOFError:
            break
        if key == "q":
            break
        if key in ("m", "k"):
            page = min(page + 1, pages - 1) if key == "m" else max(page - 1, 0)
            continue
        if key == "h":
            screen.help()
            if not screen.whole:
                try:
                    read()
                except EOFError:
                    break
            continue
        after = _after(session, key, journal)
        if after is None:
            word = f"{key!r} is no key here; h shows the keys" if key not in KEYS else ""
            continue
        session, page = after, 0
    return session


def _after(session: Session, key: str, journal: LabelJournal) -> Session | None:
    """Return the session after a key; None when the key does nothing."""
    if key == "b":
        return back(session)
    if key == "n":
        return next_case(session)
    said: Judgement
    if key in ("0", "1", "2", "3"):
        said = judgement(session, "grade", int(key))
    elif key in _MARKS:
        said = judgement(session, _MARKS[key])
    else:
        return None
    journal.add(said)
    return judged(session, said)
