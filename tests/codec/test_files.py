"""Reading whole files: what is no file, or has no end, is refused in words."""

import os
from pathlib import Path

import pytest

from acidtest.codec.files import read_bytes
from acidtest.errors import BadData


def test_a_file_is_read_whole(tmp_path):
    (tmp_path / "f").write_bytes(b"text\n")
    assert read_bytes(tmp_path / "f") == b"text\n"


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/dev/zero", "a device"),
        ("/dev/urandom", "a device"),
        ("/dev/null", "empty"),
        ("/", "folder"),
    ],
)
def test_devices_and_folders_are_refused_at_once(path, told):
    if not Path(path).exists():
        pytest.skip("this system has no such device")
    with pytest.raises(BadData, match=rf"{path}: .*{told}"):
        read_bytes(path)


def test_a_pipe_is_read_to_its_end(tmp_path):
    readable, writable = os.pipe()
    try:
        os.write(writable, b"piped")
    finally:
        os.close(writable)
    try:
        if not Path(f"/dev/fd/{readable}").exists():
            pytest.skip("this system has no names for descriptors")
        assert read_bytes(f"/dev/fd/{readable}") == b"piped"
    finally:
        os.close(readable)


def test_what_is_too_big_is_not_read(tmp_path):
    (tmp_path / "f").write_bytes(b"x" * 11)
    with pytest.raises(BadData, match="11 bytes, over 10"):
        read_bytes(tmp_path / "f", limit=10)
