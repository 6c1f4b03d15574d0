"""Nothing that a reader can use is missing from the handbook: commands, options, metrics, keys, names."""

import re

import click
import msgspec
import pytest

import acidtest
from acidtest.cli import group
from acidtest.comparison.targets import DEFAULT_TARGETS
from acidtest.comparison.verdicts import STAGES
from acidtest.data.golden import Case
from acidtest.judges.prices import Rates
from acidtest.metrics.registry import known
from acidtest.metrics.rubric_form import Rubric
from acidtest.online.config import AlertsConfig, OnlineConfig
from acidtest.project.config import (
    Config,
    CorpusConfig,
    EmbedderConfig,
    GateConfig,
    JudgeConfig,
    PipelineConfig,
    StoreConfig,
)
from acidtest.project.judge_models import ADDRESSES, KEYS
from acidtest.project.judge_names import LOCAL
from acidtest.project.tiers import FAST, NIGHTLY

PAGES = {"retrieval": "trec", "serve": "serve"}


def text(docs, page: str) -> str:
    return (docs / f"{page}.md").read_text(encoding="utf-8")


def whole(docs) -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in docs.glob("*.md"))


def commands(command: click.Command, path: str, ctx: click.Context):
    if not isinstance(command, click.Group):
        yield path, command
        return
    for name in command.list_commands(ctx):
        inner = command.get_command(ctx, name)
        assert inner is not None
        yield from commands(inner, f"{path} {name}", ctx)


def test_every_command_and_option_is_documented(docs):
    missing = []
    for path, command in commands(group, "acidtest", click.Context(group)):
        page = text(docs, PAGES.get(path.split()[1], "command-line"))
        if path not in page + text(docs, "command-line"):
            missing.append(path)
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                name = max(parameter.opts, key=len)
                if not re.search(rf"{name}\b", page):
                    missing.append(f"{path} {name}")
    assert not missing, missing


def test_every_metric_has_its_own_section(docs):
    headings = set(re.findall(r"^## (\w+)$", whole(docs), re.MULTILINE))
    assert known().keys() - headings == set()


def test_every_metric_that_the_handbook_shows_by_an_option_exists(docs):
    # Troubleshooting shows wrong ones on purpose.
    pages = [
        p.read_text(encoding="utf-8") for p in docs.glob("*.md") if p.stem != "troubleshooting"
    ]
    shown = set(re.findall(r"(?:-m|--min|--metric) (\w+)", "\n".join(pages)))
    rubrics = set(re.findall(r"^\[rubric\.(\w+)\]$", "\n".join(pages), re.MULTILINE))
    assert shown
    assert shown <= set(known()) | rubrics


TABLES = (
    Config,
    CorpusConfig,
    PipelineConfig,
    JudgeConfig,
    Rates,
    EmbedderConfig,
    GateConfig,
    StoreConfig,
    OnlineConfig,
    AlertsConfig,
)


@pytest.mark.parametrize("table", TABLES)
def test_every_key_of_the_configuration_is_documented(table, docs):
    page = text(docs, "configuration") + text(docs, "outside-pipelines")
    keys = {f.name for f in msgspec.structs.fields(table)} - {"folder", "path"}
    assert {key for key in keys if not re.search(rf"\b{key}\b", page)} == set()


def test_every_key_of_a_rubric_is_documented(docs):
    page = text(docs, "own-metrics")
    keys = {f.name for f in msgspec.structs.fields(Rubric)}
    assert {key for key in keys if f"| `{key}` |" not in page} == set()


def test_every_judge_and_its_variables_are_documented(docs):
    page = text(docs, "judges-llm")
    names = {LOCAL, *(f"{provider}:MODEL" for provider in KEYS), *ADDRESSES.values()}
    names |= {key for keys in KEYS.values() for key in keys}
    assert {name for name in names if f"`{name}`" not in page} == set()


def test_every_field_of_a_case_is_documented(docs):
    page = text(docs, "golden-set")
    assert {f.name for f in msgspec.structs.fields(Case) if f"| `{f.name}` |" not in page} == set()


def test_every_verdict_is_documented(docs):
    page = text(docs, "verdicts")
    assert [v for v in STAGES if f"| {v} |" not in page and f"*{v}*" not in page] == []


def test_default_targets_and_tiers_are_as_documented(docs):
    page = text(docs, "targets")
    present = {name: x for name, x in DEFAULT_TARGETS.items() if name.partition("@")[0] in known()}
    for name, target in present.items():
        assert f"| `{name}` | {target:.2f} |" in page
    tiers = text(docs, "configuration")
    for name in (*FAST, *NIGHTLY):
        assert name in tiers


def test_every_public_name_is_documented(docs):
    names = {name for name in dir(acidtest) if not name.startswith("_")} - set(known())
    page = whole(docs)
    assert {name for name in names if not re.search(rf"\b{name}\b", page)} == set()
