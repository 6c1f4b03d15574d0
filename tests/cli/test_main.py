import subprocess
import sys

import pytest

from acidtest.cli import COMMANDS


def test_help_names_every_command(cli):
    done = cli("--help")
    assert done.status == 0
    for name, told in COMMANDS.items():
        assert name in done.out
        assert told.split()[0] in done.out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(cli, name):
    done = cli(name, "--help")
    assert done.status == 0
    assert "Usage: acidtest" in done.out or "Usage: " in done.out


def test_version(cli):
    assert cli("--version").out.startswith("acidtest 0.")


def test_unknown_command(cli):
    done = cli("rnu")
    assert done.status == 2
    assert "Did you mean 'run'" in done.err


def test_no_command_shows_help(cli):
    done = cli()
    assert "Commands" in done.out + done.err


def test_a_closed_pipe_is_no_error(project):
    command = f"{sys.executable} -m acidtest run --json - | head -c 10"
    done = subprocess.run(command, shell=True, cwd=project, capture_output=True, text=True)  # noqa: S602
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


HEAVY = ("numpy", "sqlalchemy", "alembic", "aiohttp", "rich", "jinja2", "polars", "yaml", "asyncio")


@pytest.mark.parametrize("code", ["import acidtest", "from acidtest.cli import group; group.name"])
def test_nothing_heavy_is_imported_at_first(code):
    script = f"import sys\n{code}\nprint(*[m for m in {HEAVY} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.split() == [], done.stderr


def test_importing_touches_neither_disk_nor_environment(tmp_path):
    script = (
        "import sys\n"
        "seen = []\n"
        "def hook(event, args):\n"
        "    if event in ('socket.connect', 'os.putenv', 'os.mkdir', 'subprocess.Popen'):\n"
        "        seen.append(event)\n"
        "    if event == 'open' and any(c in str(args[1]) for c in 'wax+'):\n"
        "        seen.append(args[0])\n"
        "sys.dont_write_bytecode = True\n"
        "sys.addaudithook(hook)\n"
        "import acidtest\n"
        "print(seen)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.stdout.strip() == "[]", done.stdout + done.stderr
    assert list(tmp_path.iterdir()) == []
