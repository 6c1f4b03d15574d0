"""A process that has imported what commands import, and forks for each command that it is sent.

Each command is a whole process of its own: its environment, folder, arguments, output, exit status, and an
interpreter that ends as every other. What it is spared is the second that the imports take. It is run as
a program; a request is a line of JSON, an answer the exit status.
"""

import gc
import importlib
import json
import os
import sys
from pathlib import Path

# Without what starts threads when it is imported: those do not live on in a fork.
PRELOAD = (
    "aiohttp",
    "alembic.command",
    "jinja2",
    "numpy.ma",
    "numpy.random",
    "rich.console",
    "sqlalchemy.dialects.sqlite",
    "acidtest.cli.compare",
    "acidtest.cli.gate",
    "acidtest.cli.run",
    "acidtest.project.correcting",
    "acidtest.project.evaluate",
    "acidtest.project.reports",
    "acidtest.project.sources",
    "acidtest.project.stores",
    "acidtest.project.thresholds",
    "acidtest.report.terminal",
)


def next_command() -> None:
    """Return in the process of a command, and never in the one that serves."""
    requests = os.fdopen(os.dup(0), "rb", buffering=0)
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    while line := requests.readline():
        request = json.loads(line)
        child = os.fork()
        if child == 0:
            requests.close()
            answers.close()
            become(**request)
            return
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        answers.write(b"%d\n" % status)
    os._exit(0)


def become(
    arguments: list[str], folder: str, environment: dict[str, str], out: str, err: str
) -> None:
    """Take over what a new process would be given."""
    for number, path in ((1, out), (2, err)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = [str(Path(sys.executable).with_name("acidtest")), *arguments]


if __name__ == "__main__":
    sys.path[0] = str(Path(sys.executable).parent)  # as for the installed command
    for name in PRELOAD:
        importlib.import_module(name)
    threads = Path("/proc/self/task")
    if threads.is_dir() and len([*threads.iterdir()]) > 1:
        sys.exit("a module of PRELOAD starts threads: they would be missing in a fork")
    gc.freeze()
    next_command()
    from acidtest.cli import main

    main()
