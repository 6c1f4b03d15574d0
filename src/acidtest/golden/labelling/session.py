"""Going through chunks, one at a time: where a person is, and what was said so far.

Nothing here knows of a terminal or a page. A session is a value; each step gives the next one.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import replace

from acidtest.golden.labelling.judgement import Judgement, Mark, Which
from acidtest.golden.labelling.pool import Item, Task


class Session(Struct, frozen=True, kw_only=True):
    """Where a person is.

    Attributes:
        tasks: All cases, with the chunks to judge for them.
        annotator: The person.
        said: Case and chunk -> the person's last word on it.
        task: The number of the case that is shown, from 0; behind the last one when all is done.
        item: The number of the chunk that is shown.
        hidden: Whether what a judge says is kept from the person.
    """

    tasks: tuple[Task, ...]
    annotator: str
    said: Mapping[Which, Judgement] = {}
    task: int = 0
    item: int = 0
    hidden: bool = False


def begin(
    tasks: Sequence[Task],
    annotator: str,
    said: Mapping[Which, Judgement],
    *,
    hidden: bool = False,
) -> Session:
    """Return a session at the first chunk that this person said nothing of yet."""
    kept = tuple(task for task in tasks if task.items)
    start = Session(tasks=kept, annotator=annotator, said=dict(said), hidden=hidden)
    return _forward(start, 0, 0)


def shown(session: Session) -> tuple[Task, Item] | None:
    """Return the case and the chunk that are shown; None when all is done."""
    if session.task >= len(session.tasks):
        return None
    task = session.tasks[session.task]
    return task, task.items[session.item]


def judgement(
    session: Session, mark: Mark, grade: int | None = None, *, at: str | None = None
) -> Judgement:
    """Return what the person says of the chunk that is shown.

    Args:
        session: The session; something is shown.
        mark: `grade`, `skip` or `unsure`.
        grade: 0 to 3, for `grade`.
        at: When; by default now.
    """
    now = shown(session)
    if now is None:
        raise IndexError("nothing is shown")
    task, item = now
    return Judgement(
        case=task.case.id,
        chunk=item.chunk,
        annotator=session.annotator,
        at=at or datetime.now(UTC).isoformat(timespec="seconds"),
        mark=mark,
        grade=grade,
        question=task.case.question,
        text=item.text,
        doc_id=item.doc_id,
        doc_version=item.doc_version,
        found_by=item.found_by,
        place=session.item + 1,
        prelabel=item.prelabel,
        prelabel_shown=item.prelabel is not None and not session.hidden,
    )


def judged(session: Session, said: Judgement) -> Session:
    """Return the session after a judgement: at the next chunk that is open."""
    after = replace(session, said={**session.said, said.which: said})
    return _forward(after, session.task, session.item + 1)


def back(session: Session) -> Session:
    """Return the session at the chunk before, also one that was judged; at the first one it stays."""
    task, item = session.task, session.item - 1
    if item < 0:
        task -= 1
        if task < 0:
            return session
        item = len(session.tasks[task].items) - 1
    return replace(session, task=task, item=item)


def next_case(session: Session) -> Session:
    """Return the session at the next case that has an open chunk; what is left out stays open."""
    return _forward(session, session.task + 1, 0)


def open_chunks(session: Session) -> int:
    """Return how many chunks nothing was said of."""
    return sum(
        (task.case.id, item.chunk) not in session.said
        for task in session.tasks
        for item in task.items
    )


def _forward(session: Session, task: int, item: int) -> Session:
    while task < len(session.tasks):
        here = session.tasks[task]
        for number in range(item, len(here.items)):
            if (here.case.id, here.items[number].chunk) not in session.said:
                return replace(session, task=task, item=number)
        task, item = task + 1, 0
    return replace(session, task=len(session.tasks), item=0)
