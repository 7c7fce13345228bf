"""Align two vector files with a dictionary, translate, measure, and keep the result.

    python examples/align_two_files.py SOURCE.vec TARGET.vec TRAIN.txt TEST.txt MODEL

Without arguments it writes the embedded English-Japanese sample to files first and uses those.
"""

import sys
import tempfile
from pathlib import Path

import isoalign as ia


def write_sample(folder: Path) -> list[Path]:
    """Write the sample as the files that the script expects, and return their names."""
    sample = ia.load_sample()
    files = [folder / name for name in ("en.vec", "ja.vec", "train.txt", "test.txt", "model")]
    ia.write_vectors(sample.source, files[0])
    ia.write_vectors(sample.target, files[1])
    ia.write_lexicon(sample.train, files[2])
    ia.write_lexicon(sample.test, files[3])
    return files


def main(source: Path, target: Path, train: Path, test: Path, model_folder: Path) -> None:
    """Do the work."""
    model = ia.align(
        ia.read_vectors(source),
        ia.read_vectors(target),
        ia.read_lexicon(train),
        method="procrustes",
        normalize="iternorm",
    )
    model.compute_means()  # kept with the model, so that looking words up is quick
    model.save(model_folder)

    model = ia.Alignment.load(model_folder)
    for word in model.raw(model.names[0]).index_to_key[1000:1005]:
        best = ia.Translator(model).translate(word, k=3)
        print(word, "→", ", ".join(f"{found.word} ({found.score:.2f})" for found in best))
    print(ia.evaluate_bli(model, ia.read_lexicon(test)))


if __name__ == "__main__":
    if len(sys.argv) == 6:
        main(*map(Path, sys.argv[1:]))
    else:
        with tempfile.TemporaryDirectory() as name:
            main(*write_sample(Path(name)))
