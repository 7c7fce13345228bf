"""Compare two systems on the same questions."""

import warnings

import numpy as np

from isoalign._types import RandomState
from isoalign.errors import InvalidValueError, IsoalignWarning, ParameterError
from isoalign.evaluation._protocols import PROTOCOLS
from isoalign.evaluation._results import Answer, BliResult, Comparison, Difference, Disagreement
from isoalign.evaluation._statistics import (
    N_RESAMPLES,
    bootstrap_p,
    mcnemar_exact,
    percentile_interval,
    resample_ratios,
    sum_by_word,
)

__all__ = ["compare"]


def compare(a: BliResult, b: BliResult, *, n_resamples: int = N_RESAMPLES, random_state: RandomState = 0) -> Comparison:
    """Say by how much system ``a`` is better than ``b``, and how sure that is.

    Parameters
    ----------
    a, b
        Results of `evaluate_bli` under one protocol on one test dictionary. Where one vocabulary knows words that the
        other does not, the questions that both were asked are compared.
    n_resamples, random_state
        Paired bootstrap draws over source words, and their seed.

    Returns
    -------
    Comparison
        For every k that both have: the difference with its interval, and two p-values: of the paired bootstrap
        (Koehn 2004) and of McNemar's exact test, which takes questions as independent.
    """
    if a.protocol != b.protocol:
        raise ParameterError(f"Results of one protocol can be compared. Got {a.protocol!r} and {b.protocol!r}.")
    ks = [k for k in a.ks if k in b.ks]
    if not ks:
        raise ParameterError(f"Results must share a k to be compared. Got {a.ks} and {b.ks}.")
    pairs, left_out = _match(a, b)
    if not pairs:
        raise InvalidValueError("The two results share no question. Evaluate both on one test dictionary.")
    if left_out:
        warnings.warn(
            f"{left_out} questions were asked of one system only and are left out; {len(pairs)} are compared.",
            IsoalignWarning,
            stacklevel=2,
        )
    words = [one.word for one, _ in pairs]
    right = np.array([[[answer.is_right(k) for k in ks] for answer in pair] for pair in pairs], dtype=np.float64)
    numerators, denominators = sum_by_word(words, right, np.ones(right.shape[:2]))
    samples = resample_ratios(numerators, denominators, n_resamples=n_resamples, random_state=random_state)
    apart = samples[:, 0] - samples[:, 1]
    lows, highs = percentile_interval(apart)
    difference = {}
    for column, k in enumerate(ks):
        of_a, of_b = right[:, 0, column], right[:, 1, column]
        only_a, only_b = int((of_a > of_b).sum()), int((of_b > of_a).sum())
        difference[k] = Difference(
            a=float(of_a.mean()),
            b=float(of_b.mean()),
            value=(only_a - only_b) / len(pairs),
            ci95=(float(lows[column]), float(highs[column])),
            p_bootstrap=bootstrap_p(apart[:, column]),
            p_mcnemar=mcnemar_exact(only_a, only_b),
            only_a=only_a,
            only_b=only_b,
        )
    disagreements = [_disagree(one, other) for one, other in pairs if one.is_right(ks[0]) != other.is_right(ks[0])]
    return Comparison(a.protocol, len(pairs), len(set(words)), left_out, difference, tuple(disagreements))


def _match(a: BliResult, b: BliResult) -> tuple[list[tuple[Answer, Answer]], int]:
    """Pair the answers to the same questions, in the order of ``a``, and count those without a partner."""
    ours, theirs = _by_question(a), _by_question(b)
    pairs = [(answer, theirs[question]) for question, answer in ours.items() if question in theirs]
    return pairs, len(ours) + len(theirs) - 2 * len(pairs)


def _by_question(result: BliResult) -> dict[tuple[object, ...], Answer]:
    """Key answers by what was asked; the vocabulary may change the right answers of a word, but not the word."""
    per_pair = PROTOCOLS[result.protocol].per_pair
    seen: dict[tuple[object, ...], int] = {}
    found: dict[tuple[object, ...], Answer] = {}
    for answer in result.answers:
        question = (answer.word, answer.gold if per_pair else None)
        seen[question] = seen.get(question, 0) + 1
        found[*question, seen[question]] = answer
    return found


def _disagree(a: Answer, b: Answer) -> Disagreement:
    first_a, first_b = (answer.candidates[0] if answer.candidates else None for answer in (a, b))
    return Disagreement(a.word, a.gold, a.rank, b.rank, first_a, first_b)
