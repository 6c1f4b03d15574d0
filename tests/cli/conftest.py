"""The command line in this process, in a folder of its own."""

import json
import signal
import sys
from dataclasses import dataclass

import pytest

from acidtest.cli import main


@dataclass
class Done:
    status: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def cli(folder, monkeypatch, capsys):
    """Run `acidtest ...` here; every run must end with an exit status and no traceback."""

    def call(*arguments):
        capsys.readouterr()
        monkeypatch.setattr(sys, "argv", ["acidtest", *map(str, arguments)])
        handlers = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
        try:
            with pytest.raises(SystemExit) as left:
                main()
        finally:  # a command that was interrupted leaves them to its process's end
            for each, handler in handlers.items():
                signal.signal(each, handler)
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return Done(left.value.code, out, err)

    return call


@pytest.fixture
def project(folder, cli):
    """The files that `acidtest init` makes."""
    assert cli("init").status == 0
    return folder
