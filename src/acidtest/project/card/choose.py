"""Which judge a card is of, and which evidence belongs on it: never of two judges, never of two prompts."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from msgspec import Struct

from acidtest.data.judge_card import LeftOut
from acidtest.data.runs import JudgeRef, Run
from acidtest.errors import UnknownName, UsageError
from acidtest.judges.local.judge import LocalJudge
from acidtest.project.anchoring.watch import Status
from acidtest.project.card.calibrated import Calibrated
from acidtest.project.card.evidence import Body, Piece
from acidtest.project.probing.bias.probe import Bias
from acidtest.project.probing.injection import Injection
from acidtest.project.probing.known import Check

T = TypeVar("T", bound=Body)


class Chosen(Struct, frozen=True, kw_only=True):
    """The evidence of one judge, the best of each kind.

    Attributes:
        pieces: All that the card rests on.
        calibrations: The one with the most labels by metric.
        biases: The one with the most items by metric.
        versions: The method and prompt of each metric that the newest evidence is of.
        attacks: The one with the most attacks.
        check: The newest.
        watch: The newest.
        run: The newest.
        left_out: What is not on the card, and why.
    """

    pieces: tuple[Piece, ...]
    calibrations: dict[str, tuple[Piece, Calibrated]]
    biases: dict[str, tuple[Piece, Bias]]
    versions: dict[str, str]
    attacks: tuple[Piece, Injection] | None
    check: tuple[Piece, Check] | None
    watch: tuple[Piece, Status] | None
    run: tuple[Piece, Run] | None
    left_out: tuple[LeftOut, ...]


def subject(pieces: Sequence[Piece], wanted: str | None) -> JudgeRef:
    """Return the judge that a card is of: of those that fit, the one of the newest evidence.

    Args:
        pieces: The evidence.
        wanted: A model as it is named or reported, or the beginning of a fingerprint. None: the judge of
            the run, else the only one that there is.

    Raises:
        UsageError: There is none, or it is not said which of several.
        UnknownName: None of this name.
    """
    every = [judge for piece in pieces for judge in piece.judges]
    fitting = [j for j in every if wanted is None or named(j, wanted)]
    local = LocalJudge()
    if not fitting and wanted == local.model:
        return JudgeRef(model=local.model, fingerprint=local.fingerprint)
    if every and not fitting:
        raise UnknownName(
            "judge", wanted or "", {*(each.model for each in every), local.model}, where="--judge"
        )
    if not fitting:
        raise UsageError(
            "nothing that was measured of a judge is there",
            fix="Name a judged run or a file that judge calibrate, judge probe or judge check wrote with "
            "--json; `--judge local` has its published figures.",
        )
    # The anchor goes on with whatever the provider has: it says that a judge is gone, not which is meant.
    for kinds in ((Run,), (Calibrated, Bias, Injection, Check), (Status,)):
        dated = [
            (piece.created, judge)
            for piece in pieces
            if isinstance(piece.body, kinds)
            for judge in piece.judges[: None if kinds == (Status,) else 1]
            if judge in fitting
        ]
        models = list(dict.fromkeys(judge.model for _, judge in dated))
        if len(models) > 1 and wanted is None:
            raise UsageError(
                f"the evidence is of {len(models)} judges: {', '.join(models)}",
                fix="Say which one: --judge MODEL",
            )
        if dated:
            return max(dated, key=lambda each: each[0])[1]
    return fitting[0]


def choose(pieces: Sequence[Piece], judge: JudgeRef) -> Chosen:
    """Return the evidence of a judge."""
    left: list[LeftOut] = []
    own = [piece for piece in pieces if _is_of(piece, judge, left)]
    versions: dict[str, str] = {}
    for piece in sorted(own, key=lambda each: each.created):
        versions |= piece.versions
    calibrations: dict[str, tuple[Piece, Calibrated]] = {}
    biases: dict[str, tuple[Piece, Bias]] = {}
    for piece in own:
        body = piece.body
        if isinstance(body, Calibrated):
            if _fits(piece, body.metric, versions, left):
                had = calibrations.get(body.metric)
                if had is None or _size(had) < (body.n, piece.created):
                    calibrations[body.metric] = piece, body
        elif isinstance(body, Bias):
            for metric in _metrics(body):
                fits = _fits(piece, metric, versions, left)
                rival = biases.get(metric)
                if fits and (rival is None or _items(rival) < (body.items, piece.created)):
                    biases[metric] = piece, body
    attacks = _best(own, Injection, lambda piece, body: (len(body.tried), piece.created))
    check = _best(own, Check, lambda piece, _: (piece.created,))
    watch = _best(own, Status, lambda piece, _: (piece.created,))
    run = _best(own, Run, lambda piece, _: (piece.created,))
    single = [each[0] for each in (attacks, check, watch, run) if each is not None]
    used = {id(piece) for piece in single}
    used |= {id(piece) for piece, _ in (*calibrations.values(), *biases.values())}
    told = {each.name for each in left}
    left += [
        LeftOut(name=p.name, kind=p.kind, why="there is a newer one, or one of more cases")
        for p in own
        if id(p) not in used and p.name not in told
    ]
    return Chosen(
        pieces=tuple(piece for piece in own if id(piece) in used),
        calibrations=calibrations,
        biases=biases,
        versions=versions,
        attacks=attacks,
        check=check,
        watch=watch,
        run=run,
        left_out=tuple(left),
    )


def named(judge: JudgeRef, wanted: str) -> bool:
    """Tell whether a judge is the one that somebody names; see `subject`."""
    _, _, model = wanted.partition(":")
    return (
        wanted == judge.model
        or (model != "" and model == judge.model)
        or wanted in judge.reported
        or (len(wanted) >= 12 and judge.fingerprint.startswith(wanted))  # sha256: and five digits
    )


def _is_of(piece: Piece, judge: JudgeRef, left: list[LeftOut]) -> bool:
    if any(each.fingerprint == judge.fingerprint for each in piece.judges):
        return True
    why = "no judge was asked for it"
    if piece.judges:
        other = piece.judges[0]
        why = f"it is of another judge, {other.model}"
        if other.model == judge.model:
            models = f" ({', '.join(other.reported)})" if other.reported else ""
            why = (
                f"it is of {other.model}{models} with another fingerprint, {other.fingerprint[:19]}: "
                "another model behind the name, or other parameters"
            )
    left.append(LeftOut(name=piece.name, kind=piece.kind, why=why))
    return False


def _fits(piece: Piece, metric: str, versions: dict[str, str], left: list[LeftOut]) -> bool:
    version = piece.versions.get(metric)
    if version is None or version == versions[metric]:
        return True
    left.append(
        LeftOut(
            name=piece.name,
            kind=piece.kind,
            why=f"it is of {metric} with another method or prompt, {version}; newer evidence has "
            f"{versions[metric]}",
        )
    )
    return False


def _metrics(found: Bias) -> Iterable[str]:
    named = [row.metric for row in found.changes]
    named += [row.metric for row in found.leniency]
    named += [row.metric for row in found.repeatability]
    return dict.fromkeys([*named, *found.unjudged])


def _size(had: tuple[Piece, Calibrated]) -> tuple[int, str]:
    return had[1].n, had[0].created


def _items(had: tuple[Piece, Bias]) -> tuple[int, str]:
    return had[1].items, had[0].created


def _best(
    own: Sequence[Piece], kind: type[T], key: Callable[[Piece, T], tuple[object, ...]]
) -> tuple[Piece, T] | None:
    found = [(piece, piece.body) for piece in own if isinstance(piece.body, kind)]
    return max(found, key=lambda each: key(*each), default=None)
