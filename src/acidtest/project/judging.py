"""Judge names to judges."""

from acidtest.errors import UnknownName
from acidtest.ports import Judge

LOCAL = "local"


def judge_named(model: str) -> Judge:
    """Return the judge of a name.

    Raises:
        UnknownName: No judge of this name is in this version.
    """
    if model == LOCAL:
        from acidtest.judges.local.judge import LocalJudge

        return LocalJudge()
    raise UnknownName("judge", model, [LOCAL])
