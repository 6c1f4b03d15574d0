"""All that was said of each chunk, by whom: labels files put side by side."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath

from msgspec import Struct

from acidtest.codec.rows.row import shown
from acidtest.errors import BadData
from acidtest.golden.labelling.judgement import Judgement, Which
from acidtest.golden.labelling.labels_file import Asked, Labels


class Votes(Struct, frozen=True, kw_only=True):
    """What people said.

    Attributes:
        people: Their names, in the order of the files.
        said: Case and chunk -> person -> the last word.
        decided: Case and chunk -> what was decided between them.
        places: Case and chunk -> file and line where they come first, for errors.
    """

    people: tuple[str, ...]
    said: Mapping[Which, Mapping[str, Judgement]]
    decided: Mapping[Which, Asked]
    places: Mapping[Which, str] = {}


def votes_of(files: Iterable[Labels]) -> Votes:
    """Put labels files side by side.

    Where two files have the same person in them, each file is taken for a person of its own: people
    forget to say who they are.

    Raises:
        BadData: Two files decide on one chunk differently, or ask different questions under one id.
    """
    every = list(files)
    names = _names(every)
    said: dict[Which, dict[str, Judgement]] = {}
    decided: dict[Which, Asked] = {}
    questions: dict[str, tuple[str, str]] = {}
    places: dict[Which, str] = {}
    for file in every:
        for each in file.judgements:
            _same_question(questions, each, file.places.get(each.which, file.path))
            said.setdefault(each.which, {})[names[file.path, each.annotator]] = each
        for which, asked in file.decided.items():
            if which in decided and decided[which].decision != asked.decision:
                raise BadData(
                    f"chunk {shown(which[1])} of case {shown(which[0])} is decided differently at "
                    + places.get(which, "another place"),
                    where=file.places.get(which, file.path),
                    fix="Keep one decision.",
                )
            decided[which] = asked
        for which, place in file.places.items():
            places.setdefault(which, place)
    return Votes(
        people=tuple(dict.fromkeys(names.values())), said=said, decided=decided, places=places
    )


def words(said: Mapping[str, Judgement]) -> dict[str, int | str]:
    """Return what each person said: the grade, `unsure` or `skip`."""
    return {name: each.mark if each.grade is None else each.grade for name, each in said.items()}


def grades(said: Mapping[str, Judgement]) -> dict[str, int]:
    """Return the grade of each person who gave one."""
    return {name: each.grade for name, each in said.items() if each.grade is not None}


def _same_question(questions: dict[str, tuple[str, str]], said: Judgement, path: str) -> None:
    question, there = questions.setdefault(said.case, (said.question, path))
    if question != said.question:
        raise BadData(
            f"case {shown(said.case)} asks another question here than at {there}",
            where=path,
            fix="Labels of different versions of a case cannot be put together.",
        )


def _names(files: Sequence[Labels]) -> dict[tuple[str, str], str]:
    """Return the name of each person of each file."""
    at: dict[str, list[str]] = {}
    for file in files:
        for name in dict.fromkeys(each.annotator for each in file.judgements):
            at.setdefault(name, []).append(file.path)
    return {
        (file.path, name): name
        if len(at[name]) == 1
        else f"{name} ({PurePath(file.path).name if _apart(at[name]) else file.path})"
        for file in files
        for name in dict.fromkeys(each.annotator for each in file.judgements)
    }


def _apart(paths: Sequence[str]) -> bool:
    return len({PurePath(path).name for path in paths}) == len(paths)
