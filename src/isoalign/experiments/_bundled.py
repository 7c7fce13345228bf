"""Bundled sweeps: the experiment of the paper, the same on the sample, and the XLING benchmark."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.resources import as_file, files

from isoalign._core.validate import check_choice
from isoalign.experiments._config import SweepConfig, read_config
from isoalign.experiments._config_values import split_pair

__all__ = ["SWEEPS", "load_sweep"]

SWEEPS = ("sample", "iternorm-acl2019", "xling")
"""Names of the bundled sweeps."""


def load_sweep(
    name: str,
    *,
    targets: Sequence[str] | None = None,
    pairs: Sequence[str] | None = None,
    vectors: str | Mapping[str, str] | None = None,
    statistics: str | None = None,
    limit: int | None = None,
) -> SweepConfig:
    """Return a bundled sweep.

    Parameters
    ----------
    name
        One of :data:`SWEEPS`.
    targets
        Only these target languages.
    pairs
        Only these pairs, such as ``en-fr``.
    vectors
        Vector files to use instead of those of the sweep: one name with ``{lang}`` in it, or a table from
        language to file.
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
    known = ["-".join(pair) for pair in config.pairs]
    asked = [split_pair(check_choice(pair, known, name="pairs")) for pair in pairs or known]
    return replace(
        config,
        pairs=tuple(dict.fromkeys(pair for pair in asked if not targets or pair[1] in targets)),
        data=replace(
            config.data,
            vectors=config.data.vectors if vectors is None else vectors,
            statistics=statistics or config.data.statistics,
            limit=limit or config.data.limit,
        ),
    )
