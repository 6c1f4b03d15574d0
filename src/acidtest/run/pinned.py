"""Which model really judged: the judge's fingerprint with the names that providers report.

A name such as `gpt-5-mini` stands for whatever the provider puts behind it. What it was is known from the
replies only, so the fingerprint of a run is complete when its judge has spoken.
"""

import re
from collections.abc import Iterable

from msgspec.structs import replace

from acidtest.codec.json import content_hash
from acidtest.data.runs import JudgeRef

_NAMES = re.compile(r" [+>] ")
"""What stands between the names of a panel's or a cascade's judges."""


_PATH = re.compile(r"(?:/|[A-Za-z]:[\\/]|\.\.?[\\/]).*[\\/]|.*[\\/](?=[^\\/]*\.gguf$)")
"""The folders of a file of weights, by which some servers of one's own call their model."""


def reported_name(model: str) -> str:
    """Return a model's name as it was reported, without the folders of the machine that it is on.

    `org/model` is a name and stays whole.
    """
    return _PATH.sub("", model, count=1) or model


def pinned(judge: JudgeRef, reported: Iterable[str]) -> JudgeRef:
    """Return a judge whose fingerprint holds the models that judged; the same where no name is new.

    Args:
        judge: As the plan named it, or as it is pinned already.
        reported: The models by the names that verdicts bear.
    """
    # The fingerprint of an inference model is that of its files: the folder's name says nothing more.
    models = tuple(sorted({name for name in reported if not name.startswith("nli:")}))
    if judge.reported or set(models) <= set(_NAMES.split(judge.model)):
        return judge
    return replace(
        judge, reported=models, fingerprint=content_hash([judge.fingerprint, list(models)])
    )
