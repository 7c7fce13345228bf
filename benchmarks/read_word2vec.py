"""Compare reading and writing word2vec binary files with gensim's ``KeyedVectors``."""

import tempfile
from pathlib import Path

import numpy as np
from gensim.models import KeyedVectors

from benchmarks._harness import measure, peak_memory, save
from isoalign import Embeddings
from isoalign.io._stream import collect, stream_embeddings
from isoalign.io._word2vec import open_stream, write_stream

WORDS, DIM, SEED = 100_000, 300, 0


def main() -> None:
    """Measure and save."""
    vectors = np.random.default_rng(SEED).standard_normal((WORDS, DIM), dtype=np.float32)
    made_up = Embeddings([f"word{row}" for row in range(WORDS)], vectors)
    keyed_vectors = made_up.to_gensim()
    with tempfile.TemporaryDirectory() as folder:
        path, other = Path(folder) / "ours.bin", Path(folder) / "theirs.bin"

        def write() -> None:
            write_stream(stream_embeddings(made_up), path, named=path)

        write()  # compiles the kernels
        np.testing.assert_array_equal(collect(open_stream(path)).vectors, vectors)
        theirs = KeyedVectors.load_word2vec_format(str(path), binary=True)
        np.testing.assert_array_equal(theirs.vectors, vectors)
        figures = {
            "write_seconds": measure(write),
            "gensim_write_seconds": measure(lambda: keyed_vectors.save_word2vec_format(str(other), binary=True)),
            "read_seconds": measure(lambda: collect(open_stream(path))),
            "gensim_read_seconds": measure(lambda: KeyedVectors.load_word2vec_format(str(path), binary=True)),
            "peak_memory_of_matrix": peak_memory(lambda: collect(open_stream(path))) / vectors.nbytes,
        }
    figures["read_times_faster"] = figures["gensim_read_seconds"] / figures["read_seconds"]
    figures["write_times_faster"] = figures["gensim_write_seconds"] / figures["write_seconds"]
    save("read_word2vec", {"words": WORDS, "dim": DIM, "seed": SEED, **figures})


if __name__ == "__main__":
    main()
