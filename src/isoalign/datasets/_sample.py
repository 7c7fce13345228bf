"""The sample inside the package: English and Japanese vectors with a dictionary."""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from isoalign.io import map_tensors, read_lexicon
from isoalign.lexicon import Lexicon
from isoalign.vectors import Embeddings
from isoalign.vocabulary import Vocabulary

__all__ = ["Credit", "Sample", "load_sample", "sample_credits"]

_FOLDER = Path(__file__).parent / "sample"


@dataclass(frozen=True)
class Credit:
    """Origin and licence of a part of the sample.

    Attributes
    ----------
    files
        Names of the files in the package.
    what, author, homepage
        Description, author and web page.
    licence
        SPDX identifier; the text of the licence is stored with the data.
    source, changes
        Original data, and how it was changed.
    acknowledgement
        Sentence to print wherever words of this part are shown.
    """

    files: tuple[str, ...]
    what: str
    author: str
    licence: str
    homepage: str
    source: str
    changes: str
    acknowledgement: str


@dataclass(frozen=True)
class Sample:
    """Two embeddings, a training and a test dictionary without common source words, and their credits."""

    source: Embeddings
    target: Embeddings
    train: Lexicon
    test: Lexicon
    about: tuple[Credit, ...] = field(repr=False)


def load_sample() -> Sample:
    """Load the embedded sample: 8,000 English and 8,000 Japanese words, 300 dimensions, and a dictionary.

    Vectors keep their original lengths and mean. They are stored with 8 bits per value, which changes P@1 by less than
    one point (``benchmarks/results/sample.json``). Japanese words are in Sudachi's normalised form: 為る, not する.

    Examples
    --------
    >>> sample = load_sample()
    >>> sample.source, sample.target
    (Embeddings(8000 × 300, lang='en'), Embeddings(8000 × 300, lang='ja'))
    >>> sample.train.translations["cat"]
    ['猫']
    """
    credits_ = sample_credits()
    return Sample(
        source=_load_vectors("en", credits_[0]),
        target=_load_vectors("ja", credits_[1]),
        train=read_lexicon(_FOLDER / "train.txt"),
        test=read_lexicon(_FOLDER / "test.txt"),
        about=credits_,
    )


def sample_credits() -> tuple[Credit, ...]:
    """Return the credits of the sample without loading it."""
    about = tomllib.loads((_FOLDER / "about.toml").read_text("utf-8"))
    return tuple(Credit(**{**credit, "files": tuple(credit["files"])}) for credit in about["credit"])


def _load_vectors(lang: str, credit: Credit) -> Embeddings:
    tensors = map_tensors(_FOLDER / f"{lang}.safetensors")
    vectors = tensors["vectors"] * tensors["scales"][:, np.newaxis]
    words = Vocabulary.from_packed(tensors["bytes"], tensors["offsets"])
    return Embeddings(words, vectors, lang=lang, metadata={"source": credit.source, "licence": credit.licence})
