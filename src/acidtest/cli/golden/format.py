"""`acidtest golden format`: the one form of a golden set on disk."""

from pathlib import Path

import click

from acidtest.cli.options import filled, target
from acidtest.cli.output import note, write
from acidtest.cli.targets import check_targets
from acidtest.errors import UsageError


@click.command(name="format")
@click.argument("golden", metavar="G", type=filled)
@click.option("--check", is_flag=True, help="Write nothing; status 1 if it has another form.")
@click.option("--out", type=target, metavar="G2", help="Write it here, and leave G as it is.")
def command(golden: str, out: str | None, *, check: bool) -> int:
    """Write the golden set G in its one form: a case a line, fields in one order, keys sorted.

    So a changed case is one changed line in version control. Cases keep their order, and the set its
    version.
    """
    from acidtest.golden.grow.lines import check_form
    from acidtest.golden.load import load_golden
    from acidtest.project.golden_edit import formatted

    if check and out:
        raise UsageError("--check writes nothing", where="--out", fix="Leave one of them out.")
    if not out:
        check_form(golden)
    check_targets({"--out": out}, [("the golden set", golden)])
    read = load_golden(golden)
    made = formatted(read)
    if out:
        write(out, made, what="golden set")
        return 0
    if made == Path(golden).read_bytes():
        note(f"{golden} has its form already")
        return 0
    if check:
        note(f"{golden} has another form. Mend it with: acidtest golden format {golden}")
        return 1
    write(golden, made, what="golden set")
    return 0
