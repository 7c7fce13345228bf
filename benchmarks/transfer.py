"""Time of transferring a whole vocabulary: vectors of tokens, nearest tokens, new matrix, file.

``python -m benchmarks.transfer [TOKENS]`` transfers that many tokens (default 50,000) to as many, whose vectors have
300 columns, for a float16 matrix of 768 columns. The tokens are the words of synthetic vocabularies, so every
token has evidence and is compared with all others.
"""

import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import isoalign as ia
from benchmarks._harness import Seconds, save
from benchmarks._spaces import realistic_pair
from isoalign.io import StoredTensor, write_model_tensors
from isoalign.transfer import TransferredFile, transfer_file

DIM, COLUMNS, SEED = 300, 768, 0


def write_tokenizer(words: list[str], path: Path) -> None:
    """Write a tokenizer of whole words."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    vocabulary = {word: number for number, word in enumerate(["<unk>", *words])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.add_special_tokens(["<unk>"])
    tokenizer.save(str(path))


def run(n: int, folder: Path) -> tuple[Seconds, TransferredFile]:
    """Return the seconds of one transfer, and its result."""
    X, Y, _ = realistic_pair(n, DIM, 10, seed=SEED)
    sides = []
    for name, vectors in (("s", X), ("t", Y)):
        words = [f"{name}{number}" for number in range(n)]
        sides.append(ia.Embeddings(words, vectors))
        write_tokenizer(words, folder / f"{name}.json")
    E = np.random.default_rng(SEED).standard_normal((n + 1, COLUMNS), dtype=np.float32)
    write_model_tensors(folder / "old.safetensors", {"wte": StoredTensor.from_values(E, "F16")}, {}, overwrite=True)
    model = ia.Alignment.from_matrix(None, source=sides[0], target=sides[1])
    clock, processor = time.perf_counter(), time.process_time()
    done = transfer_file(
        model,
        folder / "s.json",
        folder / "t.json",
        folder / "old.safetensors",
        folder / "new.safetensors",
        overwrite=True,
    )
    return Seconds(time.perf_counter() - clock, time.process_time() - processor), done


def main(n: int) -> None:
    """Measure and save."""
    with tempfile.TemporaryDirectory() as folder:
        run(1000, Path(folder))  # compile
        seconds, done = run(n, Path(folder))
    save(
        "transfer",
        {
            "tokens": n,
            "dim": DIM,
            "columns": COLUMNS,
            "seed": SEED,
            "rules": done.transfer.counts(),
            "clock_seconds": seconds.clock,
            "processor_seconds": seconds.processor,
        },
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 50_000)
