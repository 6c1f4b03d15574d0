"""All rules over a golden set."""

from collections.abc import Iterable

from acidtest.errors import UnknownName, UsageError
from acidtest.golden.lint.finding import SEVERITIES, Finding
from acidtest.golden.lint.rule import Rule, Subject
from acidtest.golden.lint.rules.answer_in_question import RULE as ANSWER_IN_QUESTION
from acidtest.golden.lint.rules.contamination import RULE as CONTAMINATION
from acidtest.golden.lint.rules.contradiction import RULE as CONTRADICTION
from acidtest.golden.lint.rules.copied_wording import RULE as COPIED_WORDING
from acidtest.golden.lint.rules.duplicate import RULE as DUPLICATE
from acidtest.golden.lint.rules.evidence_label import RULE as EVIDENCE_LABEL
from acidtest.golden.lint.rules.few_cases import RULE as FEW_CASES
from acidtest.golden.lint.rules.few_unanswerable import RULE as FEW_UNANSWERABLE
from acidtest.golden.lint.rules.missing_number import RULE as MISSING_NUMBER
from acidtest.golden.lint.rules.missing_reference import RULE as MISSING_REFERENCE
from acidtest.golden.lint.rules.mostly_synthetic import RULE as MOSTLY_SYNTHETIC
from acidtest.golden.lint.rules.near_duplicate import RULE as NEAR_DUPLICATE
from acidtest.golden.lint.rules.no_evidence import RULE as NO_EVIDENCE
from acidtest.golden.lint.rules.no_hard_cases import RULE as NO_HARD_CASES
from acidtest.golden.lint.rules.no_labels import RULE as NO_LABELS
from acidtest.golden.lint.rules.reference_declines import RULE as REFERENCE_DECLINES
from acidtest.golden.lint.rules.stale_evidence import RULE as STALE_EVIDENCE
from acidtest.golden.lint.rules.tag_imbalance import RULE as TAG_IMBALANCE
from acidtest.golden.lint.rules.unaccepted import RULE as UNACCEPTED
from acidtest.golden.lint.rules.unknown_id import RULE as UNKNOWN_ID
from acidtest.golden.lint.rules.untidy import RULE as UNTIDY

RULES: dict[str, Rule] = {
    rule.name: rule
    for rule in sorted(
        (
            # What makes figures wrong, then the set as a whole, then single cases.
            CONTAMINATION,
            CONTRADICTION,
            UNKNOWN_ID,
            EVIDENCE_LABEL,
            FEW_CASES,
            FEW_UNANSWERABLE,
            NO_HARD_CASES,
            MOSTLY_SYNTHETIC,
            UNACCEPTED,
            STALE_EVIDENCE,
            DUPLICATE,
            NEAR_DUPLICATE,
            NO_EVIDENCE,
            MISSING_REFERENCE,
            REFERENCE_DECLINES,
            COPIED_WORDING,
            ANSWER_IN_QUESTION,
            TAG_IMBALANCE,
            NO_LABELS,
            MISSING_NUMBER,
            UNTIDY,
        ),
        key=lambda rule: SEVERITIES.index(rule.severity),
    )
}
"""Every rule by its name, the worst first."""


def chosen_rules(only: Iterable[str] = (), ignore: Iterable[str] = ()) -> tuple[Rule, ...]:
    """Return the rules that are asked for: all, or only some, less those that are ignored.

    Raises:
        UnknownName: There is no such rule.
        UsageError: Every rule is ignored.
    """
    wanted, without = tuple(only), frozenset(ignore)
    for option, names in (("--rule", wanted), ("--ignore", without)):
        for name in names:
            if name not in RULES:
                raise UnknownName("rule", name, RULES, where=option)
    chosen = tuple(
        rule
        for rule in RULES.values()
        if (not wanted or rule.name in wanted) and rule.name not in without
    )
    if not chosen:  # nothing would be found, whatever the set is
        raise UsageError(
            "no rule is left", where="--ignore", fix="Leave --ignore out, or name less."
        )
    return chosen


def lint_all(subject: Subject, rules: Iterable[Rule]) -> tuple[Finding, ...]:
    """Return what rules find, rule by rule, in the order of the set's cases."""
    return tuple(
        Finding(
            rule=rule.name,
            severity=rule.severity,
            message=hit.message,
            fix=hit.fix or rule.fix,
            cases=hit.cases,
            fixable=hit.fixable,
        )
        for rule in rules
        for hit in rule.check(subject)
    )
