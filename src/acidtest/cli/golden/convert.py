"""`acidtest golden convert`: `acidtest convert` under the name that golden sets are looked for."""

from acidtest.cli import convert

command = convert.command
