"""Compare reading the vectors of a fastText ``.bin`` with gensim's ``load_facebook_vectors``."""

import struct
import tempfile
from pathlib import Path

import numpy as np
from gensim.models.fasttext import load_facebook_vectors

from benchmarks._harness import measure, peak_memory, save
from isoalign.io._fasttext import open_stream
from isoalign.io._stream import collect

WORDS, DIM, BUCKET, SEED = 100_000, 300, 200_000, 0


def make_model(path: Path) -> None:
    """Write a synthetic skip-gram model with words of 4 to 12 letters and n-grams of 3 to 6."""
    rng = np.random.default_rng(SEED)
    letters = np.array(list("abcdefghijklmnopqrstuvwxyzäöüéèñçşığ"))
    words: set[str] = set()
    while len(words) < WORDS:
        words.add("".join(rng.choice(letters, rng.integers(4, 13))))
    with path.open("wb") as file:
        file.write(struct.pack("<2i12id", 793712314, 12, DIM, 5, 5, 1, 5, 1, 2, 2, BUCKET, 3, 6, 100, 1e-4))
        file.write(struct.pack("<3i2q", WORDS, WORDS, 0, WORDS, -1))
        for word in sorted(words):
            file.write(word.encode() + struct.pack("<bqb", 0, 1, 0))
        for kind, rows in (("input", WORDS + BUCKET), ("output", WORDS)):
            file.write(struct.pack("<?2q", False, rows, DIM))
            matrix = rng.standard_normal((rows, DIM), dtype=np.float32) if kind == "input" else np.zeros((rows, DIM))
            file.write(matrix.astype("<f4").data)


def main() -> None:
    """Measure and save."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.bin"
        make_model(path)
        ours = collect(open_stream(path))  # compiles the kernels
        theirs = load_facebook_vectors(str(path))
        difference = float(np.abs(ours.vectors - theirs.vectors).max())
        matrix_bytes = ours.vectors.nbytes
        del ours, theirs
        read = measure(lambda: collect(open_stream(path)))
        gensim = measure(lambda: load_facebook_vectors(str(path)))
        memory = peak_memory(lambda: collect(open_stream(path)))
    save(
        "read_fasttext",
        {
            "words": WORDS,
            "dim": DIM,
            "bucket": BUCKET,
            "seed": SEED,
            "seconds": read,
            "gensim_seconds": gensim,
            "times_faster": gensim / read,
            "largest_difference": difference,
            "peak_memory_of_matrix": memory / matrix_bytes,
        },
    )


if __name__ == "__main__":
    main()
