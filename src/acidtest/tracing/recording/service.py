"""What an application is called that does not say so: as OpenTelemetry's SDKs do it, by its program."""

import os
import sys
from collections.abc import Mapping, Sequence

UNKNOWN = "unknown_service"


def service_name(
    environ: Mapping[str, str] | None = None, argv: Sequence[str] | None = None
) -> str:
    """Return the name in `OTEL_SERVICE_NAME`, else in `OTEL_RESOURCE_ATTRIBUTES`, else `unknown_service:PROGRAM`.

    The program is the script without `.py`, or the package of `python -m`; `python` where there is neither.

    Args:
        environ: By default the environment.
        argv: By default that of the program.
    """
    environ = os.environ if environ is None else environ
    named = environ.get("OTEL_SERVICE_NAME", "").strip() or _attribute(environ)
    return named or f"{UNKNOWN}:{_program(sys.argv if argv is None else argv)}"


def _attribute(environ: Mapping[str, str]) -> str:
    pairs = (pair.partition("=") for pair in environ.get("OTEL_RESOURCE_ATTRIBUTES", "").split(","))
    found = next((value for name, _, value in pairs if name.strip() == "service.name"), "").strip()
    if "%" in found:
        from urllib.parse import unquote

        found = unquote(found)
    return found


def _program(argv: Sequence[str]) -> str:
    script = (argv[0] if argv else "").replace("\\", "/").rstrip("/")
    folder, _, name = script.rpartition("/")
    if name == "__main__.py":
        name = folder.rpartition("/")[2]
    return "python" if name in ("", "-c", "-m", "-") else name.removesuffix(".py")[:200]
