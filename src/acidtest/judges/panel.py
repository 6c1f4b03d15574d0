"""A panel: several judges answer the same prompt, and one verdict comes of it.

Words are voted on and numbers averaged (see `merge`). A judge that cannot judge such a prompt stays out
of it. Of the others, one that fails or replies with something invalid has no vote, and more than half
must have one. What would stop a run of any judge alone stops the panel too.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from acidtest.codec.json import content_hash
from acidtest.data.outcomes import Skip
from acidtest.errors import BadConfig, JudgeError
from acidtest.judges.compound import Compound
from acidtest.judges.merge import merge
from acidtest.judges.spending import spent_on
from acidtest.ports import Judge, Prompt, Reply, Spent, Verdict


class Panel(Compound):
    """A judge of several judges.

    Args:
        judges: At least two; the first has the casting vote in a tie.

    Raises:
        BadConfig: Fewer than two judges.
    """

    def __init__(self, judges: Sequence[Judge]) -> None:
        if len(judges) < 2:
            raise BadConfig(
                f"a panel needs at least two judges, and has {len(judges)}",
                fix="Name more judges, or use the one without a panel.",
            )
        self._judges = tuple(judges)

    @property
    def model(self) -> str:
        """All models."""
        return " + ".join(judge.model for judge in self._judges)

    @property
    def fingerprint(self) -> str:
        """A hash of all fingerprints, in order."""
        return content_hash({"panel": [judge.fingerprint for judge in self._judges]})

    @property
    def judges(self) -> tuple[Judge, ...]:
        """Who is asked."""
        return self._judges

    @property
    def parts(self) -> tuple[Judge, ...]:
        """Who is asked."""
        return self._judges

    def of(self, parts: Sequence[Judge]) -> "Panel":
        """Return a panel of others."""
        return Panel(parts)

    async def ask(self, prompt: Prompt[Reply], **fields: Any) -> Verdict[Reply] | Skip:
        """Ask all judges at once and merge what they say.

        Returns:
            The merged verdict, with `agreement`, and every judge's raw reply in `raw` as a JSON list;
            or a `Skip` when no judge can judge this.

        Raises:
            JudgeError: Not more than half of those that can judge this gave a verdict, `detail` says
                why not; or an error that ends the run.
        """
        heard = await asyncio.gather(
            *(self._ask(judge, prompt, fields) for judge in self._judges), return_exceptions=True
        )
        broken = [
            e
            for e in heard
            if isinstance(e, BaseException) and (not isinstance(e, JudgeError) or e.ends_run)
        ]
        if broken:
            raise broken[0]
        verdicts = [each for each in heard if isinstance(each, Verdict)]
        skips = [each for each in heard if isinstance(each, Skip)]
        errors = [each for each in heard if isinstance(each, JudgeError)]
        able = len(self._judges) - len(skips)
        if not able:
            return skips[0]
        spent = sum((spent_on(each) for each in verdicts), Spent())
        spent = sum((error.spent or Spent() for error in errors), spent)
        if len(verdicts) * 2 <= able:
            raise _hung(len(verdicts), able, self.model, errors, spent)
        reply, agreement = merge([each.reply for each in verdicts], abstain=prompt.abstain)
        raws = [{"model": each.model, "raw": each.raw} for each in verdicts]
        return Verdict(
            reply=reply,
            raw=msgspec.json.encode(raws).decode(),
            model=" + ".join(each.model for each in verdicts),
            repaired=any(each.repaired for each in verdicts),
            cached=all(each.cached for each in verdicts),
            seconds=max(each.seconds for each in verdicts),
            dropped=tuple(dict.fromkeys(name for each in verdicts for name in each.dropped)),
            agreement=agreement,
            **msgspec.structs.asdict(spent),
        )

    async def _ask(
        self, judge: Judge, prompt: Prompt[Reply], fields: Mapping[str, Any]
    ) -> Verdict[Reply] | Skip:
        verdict = await judge.ask(prompt, **fields)
        if isinstance(verdict, Skip) or prompt.check is None:
            return verdict
        complaint = prompt.check(verdict.reply, fields)
        if complaint is not None:
            error = JudgeError(
                f"the reply to {prompt.name!r} is not valid: {complaint}",
                where=f"judge {judge.model}",
                detail=verdict.raw,
            )
            error.spent = spent_on(verdict)
            raise error
        return verdict


def _hung(
    gave: int,
    asked: int,
    model: str,
    errors: Sequence[JudgeError],
    spent: Spent,
) -> JudgeError:
    why = [str(each) for each in errors]
    error = JudgeError(
        f"{gave} of {asked} judges gave a verdict, and more than half are needed: {why[0]}",
        where=f"judge {model}",
        detail="\n\n".join([*why, *(each.detail for each in errors if each.detail)]),
    )
    error.spent = spent
    return error
