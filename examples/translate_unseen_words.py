"""Translate words that have no vector, using the subwords of a fastText model.

    python examples/translate_unseen_words.py SOURCE.bin TARGET.bin WORD…

Without arguments, it maps between two tiny models from the tests, skip-gram and CBOW models of one synthetic corpus;
words that are spelled the same in both form the dictionary.
"""

import sys
from pathlib import Path

import isoalign as ia

MODELS = Path(__file__).parent.parent / "tests" / "data" / "fasttext"


def main(source: Path, target: Path, words: list[str]) -> None:
    """Align two models by identical words and translate unseen ones."""
    source_vectors, target_vectors = ia.read_vectors(source), ia.read_vectors(target)
    model = ia.align(source_vectors, target_vectors, "identical", method="procrustes")
    translator = ia.Translator(model)
    for word in words:
        known = "known" if word in source_vectors else "made from its n-grams"
        print(f"{word} ({known}):", ", ".join(found.word for found in translator.translate(word, k=3)))


if __name__ == "__main__":
    if len(sys.argv) > 3:
        main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
    else:
        first = ia.read_vectors(MODELS / "skipgram.bin").index_to_key[-1]
        main(MODELS / "skipgram.bin", MODELS / "cbow.bin", [first, first + first, "unheardof"])
