"""How often the bias probe cries wolf, and what it finds: `python benchmarks/judge_bias.py --probes 200`.

Judges without bias that waver (each verdict is replaced by a coin's with a chance of `noise`, anew at every
ask) must raise a finding in at most 5 % of the probes; judges with one planted bias that moves a share of
their verdicts should be found.
"""

import argparse
import asyncio
import random

import msgspec

from acidtest.metrics.registry import find
from acidtest.ports import Verdict
from acidtest.project.judging import own
from acidtest.project.probing.bias.items import built_in
from acidtest.project.probing.bias.plan import KINDS, bias_plan
from acidtest.project.probing.bias.probe import probe_bias
from acidtest.stats.rates import wilson

ITEMS = built_in(40)
PLAN = bias_plan([find("correctness")], ITEMS, KINDS[:-2], repeat=2, seed=0)


class Judge:
    """Right, but for coins, and for praise by professors that turns a share of the wrong."""

    model = fingerprint = "simulated"

    def __init__(self, noise, swayed, seed):
        self.noise, self.swayed, self.rng = noise, swayed, random.Random(seed)

    async def ask(self, prompt, **fields):
        """Answer from the reference's last word, swayed or by a coin as set."""
        answer = fields["answer"]
        correct = fields["reference"].split(",")[0].split()[-1].casefold() in answer.casefold()
        if self.rng.random() < self.noise:
            correct = self.rng.random() < 0.5
        if "professors" in answer and self.rng.random() < self.swayed:
            correct = True
        said = {"verdict": "correct" if correct else "incorrect"}
        return Verdict(reply=msgspec.convert(said, prompt.reply))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--probes", type=int, default=200)
    probes = parser.parse_args().probes
    print("| noise | share of verdicts swayed | probes | other findings | bias found |")
    print("|---|---|---|---|---|")
    for noise, swayed in ((0, 0), (0.1, 0), (0.3, 0), (0.6, 0), (0.1, 0.5), (0.1, 0.8), (0, 1)):
        false = true = 0
        for seed in range(probes):
            judge = Judge(noise, swayed, seed)
            found = asyncio.run(probe_bias(own(judge), PLAN)).changes
            rows = {row.change for row in found if row.finding}
            true += "reviewed" in rows
            false += bool(rows - {"reviewed"} if swayed else rows)
        low, high = wilson(false, probes)
        told = f"{true / probes:.0%}" if swayed else ""
        print(
            f"| {noise} | {swayed} | {probes} | {false / probes:.1%} ({low:.1%}-{high:.1%}) | {told} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
