"""A judge around a judge that is offered the verdicts of a prompt in reverse order."""

import re
from typing import Any

from msgspec.structs import replace

from acidtest.data.outcomes import Skip
from acidtest.judges.around import Around
from acidtest.ports import Prompt, Reply, Verdict

_OPTION = re.compile(r"- [\w-]+(?:: .*)?$")


class Reversed(Around):
    """A judge that reads lists of verdicts from their end; the schema of the reply stays."""

    async def ask(self, prompt: Prompt[Reply], **fields: Any) -> Verdict[Reply] | Skip:
        """Ask the judge inside."""
        return await self._judge.ask(
            replace(prompt, template=turned(prompt.template)),
            **fields,
        )


def turned(template: str) -> str:
    """Return a template whose lists of verdicts (`- word: when`) begin with the last one."""
    out: list[str] = []
    options: list[list[str]] = []
    for line in template.split("\n"):
        if _OPTION.match(line):
            options.append([line])
        elif options and line.startswith("  "):
            options[-1].append(line)
        else:
            out += [each for option in reversed(options) for each in option] + [line]
            options = []
    return "\n".join(out + [each for option in reversed(options) for each in option])
