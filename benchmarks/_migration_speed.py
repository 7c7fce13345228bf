"""Speed of changing the embedding model: a whole file, one query, and the training of a network."""

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks._harness import measure, measure_together
from benchmarks._migration_cases import SEED, MigrationCase
from isoalign._core.arrays import row_blocks
from isoalign.migration import Adapter, PairedRows, apply_adapter
from isoalign.migration._selection import fit_map

__all__ = ["time_apply", "time_mlp", "time_one_query"]

DIM = 384


def time_apply(n: int = 200_000) -> dict[str, float]:
    """Return how fast a file is mapped, beside copying it and beside the bare product."""
    rows, adapter, W = _prepare()
    with tempfile.TemporaryDirectory() as folder:
        path, copy, output = (Path(folder) / name for name in ("big.npy", "copy.npy", "out.npy"))
        np.save(path, np.tile(rows, (n // len(rows), 1)))
        mapped = np.load(path, mmap_mode="r")

        def multiply() -> None:
            for block in row_blocks(len(mapped)):
                np.matmul(mapped[block], W)

        def copy_file() -> None:
            shutil.copyfile(path, copy)
            with copy.open("rb") as file:
                os.fsync(file.fileno())

        def remove() -> None:
            copy.unlink()
            output.unlink()

        times = measure_together(
            {
                "copy": copy_file,
                "product": multiply,
                "apply": lambda: apply_adapter(adapter, path, output),
                "removal": remove,  # replacing a file would be timed too
            },
            repeat=7,
        )
    clock = {name: found.clock for name, found in times.items() if name != "removal"}
    seconds = {f"{name}_seconds": value for name, value in clock.items()}
    return {**seconds, "apply_ratio": max(clock["copy"], clock["product"]) / clock["apply"]}


def time_one_query(calls: int = 100) -> dict[str, float]:
    """Return what ``transform`` of one vector costs beyond the bare product, in microseconds."""
    rows, adapter, W = _prepare()
    one = rows[0]
    times = measure_together(
        {
            "transform": _repeated(lambda: adapter.transform(one), calls),
            "bare": _repeated(lambda: one[None] @ W, calls),
        },
        repeat=100,  # many short turns: one long one would meet other programs
    )
    return {"transform_overhead_microseconds": (times["transform"].clock - times["bare"].clock) / calls * 1e6}


def time_mlp(case: MigrationCase) -> dict[str, float]:
    """Return how long a network trains on 16,000 pairs."""
    rows = case.fitted[:16000]
    pairs = PairedRows.from_rows(case.old[rows], case.new[rows])
    return {"mlp_seconds_16000": measure(lambda: fit_map(pairs, "mlp", {}), repeat=1)}


def _prepare() -> tuple[np.ndarray, Adapter, np.ndarray]:
    """Return unit rows with a mean, an adapter between two orders of their columns, and a matrix."""
    rng = np.random.default_rng(SEED)
    rows = rng.standard_normal((2000, DIM), dtype=np.float32) + 0.3
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    adapter = Adapter("ridge", settings={"ridge": 0.1}).fit(rows, rows[:, ::-1])
    return rows, adapter, rng.standard_normal((DIM, DIM), dtype=np.float32)


def _repeated(function: Callable[[], Any], calls: int) -> Callable[[], None]:
    def repeat() -> None:
        for _ in range(calls):
            function()

    return repeat
