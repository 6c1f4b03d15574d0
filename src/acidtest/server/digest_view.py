"""The digest as its page shows it: everything that was asked is one clean line, and bounded."""

from msgspec import Struct

from acidtest.data.digest import Digest, Group
from acidtest.online.digest_words import counted, named, promotion, shown
from acidtest.report.alert_words import called
from acidtest.report.clean import clip, one_line
from acidtest.report.figures import count

_SAID = 240
_NAME = 120


class GroupView(Struct, frozen=True, kw_only=True):
    """Traces that are alike: their words, how many, what was wrong, and those that can become golden cases."""

    words: str
    told: str
    why: tuple[tuple[str, int], ...]
    asked: tuple[tuple[str, str], ...]
    command: str


class DigestView(Struct, frozen=True, kw_only=True):
    """A digest; `moved` has a quantity with what it was before and is now."""

    traces: int
    counted: str
    unlike: int
    failed: int
    lacking: tuple[GroupView, ...]
    failing: tuple[GroupView, ...]
    forms: tuple[tuple[str, str, str], ...]
    moved: tuple[tuple[str, str, str], ...]


def digest_view(found: Digest, *, into: str) -> DigestView:
    """Return what is shown of a digest.

    Args:
        found: The digest.
        into: The golden set that commands put traces into.
    """
    return DigestView(
        traces=found.traces,
        counted=counted(found),
        unlike=found.unlike,
        failed=found.failed,
        lacking=tuple(_group(group, into) for group in found.lacking),
        failing=tuple(
            _group(each.group, into, tuple((called(why), n) for why, n in each.why.items()))
            for each in found.failing
        ),
        forms=tuple((f.form, f"{f.asked:.0%}", f"{f.golden:.0%}") for f in found.forms),
        moved=tuple(
            (named(m), shown(m, m.before), shown(m, m.after)) for m in found.moved if m.clear
        ),
    )


def _group(group: Group, into: str, why: tuple[tuple[str, int], ...] = ()) -> GroupView:
    return GroupView(
        words=_short(", ".join(group.words)),
        told=f"{count(group.n, 'trace')} in {count(group.sessions, 'conversation')}",
        why=why,
        asked=tuple(
            (trace, clip(one_line(question), _SAID) or "(it tells no question)")
            for trace, question in zip(group.traces, group.questions, strict=True)
        ),
        command=one_line(promotion(group, into)),
    )


def _short(text: str) -> str:
    return clip(one_line(text[: _NAME * 4]), _NAME)
