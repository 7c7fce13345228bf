"""Run commands in this process and look at both of their outputs."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import isoalign as ia
from isoalign.cli import app

SMALL = Path(__file__).parent.parent / "reference" / "small"


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


@pytest.fixture
def run():
    def run_command(*arguments: object, stdin: bytes | str | None = None) -> Outcome:
        result = CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Outcome(result.exit_code, result.stdout, result.stderr)

    return run_command


@pytest.fixture(scope="session")
def small_files():
    """Two small vector files and their dictionary."""
    return [SMALL / "source.vec", SMALL / "target.vec", SMALL / "train.txt"]


@pytest.fixture(scope="session")
def small_model(small_files, tmp_path_factory):
    """The folder of an alignment of the two."""
    source, target, lexicon = small_files
    folder = tmp_path_factory.mktemp("small") / "model"
    ia.align(ia.read_vectors(source), ia.read_vectors(target), ia.read_lexicon(lexicon)).save(folder)
    return folder


@pytest.fixture(scope="session")
def animals(tmp_path_factory):
    """The folder of an alignment of a few words; each has its translation at the same row."""
    folder = tmp_path_factory.mktemp("animals") / "model"
    vectors = np.eye(5, dtype=np.float32)
    en = ia.Embeddings(["cat", "dog", "Tokyo", "New York", "river"], vectors, lang="en")
    ja = ia.Embeddings(["猫", "犬", "東京", "紐育, NY", "川"], vectors, lang="ja")
    ia.Alignment.from_matrix(None, source=en, target=ja).save(folder)
    return folder
