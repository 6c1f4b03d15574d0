"""Evidence that the corpus no longer holds as it was: the case may ask for what is no longer true."""

from collections.abc import Iterator

from acidtest.golden.lint.rule import Hit, Rule, Subject
from acidtest.golden.stale import staleness


def _check(subject: Subject) -> Iterator[Hit]:
    if subject.corpus is None or not len(subject.corpus):
        return
    found = staleness(subject.golden, subject.corpus)
    told: dict[str, list[str]] = {}
    for each in found.evidence:
        if each.state != "still_good":
            told.setdefault(each.case, []).append(f"{each.state}: {each.why}")
    for name, reasons in told.items():
        more = f" (and {len(reasons) - 1} pieces more)" if len(reasons) > 1 else ""
        yield Hit(message=f"{reasons[0]}{more}", cases=(name,))


RULE = Rule(
    name="stale-evidence",
    severity="warning",
    about="evidence whose source changed, moved, was renamed or vanished",
    fix="Look at it beside today's text: acidtest golden stale --rebuild FILE.",
    check=_check,
    needs="corpus",
)
