"""Items embedded by an old and a new model: which ones adapters may be fitted on, and which ones judge them."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import isoalign as ia
from isoalign._core.types import IntVector, Matrix

__all__ = ["JUDGED", "SEED", "MigrationCase", "text_case", "word_case"]

SEED = 0
FIRST_FITTED, JUDGED = 2000, 1000  # documents from which on adapters are fitted; queries that judge


class MigrationCase(NamedTuple):
    """Documents, queries and judgments of an old and a new model.

    Attributes
    ----------
    old, new
        Documents of both models; rows correspond.
    queries
        Judged queries of both models; None: words are their own queries.
    relevant
        The relevant document of every judged query, or None.
    more_queries
        Other queries of both models, which may be fitted on.
    fitted
        Documents that adapters may be fitted on, in random order.
    """

    old: Matrix
    new: Matrix
    queries: tuple[Matrix, Matrix] | None
    relevant: Any
    more_queries: tuple[Matrix, Matrix] | None
    fitted: IntVector


def text_case(folder: Path, old: str, new: str = "minilm384") -> MigrationCase:
    """Return WordNet definitions embedded by two models, and queries."""
    docs = [np.load(folder / f"{name}.docs.npy").astype(np.float32) for name in (old, new)]
    queries = [np.load(folder / f"{name}.queries.npy").astype(np.float32) for name in (old, new)]
    fitted = np.random.default_rng(SEED).permutation(np.arange(FIRST_FITTED, len(docs[0])))
    judged, others = ((side[0], side[1]) for side in ([q[:JUDGED] for q in queries], [q[JUDGED:] for q in queries]))
    return MigrationCase(docs[0], docs[1], judged, np.arange(JUDGED), others, fitted)


def word_case(folder: Path) -> MigrationCase:
    """Return English words that GloVe and spaCy share; the last 2,000 in random order judge."""
    glove, spacy = (ia.read_vectors(folder / f"en.{name}.vec.gz") for name in ("glove100", "spacymd300"))
    shared = [word for word in glove.index_to_key if word in spacy]
    order = np.random.default_rng(SEED).permutation(len(shared))
    old, new = (one.vectors[one.find_rows(shared)][order].astype(np.float32) for one in (glove, spacy))
    return MigrationCase(old, new, None, None, None, np.arange(len(shared) - 2000))
