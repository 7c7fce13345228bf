"""Measure how long opening a native folder takes, for a few and for two million words."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks._harness import measure, peak_memory, save
from isoalign._core.arrays import row_blocks
from isoalign.io._native import open_native, write_stream
from isoalign.io._stream import Block, VectorStream

WORDS, DIM, SEED = 2_000_000, 100, 0


def make_folder(path: Path, n: int) -> None:
    """Write synthetic vectors block by block."""
    rng = np.random.default_rng(SEED)

    def blocks() -> Iterator[Block]:
        for rows in row_blocks(n):
            words = [f"word{row}" for row in range(rows.start, rows.stop)]
            yield Block(words, rng.standard_normal((len(words), DIM), dtype=np.float32))

    path.mkdir()
    write_stream(VectorStream(blocks(), dim=DIM, n_rows=n), path, named=path)


def main() -> None:
    """Measure and save."""
    with tempfile.TemporaryDirectory() as folder:
        small, large = Path(folder) / "small", Path(folder) / "large"
        make_folder(small, 1000)
        make_folder(large, WORDS)
        save(
            "open_native",
            {
                "words": WORDS,
                "dim": DIM,
                "seed": SEED,
                "open_1000_words_ms": 1000 * measure(lambda: open_native(small), repeat=5),
                "open_ms": 1000 * measure(lambda: open_native(large), repeat=5),
                "first_row_ms": 1000 * measure(lambda: open_native(large).vectors[WORDS // 2].sum(), repeat=5),
                "peak_memory_bytes": peak_memory(lambda: open_native(large)),
                "first_look_up_ms": 1000 * measure(lambda: open_native(large).get_index("word7"), repeat=1),
            },
        )


if __name__ == "__main__":
    main()
