"""Sort candidates by a weighted sum of evidence, whose weights are learned from known translations."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isoalign._core.types import DoubleVector, IntVector, Matrix
from isoalign.alignment._evidence import CSLS_SCORE, FEATURES, SPELLING, CandidateEvidence, Queries
from isoalign.errors import FormatError
from isoalign.neighbors import RERANKED

__all__ = ["LEAST_QUERIES", "NO_EVIDENCE", "Reranker", "Weights", "check_weights", "fit_weights"]

Weights = dict[str, float]
NO_EVIDENCE: Weights = {CSLS_SCORE: 1.0}
LEAST_QUERIES = 100
"""Words with a correct candidate that weights can be learned from."""

_PENALTY = 1.0  # on squared weights of standardised evidence
_LEAST_CSLS = (
    0.1  # weight of standardised CSLS without other evidence; less is not informative about the scale of the sum
)
_SUPPORT = 0.995  # share of the right targets that are at most as rare as what a dictionary covers


def check_weights(stored: Any) -> Weights:
    """Return weights of evidence from a saved model; raise an error if they are none that this version knows."""
    if not isinstance(stored, dict):
        raise FormatError(
            f"The weights for re-ranking must be a JSON object. Got {type(stored).__name__}. Align again."
        )
    known = (CSLS_SCORE, *FEATURES, *SPELLING)
    for name, weight in stored.items():
        if name not in known:
            raise FormatError(f"The model is re-ranked by {name!r}, which this version does not know. Align again.")
        if isinstance(weight, bool) or not isinstance(weight, (int, float)) or not math.isfinite(weight):
            raise FormatError(
                f"The weight of {name!r} for re-ranking must be a finite number. Got {weight!r}. Align again."
            )
    return {name: float(weight) for name, weight in stored.items()}


@dataclass(frozen=True)
class Reranker:
    """Sort candidates by a weighted sum of evidence.

    Attributes
    ----------
    queries
        The words whose candidates are sorted.
    weights
        As returned by `fit_weights`.
    """

    queries: Queries
    weights: Weights

    def __call__(self, scores: Matrix, rows: IntVector) -> tuple[Matrix, IntVector]:
        """Return new scores and rows, (q, k), best first.

        Only the first :data:`RERANKED` candidates are sorted, and keep their mean score. The others follow in their
        order, with scores not above these.
        """
        first, others = rows[:, :RERANKED], rows[:, RERANKED:]
        evidence = CandidateEvidence(self.queries, scores[:, :RERANKED], first).measure(list(self.weights))
        sums = evidence @ np.array(list(self.weights.values()))
        sums += scores[:, :RERANKED].mean(axis=1, keepdims=True) - sums.mean(axis=1, keepdims=True)
        order = np.argsort(-sums, axis=1, kind="stable")
        sums = np.take_along_axis(sums, order, axis=1).astype(np.float32)
        rest = np.minimum(scores[:, RERANKED:], sums[:, -1:])
        return np.hstack([sums, rest]), np.hstack([np.take_along_axis(first, order, axis=1), others])


def fit_weights(
    evidence: NDArray[np.float64], rows: IntVector, gold: NDArray[np.bool_], names: tuple[str, ...]
) -> Weights:
    r"""Return the weights of the evidence, by a conditional logit.

    Maximises the likelihood :math:`\prod_q \sum_{c \in \mathrm{gold}} p_q(c)` of the right candidates under
    :math:`p_q(c) \propto \exp(w^\top f_c)`. The evidence must be about maps that never saw the queries. Candidates
    rarer than nearly all right ones are left out: a dictionary of frequent words is not informative about rare ones.

    Parameters
    ----------
    evidence
        Of the candidates of every query, (q, k, f).
    rows
        Rows of the candidates, (q, k).
    gold
        Which candidates are correct, (q, k); queries without any are ignored.
    names
        Kinds of evidence; the first is the score by CSLS.

    Returns
    -------
    weights
        In units of the weight that CSLS has without other evidence. CSLS alone with weight 1 if there are fewer than
        100 queries with a correct candidate, or if CSLS is not informative about them.
    """
    if not gold.any():
        return dict(NO_EVIDENCE)
    covered = rows <= np.quantile(rows[gold], _SUPPORT)
    gold = gold & covered
    useful = gold.any(axis=1)
    if useful.sum() < LEAST_QUERIES:
        return dict(NO_EVIDENCE)
    evidence, covered, gold = evidence[useful], covered[useful], gold[useful]
    alone = _fit_logit(evidence[..., :1], covered, gold, [True])
    if alone[0] * evidence[..., 0].std() < _LEAST_CSLS:
        return dict(NO_EVIDENCE)
    found = _fit_logit(evidence, covered, gold, [name in SPELLING for name in names])
    return {name: float(weight) for name, weight in zip(names, found / alone[0], strict=True) if weight}


def _fit_logit(
    evidence: NDArray[np.float64], covered: NDArray[np.bool_], gold: NDArray[np.bool_], positive: list[bool]
) -> DoubleVector:
    """Return the weights of a conditional logit, (f,); some must be positive, and evidence without spread has none."""
    from scipy.optimize import minimize  # slow to import, and not needed for translation

    spread = evidence.std(axis=(0, 1))
    scale = np.divide(1.0, spread, where=spread > 0, out=np.zeros_like(spread))
    features = (evidence - evidence.mean(axis=(0, 1))) * scale

    def loss(weights: DoubleVector) -> tuple[float, DoubleVector]:
        logits = np.where(covered, features @ weights, -np.inf)
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        among_all = shares / shares.sum(axis=1, keepdims=True)
        shares_of_gold = np.where(gold, shares, 0.0)
        totals = shares_of_gold.sum(axis=1, keepdims=True)
        among_gold = shares_of_gold / totals
        slope = np.einsum("qk,qkf->f", among_all - among_gold, features) + _PENALTY * weights
        value = -np.log(totals[:, 0] / shares.sum(axis=1)).sum() + _PENALTY * weights @ weights / 2
        return float(value), slope

    begin = np.zeros(features.shape[-1])
    begin[0] = 1.0
    bounds = [(0.0 if only else None, None) for only in positive]
    result: DoubleVector = minimize(loss, begin, jac=True, bounds=bounds, method="L-BFGS-B").x * scale
    return result
