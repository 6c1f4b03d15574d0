"""The git commit of the code under test."""

import subprocess
from pathlib import Path

from acidtest.data.runs import Commit


def current_commit(folder: str | Path) -> Commit | None:
    """Return the commit that a folder stands at; None outside git, or where git is not there."""
    sha = _git(folder, "rev-parse", "HEAD")
    if not sha:
        return None
    branch = _git(folder, "rev-parse", "--abbrev-ref", "HEAD")
    dirty = _git(folder, "status", "--porcelain", "--untracked-files=no")
    return Commit(sha=sha, branch=None if branch in (None, "HEAD") else branch, dirty=bool(dirty))


def _git(folder: str | Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(  # noqa: S603 - fixed arguments, no shell
            ["git", "-C", str(folder), *arguments],  # noqa: S607 - git from PATH, as people have it
            capture_output=True,
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else None
