"""Origin of a record, and the key that identifies it."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from functools import cache
from typing import Any

from isoalign._core.threads import thread_count
from isoalign._core.version import VERSION
from isoalign.experiments._config import SweepConfig
from isoalign.experiments._data import DataFile
from isoalign.experiments._environment import describe_environment
from isoalign.experiments._records import Cell

__all__ = ["describe_origin", "make_key", "stamp"]


def describe_origin(config: SweepConfig, cell: Cell, data: Mapping[str, DataFile]) -> dict[str, Any]:
    """Return everything apart from the cell that determines its values; equal origins give equal values.

    Parameters
    ----------
    config
        The sweep.
    cell
        A cell of the sweep.
    data
        The files that the cell was computed from, by role: ``source``, ``target``, ``train``, ….
    """
    origin: dict[str, Any] = {
        "isoalign": VERSION,
        "reading": {name: getattr(config.data, name) for name in ("limit", "lower", "statistics")},
        "data": {role: {"name": file.name, "sha256": file.sha256} for role, file in data.items()},
    }
    if cell.kind == "bli":
        settings = dict(config.settings.get(cell.method or "", {}))
        origin |= {"settings": settings, "select": config.grid.select, "protocol": config.grid.protocol}
    if cell.start is not None:
        origin["start"] = dict(config.settings.get(cell.start, {}))
    return origin


def make_key(cell: Cell, origin: Mapping[str, Any]) -> str:
    """Return the hash of settings, data checksums and version; paths and names of files are ignored."""
    checksums = {role: file["sha256"] for role, file in origin["data"].items()}
    content = json.dumps([asdict(cell), {**origin, "data": checksums}], sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()[:32]


def stamp(origin: Mapping[str, Any]) -> dict[str, Any]:
    """Add machine and time of a run to its origin."""
    date = datetime.now(UTC).isoformat(timespec="seconds")
    return {**origin, "date": date, "threads": thread_count(), **_machine()}


@cache
def _machine() -> dict[str, Any]:
    environment = describe_environment()
    return {name: environment[name] for name in ("python", "processor", "dependencies")}
