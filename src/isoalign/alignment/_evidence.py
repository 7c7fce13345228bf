r"""Evidence about the candidates of a word, beyond their CSLS score.

For a query x in row i and a candidate y in row j:

- ``cosine``, ``plain_cosine``, ``backward_cosine``: the cosine with the query stage of x, without a stage, and with the
  query stage of y;
- ``backward_rank``: :math:`\log(1 + r)`, where r words are better translations of y than x, at most 10;
- ``crowding``: the mean cosine of y and the five candidates nearest to it;
- ``rarity``, ``rarity_gap``: :math:`\log\frac{j + 10}{i + 10}` and its absolute value; rows are sorted by frequency;
- ``spelling``: how similarly x and y are spelled, see `spelling_bonus`;
- ``letters``: how likely x and y are the same word in two spellings, see `LetterModel`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import row_blocks
from isoalign._core.types import IntVector, Matrix
from isoalign.alignment._letters import NO_LETTERS, LetterModel
from isoalign.alignment._spelling import edit_similarities, spelling_bonus
from isoalign.neighbors import RERANKED, AbstractRetriever
from isoalign.neighbors.engine import score_pairs

__all__ = ["CSLS_SCORE", "FEATURES", "FREQUENCY", "LETTERS", "SPELLING", "CandidateEvidence", "Queries"]

CSLS_SCORE = "csls"
LETTERS = "letters"
SPELLING = ("spelling", LETTERS)
FREQUENCY = ("rarity", "rarity_gap")
FEATURES = ("cosine", "plain_cosine", "backward_cosine", "backward_rank", "crowding", *FREQUENCY)
"""Evidence that vectors and the order of words give, beyond the score."""

_BEST = 10  # backward ranks that are told apart
_NEAR = 5
_FREQUENT = 10  # words whose order by frequency says little
_BLOCK = 256


@dataclass(frozen=True)
class Queries:
    """Words of one side, and the side that contains their translations.

    Attributes
    ----------
    words
        The words, (q,).
    rows
        Their rows in the vocabulary, (q,); -1 for a word without a row.
    placed, plain
        Their vectors with and without the query stage, (q, dim), of unit length.
    targets
        Vectors of all targets without a query stage, (m, dim), of unit length.
    target_words
        All targets, (m,).
    place_targets
        Returns the vectors of some rows of the targets with the query stage of the other direction.
    backward_retriever
        Returns the fitted retriever of the other direction, which finds source words; called only if it is needed.
    letters
        Which letters of the queries correspond to which of the targets; needed for ``letters`` only.
    """

    words: Sequence[Any]
    rows: IntVector
    placed: Matrix
    plain: Matrix
    targets: Matrix
    target_words: Sequence[Any]
    place_targets: Callable[[IntVector], Matrix]
    backward_retriever: Callable[[], AbstractRetriever]
    letters: LetterModel = NO_LETTERS


class CandidateEvidence:
    """Candidates of some queries, and the evidence for them.

    Parameters
    ----------
    queries
        The queries.
    scores, rows
        Scores by CSLS and target rows, (q, k), best first.
    """

    def __init__(self, queries: Queries, scores: Matrix, rows: IntVector) -> None:
        self.queries, self.scores, self.rows = queries, scores, rows

    def measure(self, names: Sequence[str]) -> NDArray[np.float64]:
        """Return the evidence of some kinds, (q, k, len(names))."""
        measures: dict[str, Callable[[], NDArray[Any]]] = {
            CSLS_SCORE: lambda: self.scores,
            "cosine": lambda: self._cosines(self.queries.placed, self.queries.targets, self.rows),
            "plain_cosine": lambda: self._cosines(self.queries.plain, self.queries.targets, self.rows),
            "backward_cosine": lambda: self._cosines(self.queries.plain, *self._placed),
            "backward_rank": self._backward_rank,
            "crowding": self._crowding,
            "rarity": self._rarity,
            "rarity_gap": lambda: np.abs(self._rarity()),
            "spelling": lambda: spelling_bonus(self._compare_words(edit_similarities)),
            LETTERS: lambda: self._compare_words(self.queries.letters.score),
        }
        return np.stack([np.asarray(measures[name](), dtype=np.float64) for name in names], axis=-1)

    def _backward_rank(self) -> NDArray[np.float64]:
        placed, places = self._placed
        retriever = self.queries.backward_retriever()
        best = retriever.kneighbors(placed, min(_BEST, len(retriever.targets_)))[1]
        found = best[places] == self.queries.rows[:, None, None]
        return np.log1p(np.where(found.any(axis=2), found.argmax(axis=2), _BEST))

    def _crowding(self) -> Matrix:
        found = np.zeros(self.rows.shape, dtype=np.float32)
        near = min(_NEAR, self.rows.shape[1] - 1)
        if not near:
            return found
        for block in row_blocks(len(self.rows), _BLOCK):
            candidates = self.queries.targets[self.rows[block]]
            cosines = candidates @ candidates[:, :RERANKED].transpose(0, 2, 1)
            diagonal = np.arange(cosines.shape[2])
            cosines[:, diagonal, diagonal] = -np.inf  # itself
            cosines.partition(cosines.shape[2] - near, axis=2)
            found[block] = cosines[:, :, -near:].mean(axis=2)
        return found

    def _rarity(self) -> NDArray[np.float64]:
        own = np.log(self.queries.rows + _FREQUENT)[:, None]
        rarity: NDArray[np.float64] = np.log(self.rows + _FREQUENT) - own
        return np.where(self.queries.rows[:, None] < 0, 0.0, rarity)  # words without a row have no frequency

    def _compare_words(self, compare: Callable[[Sequence[str], Sequence[str], IntVector], Matrix]) -> Matrix:
        return compare(list(map(str, self.queries.words)), self.queries.target_words, self.rows)

    @cached_property
    def _placed(self) -> tuple[Matrix, IntVector]:
        """The distinct candidates as queries of the other direction, and where the candidates are among them."""
        used, places = np.unique(self.rows, return_inverse=True)
        return self.queries.place_targets(used), places.reshape(self.rows.shape)

    def _cosines(self, queries: Matrix, targets: Matrix, rows: IntVector) -> Matrix:
        owners = np.repeat(np.arange(len(rows)), rows.shape[1])
        return score_pairs(queries, targets, owners, rows.ravel()).reshape(rows.shape)
