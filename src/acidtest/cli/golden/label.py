"""`acidtest golden label`: a person marks what is relevant; and labels into the set."""

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from acidtest.cli.corpora import corpus_option
from acidtest.cli.options import amount, filled, json_option, target
from acidtest.cli.output import note, stdout, write_each
from acidtest.cli.targets import check_targets
from acidtest.errors import UsageError

if TYPE_CHECKING:
    from acidtest.golden.labelling.apply import Applied
    from acidtest.project.config import Config
    from acidtest.project.golden_label import Prepared, Wish

_SHOWN = 20  # chunks that are told one by one


@click.command(name="label")
@click.argument("names", nargs=-1, required=True, metavar="[LABELS]... G", type=filled)
@click.option(
    "--retriever",
    "retrievers",
    multiple=True,
    type=filled,
    metavar="P",
    help="Whose chunks: a pipeline, a run, or a file of outputs; may be given several times.",
)
@click.option(
    "--top",
    type=click.IntRange(1, 1000),
    default=20,
    show_default=True,
    metavar="N",
    help="How many of each.",
)
@click.option(
    "--annotator", type=filled, metavar="NAME", help="Who labels; by default your user name."
)
@click.option("--out", type=target, metavar="F", help="The labels file; with --apply the new set.")
@click.option(
    "--prelabel",
    type=filled,
    metavar="local|JUDGE",
    help="Let a judge look first: local by wording alone, or a language model.",
)
@click.option("--hide-prelabels", is_flag=True, help="Keep them from the person, and in the file.")
@click.option(
    "--case",
    "cases",
    multiple=True,
    type=filled,
    metavar="ID",
    help="Only this case; may be given several times.",
)
@click.option("--only-unlabelled", is_flag=True, help="Leave out cases that have labels.")
@click.option(
    "--order",
    type=click.Choice(["shuffled", "rank", "prelabel"]),
    default="shuffled",
    show_default=True,
    help="In which order chunks are shown.",
)
@click.option(
    "--seed", type=int, default=0, show_default=True, metavar="S", help="Another shuffle."
)
@click.option(
    "--apply", "applied", multiple=True, type=filled, metavar="LABELS", help="Put labels into G."
)
@click.option(
    "--rule",
    type=click.Choice(["agreed", "majority", "median"]),
    default="majority",
    show_default=True,
    help="What makes one grade of several people's.",
)
@click.option(
    "--review", type=target, metavar="F", help="With --apply: write what a person has to decide."
)
@corpus_option
@click.option(
    "--budget-usd", type=amount, metavar="X", help="Stop when pre-labels have cost this much."
)
@click.option("--store", type=filled, metavar="URL", help="Where runs and replies are kept.")
@click.option("--config", "config_path", type=filled, metavar="F", help="The configuration file.")
@json_option
def command(**given: Any) -> int:
    """Show the chunks that retrievers find for the questions of G, and let a person grade them 0 to 3.

    Each judgement is on the disk before the next chunk is shown: stop whenever you like, the same command
    goes on. Keys: 0-3, s skip, u unsure, b back, n next case, h help, q quit. Then put the labels of one
    or more people into the set: acidtest golden label --apply LABELS G --out G2. Status 1: something is
    open or contradicts the set.
    """
    *more, golden = given["names"]
    if given["applied"]:
        return _apply(golden, [*given["applied"], *more], given)
    if more:
        raise UsageError(
            f"{golden!r} is one set too many", fix="Name one golden set, and labels with --apply."
        )
    if not given["retrievers"]:
        raise UsageError(
            "nobody says which chunks to label",
            where="--retriever",
            fix="Name a pipeline, a run or a file of outputs; or labels with --apply.",
        )
    for name in ("review", "json_to"):
        if given[name]:
            raise UsageError(
                "this goes with --apply", where=f"--{name.removesuffix('_to')}", fix="Leave it out."
            )
    return _session(golden, given)


def _apply(golden: str, files: list[str], given: dict[str, Any]) -> int:
    from acidtest.golden.edit.canonical import canonical_lines, refuse_recorded
    from acidtest.golden.labelling.labels_file import asked_rows
    from acidtest.golden.load import load_golden
    from acidtest.project.golden_label import apply_json, apply_labels

    out, review, json_to = given["out"], given["review"], given["json_to"]
    if not out:
        raise UsageError("the labelled set goes nowhere", fix="Name it with --out.")
    inputs = [("the golden set", golden), *(("the labels", file) for file in files)]
    check_targets({"--out": out, "--review": review, "--json": json_to}, inputs)
    read = load_golden(golden)
    refuse_recorded(read)
    found = apply_labels(read, files, rule=given["rule"])
    errors = write_each(
        [
            (review, "review", lambda: asked_rows(found.open)),
            (out, "golden set", lambda: canonical_lines(found.golden)),
            (json_to, "JSON", lambda: apply_json(found, out, given["rule"])),
        ]
    )
    if errors:
        raise errors[0]
    if "-" not in (out, review, json_to):
        _told(found)
    if found.open and not review:
        note("Somebody has to decide: --review FILE writes what is open.")
    return found.exit_status


def _told(found: "Applied") -> None:
    from acidtest.report.figures import count
    from acidtest.report.paper import Paper

    paper = Paper(stdout())
    cases = len({each.case for each in found.labels})
    new = sum(each.before is None for each in found.labels)
    other = sum(each.before not in (None, each.grade) for each in found.labels)
    paper.line(
        f"{count(len(found.labels), 'label')} in {count(cases, 'case')}: {new} new, {other} with "
        f"another grade; {len(found.open)} open, {len(found.refused)} refused"
    )
    for each in found.open[:_SHOWN]:
        said = ", ".join(f"{name} {word}" for name, word in each.grades.items())
        paper.lead("?", f"{each.case}: {each.chunk}: {said}", indent=0)
    for no in found.refused[:_SHOWN]:
        paper.lead("!", f"{no.case}: {no.chunk}: {no.why}", indent=0)


def _session(golden: str, given: dict[str, Any]) -> int:
    from acidtest.cli.golden.label_keys import from_lines, from_terminal
    from acidtest.cli.golden.label_loop import label
    from acidtest.cli.golden.label_screen import Screen
    from acidtest.cli.signals import interruptible
    from acidtest.cli.streams import results, set_apart
    from acidtest.golden.labelling.journal import LabelJournal
    from acidtest.golden.labelling.labels_file import last_words
    from acidtest.golden.labelling.session import begin, open_chunks, shown
    from acidtest.project.config import load_config
    from acidtest.project.golden_label import Wish, labels_path
    from acidtest.project.golden_promote import who_and_when

    set_apart()
    config = load_config(Path(given["config_path"]) if given["config_path"] else None)
    annotator, _ = who_and_when(given["annotator"])
    out = given["out"] or labels_path(golden, annotator)
    if out == "-" or (Path(out).exists() and not Path(out).is_file()):
        raise UsageError("labels are kept in a file", where=f"--out {out}", fix="Name a file.")
    files = [("an outputs file", name) for name in given["retrievers"] if Path(name).is_file()]
    check_targets({"--out": out}, [("the golden set", golden), *files])
    wish = Wish(
        annotator=annotator,
        top=given["top"],
        order=given["order"],
        seed=given["seed"],
        cases=given["cases"],
        only_unlabelled=given["only_unlabelled"],
    )
    Path(out).parent.mkdir(parents=True, exist_ok=True)
    with LabelJournal(out) as journal:
        prepared = interruptible(_prepare(golden, config, wish, given))
        for told in prepared.notes:
            note(told)
        mine = [said for said in journal.before.judgements if said.annotator == annotator]
        start = begin(prepared.tasks, annotator, last_words(mine), hidden=given["hide_prelabels"])
        console = stdout()
        raw = sys.stdin.isatty() and results().isatty() and not console.is_dumb_terminal
        screen = Screen(console, whole=not raw)
        with from_terminal() if raw else nullcontext(from_lines()) as read:
            end = label(start, journal, read, screen)
    now, left = open_chunks(start) - open_chunks(end), open_chunks(end)
    if shown(start) is None:
        note("Everything is judged already.")
    note(f"{now} judged now, {left} open. Kept in {out}")
    note(f"Put them into the set with: acidtest golden label --apply {out} {golden} --out NEW")
    return 0


async def _prepare(
    golden: str, config: "Config", wish: "Wish", given: dict[str, Any]
) -> "Prepared":
    from contextlib import AsyncExitStack

    from acidtest.cli.corpora import corpus_or_none
    from acidtest.golden.load import load_golden
    from acidtest.project.golden_label import prepare_labelling, wanted
    from acidtest.project.golden_retrievers import retrievers_of
    from acidtest.project.judging import cached, judge_named
    from acidtest.project.means import means_of
    from acidtest.project.stores import open_store
    from acidtest.store.journal import StoredJournal

    read = load_golden(golden)
    cases = wanted(read, wish)
    retrievers = retrievers_of(
        config, given["retrievers"], read, top=wish.top, store=given["store"]
    )
    corpus = corpus_or_none(given["corpus"])
    async with AsyncExitStack() as stack:
        judge = None
        if given["prelabel"] not in (None, "local"):
            means = means_of(config.judge, budget_usd=given["budget_usd"])
            stack.push_async_callback(means.aclose)
            judging = judge_named(config.judge, given["prelabel"], means=means)
            for warning in await judging.check():
                note(warning)
            judge = judging.judge
            if judging.kept:
                store = stack.enter_context(open_store(config, given["store"]))
                journal = await stack.enter_async_context(StoredJournal(store))
                judge = cached(judge, journal, repeat=0, salt="")
        return await prepare_labelling(
            cases,
            retrievers,
            wish,
            corpus=corpus,
            prelabel=given["prelabel"] is not None,
            judge=judge,
        )
