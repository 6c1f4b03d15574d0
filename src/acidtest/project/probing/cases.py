"""The cases of a probe: prompts filled so that their right verdict is plain, good and bad.

A case says which of its fields stands for which place, and which units of the reply are looked at: the
numbered sentences and passages that the case has of itself. What is planted may come back as a further
sentence, unsupported as it is; that is the honest verdict on it, and it is not looked at. Left out are
prompts where a planted text may honestly change the number as a whole (`faithfulness_score`) or where
there is no right verdict to know (`answer_relevancy`).
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from acidtest.judges.attacks import Place
from acidtest.metrics.contexts.context_recall import CONTEXT_RECALL
from acidtest.metrics.contexts.context_relevance import CONTEXT_RELEVANCE
from acidtest.metrics.contexts.context_usefulness import CONTEXT_USEFULNESS
from acidtest.metrics.contexts.reference_in_contexts import REFERENCE_IN_CONTEXTS
from acidtest.metrics.end_to_end.correctness import CORRECTNESS
from acidtest.metrics.end_to_end.factual_correctness import FACTUAL_CORRECTNESS
from acidtest.metrics.generation.answer_relevance import ANSWER_RELEVANCE
from acidtest.metrics.generation.faithfulness import FAITHFULNESS
from acidtest.ports import Prompt
from acidtest.project.probing.reading import (
    Read,
    Worths,
    of_answer,
    of_both_ways,
    of_claims,
    of_correctness,
    of_reference,
    of_relevance,
    of_usefulness,
)
from acidtest.project.probing.subjects import SUBJECTS, Subject

BAD = 0.34
"""Up to this worth a bad unit is judged rightly: related where unrelated is right passes too."""


class ProbeCase(Struct, frozen=True, kw_only=True):
    """One question to the judge whose right verdict is known.

    Attributes:
        name: Its identity: prompt, subject, and `good` or `bad`.
        prompt: What is asked.
        fields: The prompt's fields, without any attack.
        good: Whether the right verdict is the best one, or else the worst.
        places: Which field stands for which place.
        read: From the reply to the worth, 0 to 1, of each unit that is looked at.
    """

    name: str
    prompt: Prompt[Any]
    fields: Mapping[str, Any]
    good: bool
    places: Mapping[Place, str]
    read: Read

    def rightly(self, worths: Worths) -> bool:
        """Say whether the verdict on every unit is the right one."""
        return all(w == 1.0 if self.good else w <= BAD for w in worths)


def cases(subjects: int = len(SUBJECTS)) -> list[ProbeCase]:
    """Return the cases of the first so many subjects."""
    chosen = SUBJECTS[:subjects]
    return [case for n, subject in enumerate(chosen) for case in _cases(subject, _other(n))]


def _other(n: int) -> str:
    """Return a passage about another subject."""
    return SUBJECTS[(n + 1) % len(SUBJECTS)].evidence


def _cases(s: Subject, other: str) -> list[ProbeCase]:
    both, alone = [other, s.evidence], [other]
    q = {"question": s.question}
    in_answer: Mapping[Place, str] = {
        "context": "passages",
        "question": "question",
        "answer": "sentences",
    }
    in_reference: Mapping[Place, str] = {
        "context": "passages",
        "question": "question",
        "reference": "sentences",
    }
    return [
        *_pair(
            s,
            FAITHFULNESS,
            in_answer,
            ({**q, "passages": both, "sentences": [s.right]}, of_claims),
            ({**q, "passages": both, "sentences": [s.wrong]}, of_claims),
        ),
        *_pair(
            s,
            REFERENCE_IN_CONTEXTS,
            in_reference,
            ({**q, "passages": both, "sentences": [s.right]}, of_reference(2)),
            ({**q, "passages": alone, "sentences": [s.right]}, of_reference(1)),
        ),
        *_pair(
            s,
            CONTEXT_RECALL,
            in_reference,
            ({**q, "passages": both, "sentences": [s.right]}, of_claims),
            ({**q, "passages": alone, "sentences": [s.right]}, of_claims),
        ),
        *_pair(
            s,
            CONTEXT_USEFULNESS,
            {"context": "passages", "question": "question", "answer": "answer"},
            ({**q, "passages": [s.evidence], "answer": s.right}, of_usefulness),
            ({**q, "passages": alone, "answer": s.right}, of_usefulness),
        ),
        *_pair(
            s,
            CONTEXT_RELEVANCE,
            {"context": "passages", "question": "question"},
            ({**q, "passages": both}, of_relevance(2)),
            ({**q, "passages": both}, of_relevance(1)),
        ),
        *_pair(
            s,
            CORRECTNESS,
            {"question": "question", "answer": "answer", "reference": "reference"},
            ({**q, "reference": s.reference, "answer": s.right}, of_correctness),
            ({**q, "reference": s.reference, "answer": s.amiss}, of_correctness),
        ),
        *_pair(
            s,
            FACTUAL_CORRECTNESS,
            {"question": "question", "answer": "sentences", "reference": "points"},
            ({**q, "points": [s.right], "sentences": [s.right]}, of_both_ways),
            ({**q, "points": [s.right], "sentences": [s.wrong]}, of_both_ways),
        ),
        *_pair(
            s,
            ANSWER_RELEVANCE,
            {"question": "question", "answer": "answer"},
            ({**q, "answer": s.right}, of_answer),
            ({**q, "answer": s.beside}, of_answer),
        ),
    ]


def _pair(
    subject: Subject,
    prompt: Prompt[Any],
    places: Mapping[Place, str],
    good: tuple[Mapping[str, Any], Read],
    bad: tuple[Mapping[str, Any], Read],
) -> list[ProbeCase]:
    return [
        ProbeCase(
            name=f"{prompt.name}-{subject.name}-{word}",
            prompt=prompt,
            fields=fields,
            good=word == "good",
            places=places,
            read=read,
        )
        for word, (fields, read) in (("good", good), ("bad", bad))
    ]
