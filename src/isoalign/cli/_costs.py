"""Cost estimates of large computations, for ``--dry-run``."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from isoalign._core.display import format_time
from isoalign.cli._console import Console
from isoalign.errors import ParameterError

if TYPE_CHECKING:
    from isoalign.experiments import Work

__all__ = ["DryRun", "count_parts", "print_work"]

DryRun = Annotated[bool, typer.Option("--dry-run", help="Print the cost and stop.")]


def count_parts(path: Path, limit: int | None = None) -> tuple[int, int, int]:
    """Return the numbers of rows, columns and parts of a vector file, without reading its vectors."""
    from isoalign.io import is_parts, list_parts, open_vectors

    stream = open_vectors(path)
    if stream.n_rows is None:
        raise ParameterError(f"{path}: the number of rows is unknown. Convert it to a native folder first.")
    n_rows = stream.n_rows if limit is None else min(stream.n_rows, limit)
    return n_rows, stream.dim, len(list_parts(path)) if is_parts(path) else 1


def print_work(console: Console, name: str, work: "Work") -> None:
    """Print operations, bytes and the estimated time on this machine."""
    from isoalign.experiments import measure_rate

    rate = measure_rate()
    cells = [f"{work.operations / 1e12:.3g}", *(f"{size / 1e9:.3g}" for size in (work.read, work.written))]
    header = ("TFLOP", "GB read", "GB written", "GB shuffled with --dask", "time here")
    row = (*cells, f"{work.shuffled / 1e9:.3g}", format_time(work.seconds(rate)))
    text = f"{console.table([row], header=header)}\n\nat {rate / 1e9:.0f} GFLOP/s, measured on this machine just now"
    console.result(f"{name}-cost", {**asdict(work), "gflop_per_second": rate / 1e9}, text=text)
