"""Speed of reading text vectors, compared with the loop over lines with ``np.fromstring`` that other tools use."""

import tempfile
import warnings
from pathlib import Path

import numpy as np

import isoalign as ia
from benchmarks._harness import measure, peak_memory, save

WORDS, DIM, SEED = 100_000, 300, 0


def read_by_lines(path: Path) -> tuple[list[str], np.ndarray]:
    """Read a ``.vec`` file line by line."""
    with path.open(encoding="utf-8", newline="\n", errors="ignore") as file:
        n, dim = map(int, file.readline().split())
        words, vectors = [], np.empty((n, dim), dtype=np.float32)
        for row, line in enumerate(file):
            word, values = line.rstrip().split(" ", 1)
            words.append(word)
            vectors[row] = np.fromstring(values, sep=" ", dtype=np.float32)
    return words, vectors


def write_by_rows(path: Path, words: list[str], vectors: np.ndarray) -> None:
    """Write a ``.vec`` file row by row, five decimals."""
    with path.open("w", encoding="utf-8") as file:
        file.write(f"{len(words)} {vectors.shape[1]}\n")
        for word, vector in zip(words, vectors, strict=True):
            file.write(word + " " + " ".join("%.5f" % value for value in vector) + "\n")  # noqa: UP031


def main() -> None:
    """Measure and save."""
    warnings.simplefilter("ignore", DeprecationWarning)  # np.fromstring is the baseline
    words = [f"word{row}" for row in range(WORDS)]
    made_up = np.random.default_rng(SEED).standard_normal((WORDS, DIM), dtype=np.float32)
    with tempfile.TemporaryDirectory() as folder:
        path, native = Path(folder) / "x.vec", Path(folder) / "x"
        write_by_rows(path, words, made_up)
        ours = ia.read_vectors(path)  # compiles the kernels
        theirs = read_by_lines(path)
        assert ours.index_to_key == theirs[0]
        np.testing.assert_array_equal(ours.vectors, theirs[1])
        ia.write_vectors(ours, native)
        figures = {
            "read_seconds": measure(lambda: ia.read_vectors(path)),
            "line_loop_seconds": measure(lambda: read_by_lines(path), repeat=1),
            "peak_memory_of_matrix": peak_memory(lambda: ia.read_vectors(path)) / made_up.nbytes,
            "native_open_seconds": measure(lambda: ia.read_vectors(native)),
        }
    figures["times_faster"] = figures["line_loop_seconds"] / figures["read_seconds"]
    save("read", {"words": WORDS, "dim": DIM, "seed": SEED, **figures})


if __name__ == "__main__":
    main()
