"""Why no verdict came of a reply: each kind with what it took and every raw reply."""

from acidtest.errors import JudgeError


class InvalidReply(JudgeError):  # noqa: N818 - says what is wrong
    """The reply was not what was asked for, also after asking again; `detail` has the replies."""


class Truncated(JudgeError):  # noqa: N818
    """The reply was cut at the token limit, also with more room."""


class Refused(JudgeError):  # noqa: N818
    """The model would not judge this."""


class Filtered(JudgeError):  # noqa: N818
    """The provider's content filter cut the reply or the prompt."""


class TooLong(JudgeError):  # noqa: N818
    """The prompt is longer than may be sent; nothing is cut silently."""
