"""Counts and kappas that LLMBar publishes beside its data (MIT licence, arXiv 2310.07641): 54 of its 225 cells.

Each of its 45 settings is here on at least one of its five sets of pairs.
"""

from typing import NamedTuple


class Cell(NamedTuple):
    """One setting on one set.

    Attributes:
        first: Pairs whose better answer won in the order given.
        second: The same in the swapped order.
        both: The same in both.
        equal: Pairs on which the orders agree.
        n: Pairs.
        kappa: Agreement of the orders.
    """

    first: int
    second: int
    both: int
    equal: int
    n: int
    kappa: float | None


UPSTREAM = {
    ("Natural", "ChatGPT/CoT"): Cell(70, 78, 56, 64, 100, 0.3617797228300511),
    ("Natural", "ChatGPT/Vanilla"): Cell(80, 83, 67, 71, 100, 0.4286840031520883),
    ("Natural", "GPT-4/Vanilla"): Cell(95, 96, 93, 95, 100, 0.897708674304419),
    ("Natural", "LLaMA2/Vanilla"): Cell(79, 82, 70, 79, 100, 0.5731707317073171),
    ("Natural", "PaLM2/Vanilla"): Cell(78, 88, 73, 80, 100, 0.584026622296173),
    ("Adversarial/Neighbor", "ChatGPT/CoT"): Cell(31, 30, 6, 84, 134, 0.331870761866773),
    ("Adversarial/Neighbor", "ChatGPT/Rating_NoRules"): Cell(
        58, 60, 23, 62, 134, 0.16089754739954787
    ),
    ("Adversarial/Neighbor", "ChatGPT/Vanilla"): Cell(30, 22, 7, 96, 134, 0.4616197927680271),
    ("Adversarial/Neighbor", "ChatGPT/Vanilla_1shot"): Cell(
        27, 30, 6, 89, 134, 0.37148217636022507
    ),
    ("Adversarial/Neighbor", "GPT-4/Metrics"): Cell(109, 114, 107, 125, 134, 0.8652513966480447),
    ("Adversarial/Neighbor", "GPT-4/Rating_Metrics"): Cell(
        111, 111, 102, 116, 134, 0.7351778656126482
    ),
    ("Adversarial/Neighbor", "GPT-4/Reference"): Cell(110, 106, 101, 120, 134, 0.7891661047426388),
    ("Adversarial/Neighbor", "GPT-4/Vanilla"): Cell(104, 107, 101, 125, 134, 0.8651308432118094),
    ("Adversarial/Neighbor", "GPT-4/Vanilla_1shot"): Cell(
        112, 107, 104, 123, 134, 0.835820895522388
    ),
    ("Adversarial/Neighbor", "LLaMA2/Metrics"): Cell(37, 42, 24, 103, 134, 0.5199907557198984),
    ("Adversarial/Neighbor", "LLaMA2/Swap"): Cell(41, 53, 28, 95, 134, 0.4733140256516343),
    ("Adversarial/Neighbor", "LLaMA2/Vanilla_2shot"): Cell(32, 25, 10, 97, 134, 0.4410372040586247),
    ("Adversarial/Neighbor", "PaLM2/Metrics_Reference"): Cell(
        91, 96, 75, 97, 134, 0.4477611940298507
    ),
    ("Adversarial/Neighbor", "PaLM2/Vanilla"): Cell(82, 86, 62, 90, 134, 0.3536505152378865),
    ("Adversarial/GPTInst", "ChatGPT/Metrics"): Cell(35, 31, 9, 44, 92, 0.136150234741784),
    ("Adversarial/GPTInst", "ChatGPT/Reference"): Cell(31, 28, 8, 49, 92, 0.23273855702094648),
    ("Adversarial/GPTInst", "ChatGPT/Vanilla_2shot"): Cell(23, 19, 1, 52, 92, 0.23460898502495842),
    ("Adversarial/GPTInst", "GPT-4/Metrics_Reference"): Cell(
        80, 85, 78, 83, 92, 0.8043478260869565
    ),
    ("Adversarial/GPTInst", "GPT-4/Rating_Metrics_Reference"): Cell(
        81, 80, 76, 83, 92, 0.8050847457627118
    ),
    ("Adversarial/GPTInst", "GPT-4/Swap"): Cell(80, 82, 79, 88, 92, 0.9124226558781533),
    ("Adversarial/GPTInst", "GPT-4/Vanilla_2shot"): Cell(72, 73, 69, 85, 92, 0.846958174904943),
    ("Adversarial/GPTInst", "LLaMA2/Metrics_Reference"): Cell(
        34, 30, 17, 62, 92, 0.34690014197822994
    ),
    ("Adversarial/GPTInst", "LLaMA2/Swap_CoT"): Cell(25, 22, 13, 69, 92, 0.5357798165137615),
    ("Adversarial/GPTInst", "LLaMA2/Vanilla_NoRules"): Cell(23, 23, 11, 67, 92, 0.4935779816513761),
    ("Adversarial/GPTInst", "PaLM2/Reference"): Cell(70, 67, 54, 63, 92, 0.37370892018779334),
    ("Adversarial/GPTInst", "PaLM2/Swap_CoT"): Cell(61, 54, 47, 70, 92, 0.5251055842327546),
    ("Adversarial/GPTInst", "PaLM2/Vanilla_NoRules"): Cell(60, 63, 50, 68, 92, 0.4720229555236729),
    ("Adversarial/GPTOut", "ChatGPT/Metrics_Reference"): Cell(
        18, 18, 7, 25, 47, 0.1566068515497553
    ),
    ("Adversarial/GPTOut", "ChatGPT/Swap"): Cell(22, 21, 17, 38, 47, 0.6035613870665417),
    ("Adversarial/GPTOut", "ChatGPT/Vanilla"): Cell(17, 22, 10, 28, 47, 0.28041901692183724),
    ("Adversarial/GPTOut", "ChatGPT/Vanilla_NoRules"): Cell(20, 21, 7, 20, 47, 0.10318021201413419),
    ("Adversarial/GPTOut", "GPT-4/Metrics_Reference"): Cell(34, 34, 30, 39, 47, 0.6472795497185742),
    ("Adversarial/GPTOut", "GPT-4/Rating_NoRules"): Cell(32, 34, 28, 37, 47, 0.5780969479353679),
    ("Adversarial/GPTOut", "GPT-4/Swap_CoT"): Cell(38, 37, 37, 46, 47, 0.9571558796718322),
    ("Adversarial/GPTOut", "GPT-4/Vanilla_NoRules"): Cell(35, 37, 33, 41, 47, 0.7417582417582418),
    ("Adversarial/GPTOut", "LLaMA2/Reference"): Cell(29, 24, 15, 24, 47, 0.016378525932666088),
    ("Adversarial/GPTOut", "PaLM2/CoT"): Cell(23, 32, 13, 18, 47, 0.060647829083390836),
    ("Adversarial/GPTOut", "PaLM2/Swap"): Cell(27, 26, 22, 38, 47, 0.584070796460177),
    ("Adversarial/Manual", "ChatGPT/Rating"): Cell(23, 22, 10, 21, 46, 0.13533834586466154),
    ("Adversarial/Manual", "ChatGPT/Swap_CoT"): Cell(13, 12, 6, 32, 46, 0.4651162790697674),
    ("Adversarial/Manual", "GPT-4/CoT"): Cell(33, 35, 30, 38, 46, 0.6468330134357005),
    ("Adversarial/Manual", "GPT-4/Rating"): Cell(40, 38, 35, 38, 46, 0.6617647058823529),
    ("Adversarial/Manual", "GPT-4/Rating_Reference"): Cell(40, 37, 35, 39, 46, 0.7024029574861368),
    ("Adversarial/Manual", "GPT-4/Vanilla"): Cell(35, 39, 33, 38, 46, 0.6521739130434783),
    ("Adversarial/Manual", "LLaMA2/CoT"): Cell(18, 18, 6, 22, 46, 0.15076923076923077),
    ("Adversarial/Manual", "LLaMA2/Vanilla"): Cell(17, 17, 9, 30, 46, 0.3622183708838822),
    ("Adversarial/Manual", "LLaMA2/Vanilla_1shot"): Cell(19, 20, 13, 33, 46, 0.4238921001926782),
    ("Adversarial/Manual", "PaLM2/Metrics"): Cell(32, 29, 27, 39, 46, 0.6990654205607476),
    ("Adversarial/Manual", "PaLM2/Vanilla"): Cell(32, 28, 27, 40, 46, 0.7406015037593985),
}
"""By set and setting."""
