"""Learned inputs, and the files they are learned from: alignments, adapters, plans of joins, stored vectors."""

import json
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

import isoalign as ia
from isoalign.alignment import join_files
from isoalign.cli._join_config import merge_join_config
from isoalign.migration import Adapter, apply_adapter, read_items, read_judgments
from tools._fuzz_base import Files, Format, collect, discard, vectors

__all__ = ["MODEL_FORMATS"]

_PAIRS = ia.Lexicon([(f"w{row}", f"w{row}") for row in range(6)])
_JOIN = """pivot = "en"
refine = 1
reweight = false
refine_pairs = ["en-fr"]
[spaces]
en = "en.vec"
fr = "fr.vec"
[dictionaries]
en-fr = "en-fr.txt"
[weights]
en-fr = 2
"""
_STORES = ("npy", "npz", "jsonl", "fvecs", "fbin", "parquet", "hdf5")


def _models() -> list[Files]:
    def align(method: str, normalize: str) -> ia.Alignment:
        return ia.align(vectors(), vectors(), _PAIRS, method=method, normalize=normalize)

    return [
        _saved(align(*way)) for way in (("procrustes", "iternorm"), ("vecmap", "center_length"), ("kernel", "unit"))
    ]


def _joined() -> list[Files]:
    spaces = {"en": vectors(), "fr": vectors(), "x": vectors().with_vectors(vectors().vectors[:, :2])}
    model = ia.join(spaces, {("en", "fr"): _PAIRS, ("x", "en"): _PAIRS}, middle=True)
    model.compute_means("fr", "x", k=3)
    return [_saved(model)]


def _saved(model: ia.Alignment) -> Files:
    with tempfile.TemporaryDirectory() as folder:
        model.save(Path(folder) / "input")
        return collect(Path(folder))


def _use_model(folder: Path) -> None:
    model = ia.Alignment.load(folder / "input")
    first, second = model.names[:2]
    words = model.raw(first).index_to_key
    ia.Translator(model, source=first, target=second).translate(words[0], k=2)
    ia.induce_lexicon(model, source=first, target=second)
    model.apply(model.raw(second).vectors, second, to=first)


def _use_joined(folder: Path) -> None:
    _use_model(folder)
    model = ia.Alignment.load(folder / "input")
    names = model.names
    model.compute_means(names[1], names[-1], k=3)
    ia.join_into(model, {"new": vectors()}, {("new", names[0]): [("w0", model.raw(names[0]).index_to_key[0])]})


def _adapters() -> list[Files]:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 4)).astype(np.float32)
    kept = []
    for method in ("procrustes", "ridge", "kernel", "mlp", "local"):
        with tempfile.TemporaryDirectory() as folder:
            Adapter(method).fit(X, X @ rng.standard_normal((4, 4)).astype(np.float32)).save(Path(folder) / "input")
            kept.append(collect(Path(folder)))
    return kept


def _use_adapter(folder: Path) -> None:
    adapter = Adapter.load(folder / "input")
    rows = np.ones((3, adapter.n_features_in_), dtype=np.float32)
    adapter.transform(rows)
    adapter.transform(rows[0])
    adapter.has_seen(rows)
    adapter.check(rows)


def _join_plan() -> list[Files]:
    with tempfile.TemporaryDirectory() as folder:
        for name in ("en", "fr"):
            ia.write_vectors(vectors(), Path(folder) / f"{name}.vec")
        ia.write_lexicon(_PAIRS, Path(folder) / "en-fr.txt")
        return [{"join.toml": _JOIN.encode(), **collect(Path(folder))}]


def _use_join_plan(folder: Path) -> None:
    options = ("pivot", "method", "normalize", "refine", "reweight", "middle", "select", "restarts")
    given = dict.fromkeys(options)
    plan = merge_join_config(folder / "join.toml", given, None, None, None, None, members=[])
    join_files(plan.spaces, plan.dictionaries, **plan.options)


def _stored(suffix: str) -> Callable[[], list[Files]]:
    """Return a maker of stored vectors: .npz and .jsonl by hand, the others by an adapter."""

    def make() -> list[Files]:
        X = vectors().vectors
        with tempfile.TemporaryDirectory() as folder:
            path, rows = Path(folder) / f"input.{suffix}", Path(folder) / "rows.npy"
            if suffix == "npz":
                np.savez(path, vectors=X)
            elif suffix == "jsonl":
                lines = [json.dumps({"id": f"w{row}", "embedding": x.tolist()}) for row, x in enumerate(X)]
                path.write_text("\n".join(lines) + "\n", encoding="utf-8")
            else:
                np.save(rows, X)
                apply_adapter(Adapter("procrustes").fit(np.tile(X, (9, 1)), np.tile(X, (9, 1))), rows, path)
            return [{path.name: path.read_bytes()}]

    return make


def _use_stored(suffix: str) -> Callable[[Path], None]:
    return lambda folder: discard(read_items(folder / f"input.{suffix}"))


MODEL_FORMATS: dict[str, Format] = {
    "model": Format(_models, _use_model),
    "model-joined": Format(_joined, _use_joined),
    "adapter": Format(_adapters, _use_adapter),
    "join": Format(_join_plan, _use_join_plan),
    **{f"store-{suffix}": Format(_stored(suffix), _use_stored(suffix)) for suffix in _STORES},
    "judgments": Format(
        lambda: [{"input.txt": b"q1 d1\nq2\td2\n"}, {"input.txt": b"q1 0 d1 1\nq2 0 d2 0\n"}],
        lambda folder: discard(
            read_judgments(folder / "input.txt", queries=["q1", "q2"], documents=["d1", "d2", "d3"])
        ),
    ),
}
