"""A request that is refused: the status, what is said, and whether the same is worth another try."""

INVALID_ARGUMENT, DEADLINE, RESOURCES, INTERNAL, UNAVAILABLE = 3, 4, 8, 13, 14
"""Of `google.rpc.Code`."""


class Refused(Exception):  # noqa: N818 - not an error of ours
    """Why a request was not taken.

    Args:
        status: HTTP's.
        code: `google.rpc.Code`'s.
        message: One sentence for whoever sent it.
        retry_s: After how many seconds to try the same again; None for never.
    """

    def __init__(self, status: int, code: int, message: str, retry_s: int | None = None) -> None:
        self.status = status
        self.code = code
        self.message = message
        self.retry_s = retry_s
        super().__init__(status, message)


def busy() -> Refused:
    """Return the refusal of a server that has no room left."""
    return Refused(503, UNAVAILABLE, "more is coming in than can be stored; try again", 1)
