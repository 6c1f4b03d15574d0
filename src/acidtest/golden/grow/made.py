"""What all synthetic cases have alike: their source, their ids, what their metadata tells."""

from collections.abc import Sequence

from acidtest.codec.json import content_hash
from acidtest.data.golden import Turn

SOURCE = "synthetic"


def case_id(question: str, history: Sequence[Turn] = ()) -> str:
    """Return the id of a synthetic case: `syn-` and twelve hex digits of what is asked."""
    return f"syn-{content_hash([question, history]).removeprefix('sha256:')[:12]}"
