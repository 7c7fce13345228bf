"""Compare two systems on the same questions."""

import warnings
from collections.abc import Sequence

import numpy as np

from isoalign._core.types import RandomState
from isoalign.errors import InvalidValueError, IsoalignWarning, ParameterError
from isoalign.evaluation._protocols import PROTOCOLS
from isoalign.evaluation._results import Answer, BliResult, Comparison, Difference, Disagreement
from isoalign.evaluation._statistics import (
    N_RESAMPLES,
    bootstrap_p,
    mcnemar_exact,
    percentile_interval,
    resample_mean,
    sum_by_word,
)

__all__ = ["compare", "compare_ranks"]


def compare_ranks(
    words: Sequence[str],
    a: Sequence[int | None],
    b: Sequence[int | None],
    *,
    k: int = 1,
    n_resamples: int = N_RESAMPLES,
    random_state: RandomState = 0,
) -> Difference:
    """Compare the precision of two systems that answered the same questions.

    Parameters
    ----------
    words
        Source word of each question, (q,). Questions about the same word are resampled together.
    a, b
        Rank of the best correct answer of each system to each question, (q,); None if it was not found.
    k
        An answer is correct if its rank is at most k.
    n_resamples, random_state
        Number of resamples of the paired bootstrap over source words, and its seed.
    """
    if not 0 < len(words) == len(a) == len(b):
        raise InvalidValueError(
            f"Systems must be compared on the same questions. Got {len(words)} words, {len(a)} and {len(b)} ranks."
        )
    right_a, right_b = (
        np.array([rank is not None and rank <= k for rank in ranks], dtype=np.float64) for ranks in (a, b)
    )
    totals, sizes = sum_by_word(words, right_a - right_b, np.ones(len(words)))
    samples = resample_mean(totals, sizes, n_resamples=n_resamples, random_state=random_state)
    low, high = percentile_interval(samples)
    only_a, only_b = int((right_a > right_b).sum()), int((right_b > right_a).sum())
    return Difference(
        a=float(right_a.mean()),
        b=float(right_b.mean()),
        value=(only_a - only_b) / len(words),
        ci95=(float(low), float(high)),
        p_bootstrap=bootstrap_p(samples),
        p_mcnemar=mcnemar_exact(only_a, only_b),
        only_a=only_a,
        only_b=only_b,
    )


def compare(a: BliResult, b: BliResult, *, n_resamples: int = N_RESAMPLES, random_state: RandomState = 0) -> Comparison:
    """Estimate the difference in precision between two systems, with confidence intervals and tests.

    Parameters
    ----------
    a, b
        Results of `evaluate_bli` with the same protocol and test dictionary. If the vocabularies differ, only the
        questions that both systems were asked are compared.
    n_resamples, random_state
        Number of resamples of the paired bootstrap over source words, and its seed.

    Returns
    -------
    Comparison
        For every k that both results have: the difference with its 95 % interval, the p-value of the paired bootstrap
        (Koehn 2004), and that of McNemar's exact test, which assumes that questions are independent.
    """
    if a.protocol != b.protocol:
        raise ParameterError(
            f"Results must have the same protocol to be compared. Got {a.protocol!r} and {b.protocol!r}."
        )
    ks = [k for k in a.ks if k in b.ks]
    if not ks:
        raise ParameterError(f"Results must share a k to be compared. Got {a.ks} and {b.ks}.")
    pairs, left_out = _match(a, b)
    if not pairs:
        raise InvalidValueError("The two results share no question. Evaluate both on one test dictionary.")
    if left_out:
        warnings.warn(
            f"{left_out} questions were asked of one system only and are ignored; {len(pairs)} are compared.",
            IsoalignWarning,
            stacklevel=2,
        )
    words = [one.word for one, _ in pairs]
    ranks_a, ranks_b = ([answer.rank for answer in side] for side in zip(*pairs, strict=True))
    difference = {
        k: compare_ranks(words, ranks_a, ranks_b, k=k, n_resamples=n_resamples, random_state=random_state) for k in ks
    }
    disagreements = [_disagree(one, other) for one, other in pairs if one.is_right(ks[0]) != other.is_right(ks[0])]
    return Comparison(a.protocol, len(pairs), len(set(words)), left_out, difference, tuple(disagreements))


def _match(a: BliResult, b: BliResult) -> tuple[list[tuple[Answer, Answer]], int]:
    """Pair the answers to the same questions, in the order of ``a``, and count the questions without a partner."""
    ours, theirs = _by_question(a), _by_question(b)
    pairs = [(answer, theirs[question]) for question, answer in ours.items() if question in theirs]
    return pairs, len(ours) + len(theirs) - 2 * len(pairs)


def _by_question(result: BliResult) -> dict[tuple[object, ...], Answer]:
    """Index answers by question. The correct answers of a word may depend on the vocabulary, the word does not."""
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
