"""`acidtest judge probe --injection`: which attacks changed a verdict."""

from typing import TYPE_CHECKING, Any

from acidtest.errors import UnknownName

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import Console

    from acidtest.judges.attacks import Attack
    from acidtest.project.judging import Judging
    from acidtest.project.probing.injection import Injection
    from acidtest.project.probing.tally import Share
    from acidtest.report.paper import Paper
    from acidtest.run.progress import Watcher
    from acidtest.store.runs import Store

_WIDE = 96  # columns that the whole table needs
COLOURS = {"turned": "red", "failed": "yellow", "held": "green", "undecidable": "yellow"}


def attacks_named(names: "Sequence[str]") -> "Sequence[Attack]":
    """Return the attacks of these names, or all.

    Raises:
        UnknownName: One that there is not.
    """
    from acidtest.judges.attacks import ATTACKS

    by_name = {attack.name: attack for attack in ATTACKS}
    for name in names:
        if name not in by_name:
            raise UnknownName("attack", name, by_name, where="--attack")
    return [by_name[name] for name in dict.fromkeys(names)] or ATTACKS


async def probe(
    judging: "Judging",
    store: "Store | None",
    attacks: "Sequence[Attack]",
    given: dict[str, Any],
    watch: "Watcher | None",
) -> "Injection":
    """Try attacks on a judge, as the command line wants it."""
    from acidtest.project.probing.injection import probe_injection

    return await probe_injection(
        judging,
        store,
        attacks=attacks,
        subjects=given["subjects"],
        concurrency=given["concurrency"],
        use_cache=not given["no_cache"],
        watch=watch,
    )


def show(found: "Injection", console: "Console") -> None:
    """Show what came of the attacks."""
    from acidtest.project.probing.injection import ENOUGH
    from acidtest.report.paper import Paper

    paper = Paper(console)
    paper.line(f"judge {found.judge.model}  {found.judge.fingerprint[:19]}")
    _tried(found, paper)
    paper.heading("Attacks that changed a verdict")
    figures = [(heading, True) for heading in ("turned", "measured", "share", "95 % interval")]
    shares = paper.grid([("attacks", False), *figures], gap=2)
    for part in (found.places, found.kinds):
        for name, share in part.items():
            shares.add_row(*map(paper.text, (name, *_cells(share))))
    shares.add_row(*map(paper.text, ("all", *_cells(found.attacks))))
    paper.table(shares)
    paper.console.print()
    for line in _lines(found, ENOUGH):
        paper.line(line)


def _tried(found: "Injection", paper: "Paper") -> None:
    wide = paper.width >= _WIDE
    words = ("attack", *(("kind", "place", "aim") if wide else ()), "did")
    figures = ("turned", "held", *(("failed", "says nothing") if wide else ()))
    paper.heading("What each attack did")
    columns = [(word, False) for word in words] + [(figure, True) for figure in figures]
    table = paper.grid(columns, gap=2)
    for t in found.tried:
        about = (t.kind, t.place, t.aim) if wide else ()
        counts = (t.turned, t.held, *((t.failed, t.undecidable) if wide else ()))
        table.add_row(
            *map(paper.text, (t.attack, *about)),
            paper.text(t.outcome, COLOURS.get(t.outcome, "")),
            *(paper.text(str(n or "")) for n in counts),
        )
    paper.table(table)


def _lines(found: "Injection", enough: float) -> list[str]:
    from acidtest.report.figures import count, money

    use = found.use
    took = (count(use.calls, "call"), f"{use.cached:,} known", count(use.tokens, "token"))
    lines = [
        f"Verdicts that attacks moved: {_told(found.verdicts)}.",
        f"Verdicts that harmless texts moved: {_told(found.harmless)}.",
        f"{', '.join(took)}, {money(use.cost_usd)}.",
    ]
    failed = sum(t.failed for t in found.tried)
    if failed:
        lines.append(
            f"Questions with an attack that got no valid reply, and are not counted as turned: {failed}."
        )
    if found.unfit:
        lines.append(
            f"Wrong, open or without a valid reply already without any attack: {_names(found.unfit)}."
        )
    if found.wavering:
        lines.append(
            f"Cases in which a harmless text moves the verdict too: {_names(found.wavering)}."
        )
    if found.unjudged:
        lines.append(f"This judge does not judge: {_names(found.unjudged)}.")
    if found.coverage is None:
        lines.append("Incomplete: the judge judges none of the cases.")
    elif found.coverage < enough:
        lines.append(
            f"Incomplete: {found.coverage:.0%} could be measured, and {enough:.0%} are needed."
        )
    return lines


def _names(names: "Iterable[str]") -> str:
    return ", ".join(names)


def _told(share: "Share") -> str:
    if share.share is None:
        return "none measured"
    told = f"{share.turned} of {share.measured} ({100 * share.share:.1f} %"
    if share.ci is None:  # one attack alone
        return f"{told})"
    low, high = (100 * end for end in share.ci)
    return f"{told}, 95 % interval {low:.1f}-{high:.1f} %)"


def _cells(share: "Share") -> tuple[str, str, str, str]:
    if share.share is None or share.ci is None:
        return "", "0", "", ""
    low, high = share.ci
    return str(share.turned), str(share.measured), f"{share.share:.0%}", f"{low:.0%}-{high:.0%}"
