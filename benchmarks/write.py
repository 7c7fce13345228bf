"""Speed of writing text vectors, compared with ``" ".join("%.5f" % v …)`` per row."""

import tempfile
from pathlib import Path

import numpy as np

import isoalign as ia
from benchmarks._harness import measure, peak_memory, save
from benchmarks.read import DIM, SEED, WORDS, write_by_rows


def main() -> None:
    """Measure and save."""
    words = [f"word{row}" for row in range(WORDS)]
    vectors = np.random.default_rng(SEED).standard_normal((WORDS, DIM), dtype=np.float32)
    embeddings = ia.Embeddings(words, vectors)
    with tempfile.TemporaryDirectory() as folder:
        path, other = Path(folder) / "ours.vec", Path(folder) / "theirs.vec"
        ia.write_vectors(embeddings, path)  # compiles the kernels
        np.testing.assert_array_equal(ia.read_vectors(path).vectors, vectors)
        figures = {
            "write_seconds": measure(lambda: ia.write_vectors(embeddings, path)),
            "row_loop_seconds": measure(lambda: write_by_rows(other, words, vectors), repeat=1),
            "peak_memory_of_matrix": peak_memory(lambda: ia.write_vectors(embeddings, path)) / vectors.nbytes,
            "bytes_a_value": path.stat().st_size / vectors.size,
        }
    figures["times_faster"] = figures["row_loop_seconds"] / figures["write_seconds"]
    save("write", {"words": WORDS, "dim": DIM, "seed": SEED, **figures})


if __name__ == "__main__":
    main()
