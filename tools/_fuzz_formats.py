"""Small valid inputs of every format that isoalign reads, and how a user would use them."""

import csv
import io
import json
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path

import isoalign as ia
from isoalign.errors import IsoalignError, IsoalignWarning
from isoalign.evaluation import read_results
from isoalign.experiments import load_records, read_config
from isoalign.io import FLOAT_TYPES, map_tensors, read_counts, read_model_tensors, read_similarity, summarize_file
from isoalign.reporting import build_report, format_records
from tools._fuzz_base import Files, Format, collect, discard, vectors
from tools._fuzz_models import MODEL_FORMATS

__all__ = ["FORMATS", "check_input"]

_FASTTEXT = Path(__file__).parent.parent / "tests" / "data" / "fasttext"
_PAIRS = "w0\tw1\nw1\tw2\nw2\tw0\nw3\tw4\nw4\tw4\n"
_SWEEP = """source = "en"
targets = ["de", "fr"]
[data]
vectors = "{lang}.vec"
train = "{source}-{target}.train.txt"
test = {de = "a.txt", fr = "b.txt"}
limit = 10
[grid]
normalize = ["none", "iternorm"]
methods = ["procrustes", "rcsls"]
seeds = [0, 1]
[settings.rcsls]
lr = 10
epochs = 3
"""


def check_input(name: str, folder: Path) -> str | None:
    """Use one input; return a description of any exception that is not an error of isoalign."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", IsoalignWarning)
            FORMATS[name].use(folder)
    except IsoalignError as error:
        return None if str(error) else f"{error!r} without a message"
    except Exception as error:  # noqa: BLE001  (that is what is looked for)
        return repr(error)[:300]
    return None


def _written(name: str) -> Callable[[], list[Files]]:
    """Return a maker that writes the vectors under a name, which may be a folder."""

    def make() -> list[Files]:
        with tempfile.TemporaryDirectory() as folder:
            ia.write_vectors(vectors(), Path(folder) / name)
            return [collect(Path(folder))]

    return make


def _records() -> list[Files]:
    values = {
        "precision": {"1": 0.5, "5": 0.6, "10": 0.7},
        "ci95": {k: [0.4, 0.6] for k in ("1", "5", "10")},
        "n": 10,
        "coverage": 1.0,
        "chosen": {"n_iter": 1},
        "rounds": [0.1, 0.2],
        "best_on_test": 0.5,
        "words": [f"w{row}" for row in range(10)],
        "ranks": [1, 2, None, 1, 1, 1, 1, 2, 3, 4],
    }
    similarity = {"spearman": 0.5, "ci95": [0.4, 0.6], "pearson": 0.5, "n": 300, "coverage": 0.9}
    side = {"mean_norm": 0.1, "min_length": 1.0, "max_length": 2.0}
    cells = [
        ("bli", "ja", "procrustes", "csls", None, values),
        ("similarity", None, None, None, "men", similarity),
        ("conditions", "ja", None, None, None, {"source": side, "target": side}),
    ]
    lines = [
        json.dumps(
            {
                "key": str(number),
                "cell": {
                    "kind": kind,
                    "source": "en",
                    "target": target,
                    "normalize": "iternorm",
                    "method": method,
                    "retrieval": retrieval,
                    "seed": 0,
                    "dataset": dataset,
                },
                "values": content,
                "provenance": {"date": "2024-01-01T00:00:00+00:00", "threads": 1},
                "seconds": 1.0,
            }
        )
        for number, (kind, target, method, retrieval, dataset, content) in enumerate(cells)
    ]
    return [{"records.jsonl": ("\n".join(lines) + "\n").encode()}]


def _results() -> list[Files]:
    pairs = ia.Lexicon([(f"w{row}", f"w{row}") for row in range(6)])
    model = ia.align(vectors(), vectors(), pairs)
    return [{"input": json.dumps({"results": [ia.evaluate_bli(model, pairs).to_dict()]}).encode()}]


def _csv() -> list[Files]:
    out = io.StringIO()
    csv.writer(out).writerows([("a b", 'c "d"'), ("e,f", "g")])
    return [{"input.csv": out.getvalue().encode()}]


def _packed() -> list[Files]:
    names = [f"input.vec{suffix}" for suffix in (".gz", ".bz2", ".xz", ".zst")]
    return [{"input.vec": _written(name)()[0][name]} for name in names]


def _use_vectors(name: str, **options: str) -> Callable[[Path], None]:
    def use(folder: Path) -> None:
        vectors = ia.read_vectors(folder / name, **options)
        words = vectors.index_to_key
        if len(words) and vectors.vector_size:
            ia.most_similar(vectors, words[0], k=2)
            ia.normalize(vectors, "center_length")
        if vectors.subwords is not None:
            vectors.subwords.vector("unseen")

    return use


def _use_records(folder: Path) -> None:
    records = load_records(folder)
    for name in ("markdown", "latex", "csv"):
        format_records(records, name)
    build_report(records, title="fuzz")


def _use_sweep(folder: Path) -> None:
    config = read_config(folder / "input.toml")
    config.data.vectors_of(config.languages[0])


def _use_lexicon(name: str) -> Callable[[Path], None]:
    def use(folder: Path) -> None:
        discard(ia.read_lexicon(folder / name).inverse())

    return use


def _use_summary(folder: Path) -> None:
    discard(summarize_file(folder / "input.vec", on_bad="skip").to_dict())


def _use_model_tensors(folder: Path) -> None:
    for tensor in read_model_tensors(folder / "input").tensors.values():
        discard(tensor.to_float32() if tensor.dtype in FLOAT_TYPES else tensor.data.sum())


def _fasttext(*names: str) -> Callable[[], list[Files]]:
    return lambda: [{"input": (_FASTTEXT / name).read_bytes()} for name in names]


FORMATS: dict[str, Format] = {
    "text": Format(_written("input.vec"), _use_vectors("input.vec")),
    "text-skip": Format(_written("input.vec"), _use_vectors("input.vec", on_bad="skip", duplicates="keep")),
    "text-float64": Format(_written("input.vec"), _use_vectors("input.vec", dtype="float64")),
    "summary": Format(_packed, _use_summary),
    "glove": Format(_written("input.txt"), _use_vectors("input.txt")),
    "packed": Format(_packed, _use_vectors("input.vec")),
    "word2vec": Format(_written("input.bin"), _use_vectors("input.bin", format="word2vec")),
    "word2vec-skip": Format(_written("input.bin"), _use_vectors("input.bin", on_bad="skip")),
    "fasttext": Format(_fasttext("cbow.bin", "skipgram.bin", "words_only.bin"), _use_vectors("input")),
    "fasttext-classifier": Format(_fasttext("supervised.bin", "version11.bin"), _use_vectors("input")),
    "fasttext-quantized": Format(_fasttext("plain.ftz", "pruned.ftz", "qnorm.ftz"), _use_vectors("input")),
    "numpy": Format(_written("input.npy"), _use_vectors("input.npy")),
    "native": Format(_written("input"), _use_vectors("input")),
    "native-keep": Format(_written("input"), _use_vectors("input", duplicates="keep", on_bad="skip")),
    "safetensors": Format(
        lambda: [{"input": _written("x")()[0]["x/vocabulary.safetensors"]}],
        lambda folder: discard(map_tensors(folder / "input")),
    ),
    "model-tensors": Format(
        lambda: [{"input": _written("x")()[0][f"x/{name}.safetensors"]} for name in ("vectors", "vocabulary")],
        _use_model_tensors,
    ),
    **MODEL_FORMATS,
    "counts": Format(
        lambda: [{"input.txt": b"a\t15\nb\t2\n"}], lambda folder: discard(read_counts(folder / "input.txt"))
    ),
    "dictionary": Format(lambda: [{"input.txt": _PAIRS.encode()}], _use_lexicon("input.txt")),
    "dictionary-csv": Format(_csv, _use_lexicon("input.csv")),
    "similarity": Format(
        lambda: [{"input.txt": b"a\tb\t1.5\nc\td\t2\n"}], lambda folder: discard(read_similarity(folder / "input.txt"))
    ),
    "sweep": Format(lambda: [{"input.toml": _SWEEP.encode()}], _use_sweep),
    "records": Format(_records, _use_records),
    "results": Format(
        _results, lambda folder: discard([result.to_dict() for result in read_results(folder / "input")])
    ),
}
