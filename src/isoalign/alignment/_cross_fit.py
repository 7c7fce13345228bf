"""Cross-fitting: each fold of the dictionary is mapped by maps learned from the others."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.validate import check_count
from isoalign.alignment._base import AbstractAligner, Maps
from isoalign.alignment._problem import Problem
from isoalign.errors import InvalidValueError

__all__ = ["Fold", "cross_fit"]


class Fold(NamedTuple):
    """Maps, and the mask of pairs that they were not learned from, (p,)."""

    maps: Maps
    held_out: NDArray[np.bool_]


def cross_fit(
    problem: Problem, aligner: AbstractAligner, *, n_folds: int, progress: Progress = ignore_progress
) -> Iterator[Fold]:
    """Fit an aligner once for each fold, without the source words of that fold.

    Parameters
    ----------
    problem
        With pairs; all pairs of a source word are in the same fold.
    aligner
        Not changed; copies are fitted.
    n_folds
        Number of folds, at least 2.
    progress
        Progress callback.
    """
    n_folds = check_count(n_folds, name="n_folds", minimum=2)
    sources, owners = np.unique(problem.known_pairs[:, 0], return_inverse=True)
    if len(sources) < n_folds:
        raise InvalidValueError(f"{n_folds} folds need as many source words with translations. Got {len(sources)}.")
    folds = np.random.default_rng(problem.random_state).permutation(len(sources)) % n_folds
    for fold in range(n_folds):
        progress("cross-fitting", fold, n_folds)
        held_out = folds[owners.ravel()] == fold
        yield Fold(aligner.unfitted_copy().fit_problem(problem.without(held_out)).maps_, held_out)
    progress("cross-fitting", n_folds, n_folds)
