"""Several runs in one JSON document, as a command over several pipelines prints them."""

from collections.abc import Sequence

import msgspec

from acidtest.data.runs import Run

FORMAT = "acidtest/runs"


def runs_json(runs: Sequence[Run]) -> bytes:
    """Return `{"format": "acidtest/runs", "runs": [...]}`, each run as it saves itself."""
    document = {"format": FORMAT, "runs": [msgspec.Raw(run.to_json()) for run in runs]}
    return msgspec.json.format(msgspec.json.encode(document), indent=1)
