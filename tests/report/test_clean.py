"""Text from outside made fit to be shown."""

import pytest

from acidtest.report.clean import clean, clip, one_line


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;new title\x07text", "text"),
        ("\x1b]8;;http://evil.example\x1b\\click\x1b]8;;\x1b\\", "click"),
        ("\x9b2Jgone", "gone"),
        ("a\x00b\x08c\x7f", "abc"),
        ("\x1bPq payload \x1b\\x", "x"),
        ("\u202egnp.exe\u202c", "\ufffdgnp.exe\ufffd"),
        ("\u2066a\u2069", "\ufffda\ufffd"),
        ("\ud800", "\ufffd"),
        ("a\r\nb\rc\u2028d", "a\nb\nc\nd"),
        ("tab\tstays", "tab\tstays"),
        ("עברית\u200f فارسی \u200c ไทย 中文 👩‍💻", "עברית\u200f فارسی \u200c ไทย 中文 👩‍💻"),
    ],
)
def test_what_harms_goes_and_what_means_something_stays(hostile, shown):
    assert clean(hostile) == shown


def test_an_unfinished_escape_does_not_swallow_the_text():
    assert "the rest" in clean("\x1b]0;never ended the rest")


def test_cleaning_is_quick_on_long_hostile_text():
    assert len(clean("\x1b]" * 200_000)) < 500_000


def test_one_line_has_no_line_break():
    assert one_line(" a\n\n b\x0bc\t d ") == "a bc d"


def test_clip_cuts_to_the_limit_with_the_ellipsis_included():
    assert clip("abcdef", 6) == "abcdef"
    assert clip("abcdefg", 6) == "abcde…"
    assert clip("abcdefg", 6, ellipsis="...") == "abc..."


def test_clip_leaves_no_mark_without_its_letter():
    assert clip("abe\u0301xyz", 4) == "ab…"
