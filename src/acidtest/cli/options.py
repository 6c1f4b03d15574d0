"""Kinds of values that options take."""

import math
from typing import Any

import click

_STDOUT = ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1")


def filled(value: str) -> str:
    """Take a text that is not empty: an empty shell variable is a mistake, not a default."""
    if not value.strip():
        raise click.BadParameter("it is empty: give a value, or leave the option out.")
    return value


def target(value: str) -> str:
    """Take the place of an artifact: a file, or `-` for stdout, by whatever name it is given."""
    return "-" if value in _STDOUT else filled(value)


def amount(value: str | float) -> float:
    """Take a finite number from 0 on."""
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not (math.isfinite(number) and number >= 0):
        raise click.BadParameter(f"{value!r} is not a number from 0 on.")
    return number


class Share(click.FloatRange):
    """A number from 0 to 1; `nan`, which compares with nothing, is none."""

    def __init__(self) -> None:
        super().__init__(0, 1)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Take a number from 0 to 1."""
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(f"{value!r} is not a number from 0 to 1.", param, ctx)
        return number


json_option = click.option(
    "--json",
    "json_to",
    type=target,
    metavar="F|-",
    is_flag=False,
    flag_value="-",
    help="Write JSON.",
)
"""Where a command's JSON goes: a file, or stdout for `-` and for the bare option."""
