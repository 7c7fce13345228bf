r"""A bonus for candidates that are spelled like the query."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import row_blocks
from isoalign._core.compile import compiled
from isoalign._core.threads import map_threads
from isoalign._core.types import FloatVector, IntVector, Matrix

__all__ = ["SpellingBonus", "edit_similarities", "fit_bonus_weight", "spelling_bonus"]

_BLOCK = 256
_DISSIMILAR = 0.4  # similarity of unrelated words by chance


@dataclass(frozen=True)
class SpellingBonus:
    r"""Sort candidates by ``score + weight * bonus``, see `spelling_bonus`.

    Attributes
    ----------
    queries
        The words that are looked up, one for every row of the candidates.
    targets
        All target words.
    weight
        As returned by `fit_bonus_weight`.
    """

    queries: Sequence[str]
    targets: Sequence[str]
    weight: float

    def __call__(self, scores: Matrix, rows: IntVector) -> tuple[Matrix, IntVector]:
        """Return scores with the bonus, and rows, (q, k), best first."""
        bonus = spelling_bonus(edit_similarities(self.queries, self.targets, rows))
        scores = scores + np.float32(self.weight) * bonus
        order = np.argsort(-scores, axis=1, kind="stable")
        return np.take_along_axis(scores, order, axis=1), np.take_along_axis(rows, order, axis=1)


def edit_similarities(queries: Sequence[str], targets: Sequence[str], rows: IntVector) -> Matrix:
    r"""Return the spelling similarity of queries and candidates, (q, k), between 0 and 1.

    .. math:: 1 - \frac{\mathrm{Levenshtein}(a, b)}{\max(|a|, |b|)}

    Parameters
    ----------
    queries
        One word for every row of ``rows``.
    targets
        All target words.
    rows
        Rows of the candidates among the targets, (q, k).
    """
    own, own_starts = _code_points(queries)
    used, places = np.unique(rows, return_inverse=True)
    other, other_starts = _code_points([targets[row] for row in used])
    places = places.reshape(rows.shape)
    found = np.empty(rows.shape, dtype=np.float32)

    def compare(block: slice) -> None:
        _compare_words(block.start, own, own_starts, other, other_starts, places[block], found[block])

    map_threads(compare, row_blocks(len(rows), _BLOCK))
    return found


def spelling_bonus(similarities: Matrix) -> Matrix:
    r"""Return :math:`\max(0, s - 0.4)`."""
    bonus: Matrix = np.maximum(similarities - np.float32(_DISSIMILAR), np.float32(0))
    return bonus


def fit_bonus_weight(scores: Matrix, bonus: Matrix, gold: NDArray[np.bool_]) -> float:
    r"""Return the weight w of the bonus in ``scores + w * bonus``, by a conditional logit.

    Maximises the likelihood :math:`\prod_q \sum_{c \in \mathrm{gold}} p_q(c)` of the right candidates under
    :math:`p_q(c) \propto \exp(\beta\, \mathrm{score}_c + \gamma\, \mathrm{bonus}_c)`; :math:`w = \gamma / \beta`,
    or 0 if it would be negative. The scores must be those of maps that never saw the queries.

    Parameters
    ----------
    scores, bonus
        Scores and bonus of the candidates of every query, (q, k).
    gold
        Which candidates are correct, (q, k); queries without any are ignored.
    """
    from scipy.optimize import minimize  # slow to import, and not needed for translation

    useful = gold.any(axis=1)
    features = np.stack([scores[useful], bonus[useful]], axis=-1).astype(np.float64)
    right = gold[useful]
    if not len(features) or not features[..., 1].any():
        return 0.0
    features[..., 0] -= features[..., 0].max(axis=1, keepdims=True)

    def loss(parameters: FloatVector) -> tuple[float, NDArray[np.float64]]:
        logits = features @ parameters
        weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        among_all = weights / weights.sum(axis=1, keepdims=True)
        weights_of_gold = np.where(right, weights, 0)
        among_gold = weights_of_gold / weights_of_gold.sum(axis=1, keepdims=True)
        slope = np.einsum("qk,qkf->f", among_all - among_gold, features)
        value = -np.log(weights_of_gold.sum(axis=1) / weights.sum(axis=1)).sum()
        return value / len(features), slope / len(features)

    bounds = [(1e-3, 200.0), (0.0, 200.0)]
    found = minimize(loss, np.array([10.0, 1.0]), jac=True, bounds=bounds, method="L-BFGS-B").x
    return float(found[1] / found[0])


def _code_points(words: Sequence[str]) -> tuple[NDArray[np.uint32], IntVector]:
    """Return the concatenated characters of all words, and the start of each word."""
    starts = np.append(0, np.cumsum([len(word) for word in words])).astype(np.int64)
    return np.frombuffer("".join(words).encode("utf-32-le"), dtype=np.uint32), starts


@compiled()
def _edit_distance(a: Any, b: Any) -> Any:
    distances = np.arange(b.shape[0] + 1)
    for i in range(a.shape[0]):
        diagonal = distances[0]
        distances[0] = i + 1
        for j in range(b.shape[0]):
            changed = diagonal + (a[i] != b[j])
            diagonal = distances[j + 1]
            distances[j + 1] = min(changed, diagonal + 1, distances[j] + 1)
    return distances[b.shape[0]]


@compiled()
def _compare_words(
    first: int, own: Any, own_starts: IntVector, other: Any, other_starts: IntVector, places: IntVector, found: Matrix
) -> None:
    for i in range(places.shape[0]):
        a = own[own_starts[first + i] : own_starts[first + i + 1]]
        for k in range(places.shape[1]):
            b = other[other_starts[places[i, k]] : other_starts[places[i, k] + 1]]
            longest = max(a.shape[0], b.shape[0])
            found[i, k] = 1.0 - _edit_distance(a, b) / longest if longest > 0 else 1.0
