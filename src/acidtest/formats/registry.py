"""The formats by name, each imported when it is asked for; a new one is a file and a line here."""

import importlib
from collections.abc import Mapping

from acidtest.errors import BadData, UnknownName
from acidtest.formats.format import Format
from acidtest.formats.source import Source

FORMATS: Mapping[str, str] = {
    "acidtest": "acidtest.formats.own_golden",
    "acidtest-outputs": "acidtest.formats.own_outputs",
    "acidtest-run": "acidtest.formats.own_run",
    "ragas": "acidtest.formats.ragas",
    "ragas-annotations": "acidtest.formats.ragas_annotations",
    "deepeval": "acidtest.formats.deepeval",
    "deepeval-results": "acidtest.formats.deepeval_results",
    "promptfoo": "acidtest.formats.promptfoo",
    "promptfoo-results": "acidtest.formats.promptfoo_results",
    "langsmith": "acidtest.formats.langsmith",
    "langsmith-experiment": "acidtest.formats.langsmith_experiment",
    "langfuse": "acidtest.formats.langfuse",
    "langfuse-traces": "acidtest.formats.langfuse_traces",
    "phoenix": "acidtest.formats.phoenix",
    "phoenix-spans": "acidtest.formats.phoenix_spans",
    "azure-evals": "acidtest.formats.azure_evals",
    "continuous-eval": "acidtest.formats.continuous_eval",
    "open-rag-eval": "acidtest.formats.open_rag_eval",
    "beir": "acidtest.formats.beir",
    "trec": "acidtest.formats.trec_labels",
    "trec-run": "acidtest.formats.trec_run",
    "ranx": "acidtest.formats.ranx",
    "datasets": "acidtest.formats.datasets",
}
"""Name -> the module that holds its `FORMAT`; the order is that of lists for people."""


def format_named(name: str, *, where: str = "format") -> Format:
    """Return the format of a name.

    Raises:
        UnknownName: There is none; the nearest one is suggested.
    """
    if name not in FORMATS:
        raise UnknownName("format", name, FORMATS, where=where)
    found: Format = importlib.import_module(FORMATS[name]).FORMAT
    return found


def guess(source: Source) -> Format:
    """Return the format that a file looks like.

    Raises:
        BadData: It looks like none that is known, or like several.
    """
    likeness: dict[str, int] = {}
    for name in FORMATS:
        form = format_named(name)
        if form.read is not None:
            likeness[name] = form.sniff(source)
    best = max(likeness.values())
    near = [name for name, like in likeness.items() if like == best]
    if best and len(near) == 1:
        return format_named(near[0])
    if not best:
        bare = isinstance(source.document, dict) and not source.head
        raise source.fault(
            "an object without rows of cases: a summary, or a configuration?"
            if bare
            else "no format that is known writes such a file",
            fix=f"Name its format with --from: {', '.join(likeness)}.",
        )
    raise BadData(
        f"may be any of the formats {', '.join(near)}",
        where=source.path,
        fix=f"Say which, such as --from {near[0]}.",
    )
