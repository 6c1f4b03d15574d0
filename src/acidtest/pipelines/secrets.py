"""Secrets from the environment: `$NAME` and `${NAME}` in a header or an address.

The configuration file holds the name, never the value; messages and fingerprints show the name.
`$$` is a plain dollar sign.
"""

import re
from collections.abc import Mapping

from acidtest.errors import BadConfig

_VARIABLE = re.compile(r"\$(?:(\$)|(\w+)|\{(\w+)\})")


def filled(text: str, environ: Mapping[str, str], *, where: str, used: set[str]) -> str:
    """Put the variables' values in.

    Args:
        text: With `$NAME` or `${NAME}`.
        environ: The environment.
        where: The setting, for messages.
        used: Gets the values that were put in, so that they can be hidden.

    Raises:
        BadConfig: A variable is not set, or empty.
    """

    def value(match: re.Match[str]) -> str:
        if match[1]:
            return "$"
        name = match[2] or match[3]
        found = environ.get(name, "").strip()
        if not found:
            raise BadConfig(
                f"the environment variable {name} is not set",
                where=where,
                fix=f"Set it: export {name}=...",
            )
        used.add(found)
        return found

    return _VARIABLE.sub(value, text)


def hidden(text: str, used: set[str]) -> str:
    """Return a text with the secrets replaced, also one that was cut short after eight characters.

    Values under four characters stay: they are no secrets, and would be found everywhere.
    """
    for secret in sorted(used, key=len, reverse=True):
        lengths = [n for n in range(len(secret), 7, -1) if secret[:8] in text]
        for length in lengths or [len(secret)]:
            if length >= 4:
                text = text.replace(secret[:length], "[secret]")
    return text
