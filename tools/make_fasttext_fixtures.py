"""Make the small fastText models of ``tests/data/fasttext`` and the output of the real program for them.

Needs the fastText Python package, which the project itself does not: ``pip install fasttext-wheel 'numpy<2'``, then
``python tools/make_fasttext_fixtures.py``.
"""

import json
import random
import tempfile
from pathlib import Path
from typing import Any

import fasttext

FOLDER = Path(__file__).parent.parent / "tests" / "data" / "fasttext"
SYLLABLES = ["ka", "to", "mi", "ru", "né", "süß", "ло", "ко", "猫", "犬", "😀"]
UNSEEN = ["katoka", "мило", "猫猫犬", "a", "ß", "😀😀", "unseen-word", "</t>", "a b", "x" * 60]
SMALL: dict[str, Any] = {"dim": 5, "minCount": 1, "epoch": 1, "thread": 1, "verbose": 0}


def make_corpus(path: Path, *, labels: int) -> None:
    """Write synthetic sentences, each preceded by one of ``labels`` labels."""
    rng = random.Random(0)
    words = ["".join(rng.choices(SYLLABLES, k=rng.randint(1, 4))) for _ in range(60)]
    with path.open("w", encoding="utf-8") as file:
        for line in range(600):
            label = f"__label__{line % labels} " if labels else ""
            file.write(label + " ".join(rng.choices(words, k=10)) + "\n")


def record(path: Path) -> dict[str, Any]:
    """Return the vectors of the real program for the words of a model and for unseen words."""
    model = fasttext.load_model(str(path))

    def vector(word: str) -> list[float]:
        return [
            float(f"{value:.9g}") for value in model.get_word_vector(word)
        ]  # nine digits distinguish all float32 values

    words = model.get_words()
    return {"words": words, "vectors": [*map(vector, words)], "unseen": {word: vector(word) for word in UNSEEN}}


def main() -> None:
    """Make every model."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        plain, few, many = (Path(folder) / name for name in ("plain.txt", "few.txt", "many.txt"))
        for corpus, labels in ((plain, 0), (few, 3), (many, 260)):
            make_corpus(corpus, labels=labels)
        unsupervised, supervised = fasttext.train_unsupervised, fasttext.train_supervised
        models = {
            "skipgram.bin": unsupervised(str(plain), **SMALL, model="skipgram", bucket=150),
            "cbow.bin": unsupervised(str(plain), **SMALL, model="cbow", minn=1, maxn=3, bucket=97),
            "words_only.bin": unsupervised(str(plain), **SMALL, minn=0, maxn=0),
            "supervised.bin": supervised(str(few), **SMALL, minn=2, maxn=4, bucket=120),
        }
        for name, corpus, settings in (
            ("plain.ftz", few, {"qnorm": False}),
            ("qnorm.ftz", few, {"qnorm": True}),
            ("pruned.ftz", few, {"qnorm": True, "cutoff": 280, "dsub": 3}),
            ("qout.ftz", many, {"qnorm": True, "qout": True}),
        ):
            models[name] = supervised(str(corpus), **SMALL, minn=2, maxn=4, bucket=300)
            models[name].quantize(input=str(corpus), **settings)
        for name, model in models.items():
            model.save_model(str(FOLDER / name))
    old = bytearray((FOLDER / "supervised.bin").read_bytes())
    old[4] = 11  # the version
    (FOLDER / "version11.bin").write_bytes(old)
    expected = {path.name: record(path) for path in sorted(FOLDER.glob("*.[bf]*"))}
    text = json.dumps(expected, ensure_ascii=False, separators=(",", ":"))
    (FOLDER / "expected.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
