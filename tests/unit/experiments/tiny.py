"""Languages of a few words whose translation is a known rotation, as files and a sweep over them."""

import json
from pathlib import Path
from typing import Any

import numpy as np

WORDS, DIM = 60, 6
TARGETS = ("de", "fr")

CONFIG = """
source = "en"
targets = ["de", "fr"]

[data]
vectors = "{lang}.vec"
train = "{source}-{target}.train.txt"
test = "{source}-{target}.test.txt"
similarity = ["likeness.txt"]

[grid]
normalize = ["none", "center_length", "iternorm"]
methods = ["procrustes", "refine", "rcsls"]

[settings.refine]
n_iter = 2

[settings.rcsls]
epochs = 3
"""


def write_tiny(folder: Path, config: str = CONFIG) -> Path:
    """Write vectors, dictionaries and a sweep; return the path of the sweep."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((WORDS, DIM)) + 0.5
    _write_vectors(folder / "en.vec", "en", X)
    for lang in TARGETS:
        rotation, _ = np.linalg.qr(rng.standard_normal((DIM, DIM)))
        _write_vectors(folder / f"{lang}.vec", lang, X @ rotation + 0.4 * rng.standard_normal((WORDS, DIM)))
        for part, rows in (("train", range(40)), ("test", range(40, WORDS))):
            lines = [f"en{row} {lang}{row}" for row in rows]
            (folder / f"en-{lang}.{part}.txt").write_text("\n".join(lines) + "\n")
    pairs = rng.integers(0, WORDS, (20, 2)).tolist()
    scores = [f"en{a}\ten{b}\t{X[a] @ X[b]:.3f}" for a, b in pairs]
    (folder / "likeness.txt").write_text("\n".join(scores) + "\n")
    path = folder / "sweep.toml"
    path.write_text(config)
    return path


def _write_vectors(path: Path, lang: str, X: Any) -> None:
    rows = [f"{lang}{row} " + " ".join(f"{value:.5f}" for value in values) for row, values in enumerate(X)]
    path.write_text(f"{len(X)} {X.shape[1]}\n" + "\n".join(rows) + "\n")


def timeless(results: Path) -> list[dict[str, Any]]:
    """Return every line of a results folder, sorted, without dates, times and what depends on the machine."""
    lines = (results / "records.jsonl").read_text("utf-8").split("\n")
    assert lines.pop() == ""
    records = [json.loads(line) for line in lines]
    for record in records:
        del record["seconds"], record["provenance"]["date"], record["provenance"]["threads"]
    return sorted(records, key=lambda record: record["key"])
