"""Which pipeline a test means: what its fixture gives, by name or as it is, or the configured one."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from acidtest.data.golden import GoldenSet
from acidtest.errors import UsageError
from acidtest.pipelines.load import load_pipeline
from acidtest.project.config import Config
from acidtest.project.sources import pipelines_of


def meant(
    pipeline: Any,
    golden: GoldenSet,
    config: Config,
    chosen: tuple[str, Path] | None,
    told: Callable[[str], None],
    *,
    base: Path,
) -> Any:
    """Return what `evaluate` is to ask; None for the answers that the golden set carries.

    Args:
        pipeline: A configured name, an address, anything that answers, or None for the default.
        golden: The golden set.
        config: Where names are looked up.
        chosen: The default, and the folder that its address starts from.
        told: Called with what a person should know of it.
        base: The folder that the address of `pipeline` starts from.

    Raises:
        AcidtestError: There is none, or not one alone.
    """
    if isinstance(pipeline, str):
        return _named(pipeline, base, golden, config, told)
    if pipeline is not None:
        return pipeline
    if chosen is not None:
        return _named(*chosen, golden, config, told)
    known = list(config.pipelines)
    if len(known) == 1:
        return _named(known[0], base, golden, config, told)
    if known:
        raise UsageError(
            f"{len(known)} pipelines are configured ({', '.join(known)}), and none is chosen",
            where=config.path,
            fix="Choose one with --acidtest-pipeline, acidtest_pipeline in pytest's configuration, or "
            "@pytest.mark.acidtest(pipeline=...).",
        )
    if golden.recorded:
        return None
    raise UsageError(
        "there is nothing to evaluate: no pipeline is named",
        fix="Give your own fixture 'acidtest_pipeline', or name one in acidtest.toml.",
    )


def _named(
    name: str, base: Path, golden: GoldenSet, config: Config, told: Callable[[str], None]
) -> Any:
    if ":" in name and "://" not in name and name not in config.pipelines:
        return load_pipeline(name, base=base, name=name.rpartition(":")[2])
    (found,), lines = pipelines_of(config, [name], None, golden)
    for line in lines:
        told(line)
    return found
