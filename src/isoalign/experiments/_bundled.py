"""Sweeps inside the package: the paper's experiment, and the same on the sample."""

from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import as_file, files

from isoalign._core.validate import check_choice
from isoalign.experiments._config import SweepConfig, read_config

__all__ = ["SWEEPS", "load_sweep"]

SWEEPS = ("sample", "iternorm-acl2019")
"""Names of the sweeps inside the package."""


def load_sweep(
    name: str, *, targets: Sequence[str] | None = None, statistics: str | None = None, limit: int | None = None
) -> SweepConfig:
    """Return a sweep of the package.

    Parameters
    ----------
    name
        One of :data:`SWEEPS`.
    targets
        Only these target languages.
    statistics
        ``"rows"`` or ``"file"``, see `DataConfig`.
    limit
        Restrict to the `limit` most frequent words of each language.
    """
    check_choice(name, SWEEPS, name="The sweep")
    with as_file(files("isoalign.experiments") / "sweeps" / f"{name}.toml") as path:
        config = read_config(path)
    for target in targets or ():
        check_choice(target, config.targets, name="targets")
    return replace(
        config,
        targets=tuple(dict.fromkeys(targets)) if targets else config.targets,
        data=replace(
            config.data,
            statistics=statistics or config.data.statistics,
            limit=limit or config.data.limit,
        ),
    )
