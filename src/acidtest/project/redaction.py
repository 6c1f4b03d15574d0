"""What must not be stored of live traces, as `[online]` says."""

import os
from pathlib import Path

from acidtest.errors import BadConfig
from acidtest.online.redact import Redaction, key_of
from acidtest.pipelines.load import load_object
from acidtest.project.config import Config


def redaction_of(config: Config) -> Redaction | None:
    """Return what takes personal data and secrets out of spans; None where nothing is configured.

    Raises:
        UnknownName: A pattern or the function does not exist.
        BadConfig: A pattern is none or takes too long, the function cannot be imported or called, or
            ids are to be hashed and the environment has no key.
    """
    online = config.online
    if not (online.redact or online.redact_with or online.hash_users):
        return None
    where = f"{Path(config.path).name if config.path else 'acidtest.toml'}: [online]"
    function = None
    if online.redact_with:
        function = load_object(online.redact_with, base=Path(config.folder))
        if not callable(function):
            raise BadConfig(
                f"{online.redact_with!r} is no function",
                where=f"{where} redact_with",
                fix="Name a function that takes a text and returns one.",
            )
    key = key_of(os.environ, f"{where} hash_users") if online.hash_users else None
    return Redaction(online.redact, function, key=key, where=f"{where} redact")
