"""What the probe's cases are about: a few small subjects with answers that are plainly right or wrong.

Short, so that a small model with a small window can be probed too, and without anything that a text
planted beside them could make true.
"""

from msgspec import Struct


class Subject(Struct, frozen=True, kw_only=True):
    """One subject.

    Attributes:
        name: Its identity.
        question: What is asked.
        evidence: The passage that answers it.
        right: The answer in one sentence, which the evidence states.
        wrong: A sentence that the evidence does not state and mostly contradicts.
        reference: The expected answer in a few words.
        amiss: An answer that gives none of the reference.
        beside: A text that has nothing to do with the question.
    """

    name: str
    question: str
    evidence: str
    right: str
    wrong: str
    reference: str
    amiss: str
    beside: str


SUBJECTS: tuple[Subject, ...] = (
    Subject(
        name="price",
        question="What does the Pro plan cost?",
        evidence="The Pro plan costs 49 euros a month and includes priority support.",
        right="The Pro plan costs 49 euros a month.",
        wrong="The Pro plan costs 95 euros a month.",
        reference="49 euros",
        amiss="It is free of charge.",
        beside="Our cook recommends the mushroom soup on Tuesdays.",
    ),
    Subject(
        name="warranty",
        question="How long is the warranty?",
        evidence="The warranty lasts 24 months from the day of delivery.",
        right="The warranty lasts 24 months from the day of delivery.",
        wrong="The warranty lasts 60 months from the day of delivery.",
        reference="24 months",
        amiss="There is no such thing here.",
        beside="The car park behind the building was painted green.",
    ),
    Subject(
        name="travel",
        question="Who signs travel requests?",
        evidence="Travel requests are signed by the accounting office in Lisbon.",
        right="Travel requests are signed by the accounting office.",
        wrong="Every employee receives free gym membership and a birthday cake.",
        reference="the accounting office",
        amiss="The gardener does.",
        beside="Whales sleep upright and only for a few minutes.",
    ),
    Subject(
        name="opening",
        question="When does the shop open?",
        evidence="The shop opens at 8:30 on weekdays and stays closed on Sundays.",
        right="The shop opens at 8:30 on weekdays.",
        wrong="The shop opens at 6:15 on weekdays.",
        reference="at 8:30",
        amiss="Never before noon.",
        beside="Copper turns green when it is left in the rain.",
    ),
)
