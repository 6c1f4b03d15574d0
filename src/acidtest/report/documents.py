"""Several runs in one JSON document, as a command over several pipelines prints them."""

from collections.abc import Sequence

import msgspec

from acidtest.codec.lossy import encoded
from acidtest.data.runs import RUNS_FORMAT, Run


def runs_json(runs: Sequence[Run]) -> bytes:
    """Return `{"format": "acidtest/runs", "runs": [...]}`, each run as it saves itself."""
    document = {"format": RUNS_FORMAT, "runs": [msgspec.Raw(run.to_json()) for run in runs]}
    return msgspec.json.format(encoded(document), indent=1)
