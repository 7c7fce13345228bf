"""Choose the number of rounds or epochs, or the step length, without using test words."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isoalign._core.display import Tabular
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.threads import map_threads
from isoalign._core.types import RandomState, RowPairs
from isoalign._core.validate import check_choice, check_count
from isoalign.alignment._base import AbstractAligner, Maps, Trajectory
from isoalign.alignment._criterion import mean_cosine
from isoalign.alignment._problem import Problem
from isoalign.errors import ParameterError
from isoalign.neighbors import csls_precision_at_1

__all__ = ["CRITERIA", "Candidate", "Selection", "hold_out", "select_settings"]

CRITERIA = ("validation", "unsupervised", "test")

_HELD_OUT = 0.2
_CRITERION_RANK = 10_000
_ABOUT = {
    "validation": "CSLS P@1 on held-out training words",
    "unsupervised": "mean cosine of the CSLS dictionary of frequent words",
    "test": "CSLS P@1 on the TEST words: the test accuracy of this model is not honest",
}


@dataclass(frozen=True)
class Candidate:
    """Settings that were tried, and their score."""

    settings: dict[str, Any]
    step: int
    score: float


@dataclass(frozen=True)
class Selection(Tabular):
    """Chosen settings, and all candidates with their scores.

    Attributes
    ----------
    criterion, about
        Name and description of the score.
    n_words
        Number of source words that were scored; None for the unsupervised criterion.
    chosen
        Settings with the best score; of ties, those with fewer steps, then those tried first.
    step
        The step of their trajectory at which they were scored.
    candidates
        All candidates.
    """

    criterion: str
    about: str
    n_words: int | None
    chosen: dict[str, Any]
    step: int
    candidates: tuple[Candidate, ...]

    def to_records(self) -> list[dict[str, Any]]:
        """Return one row per candidate: its settings, the step, and the score."""
        return [{**one.settings, "step": one.step, "score": one.score} for one in self.candidates]

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON values."""
        return asdict(self)


def hold_out(pairs: RowPairs, random_state: RandomState) -> NDArray[np.bool_]:
    """Choose a fifth of the source words for scoring, and return the mask of their pairs, (p,)."""
    sources = np.unique(pairs[:, 0])
    size = max(round(_HELD_OUT * len(sources)), 1)
    chosen = np.random.default_rng(random_state).permutation(sources)[:size]
    return np.isin(pairs[:, 0], chosen)


def select_settings(
    problem: Problem,
    aligner: AbstractAligner,
    *,
    criterion: str = "validation",
    test_pairs: RowPairs | None = None,
    n_jobs: int = 1,
    progress: Progress = ignore_progress,
) -> Selection | None:
    """Try the candidates of open settings and return the best, or None if nothing is open.

    Parameters
    ----------
    problem
        With training pairs; its seed is that of the split.
    aligner
        Unfitted; its ``trajectories`` list the candidates.
    criterion
        ``"validation"``: a fifth of the training source words is held out and scored by CSLS P@1;
        ``"unsupervised"``: mean cosine, no split; ``"test"``: CSLS P@1 on ``test_pairs``.
    test_pairs
        Row pairs of the test dictionary, for ``"test"`` only.
    n_jobs
        Number of trajectories to run in parallel.
    progress
        Progress callback.
    """
    check_choice(criterion, CRITERIA, name="select")
    trajectories = aligner.trajectories()
    if not trajectories:
        return None
    judge = test_pairs
    if criterion == "validation":
        held_out = hold_out(problem.known_pairs, problem.random_state)
        judge, problem = problem.known_pairs[held_out], problem.without(held_out)
    elif criterion == "test" and (judge is None or not len(judge)):
        raise ParameterError("select='test' needs the test dictionary. Pass test=….")

    def score(maps: Maps) -> float:
        S, T = maps.spaces(problem.X, problem.Y)
        if judge is None or criterion == "unsupervised":
            return mean_cosine(S, T, max_rank=problem.limits(_CRITERION_RANK), target_means=maps.target_means)
        return csls_precision_at_1(S, T, judge, target_means=maps.target_means)

    progress("selecting", 0, len(trajectories))
    found = map_threads(
        lambda trajectory: _follow(problem, aligner, trajectory, score),
        trajectories,
        threads=check_count(n_jobs, name="n_jobs"),
        done=lambda done: progress("selecting", done, len(trajectories)),
    )
    candidates = tuple(candidate for some in found for candidate in some)
    best = min(candidates, key=lambda candidate: (-candidate.score, candidate.step))
    n_words = None if judge is None or criterion == "unsupervised" else len(np.unique(judge[:, 0]))
    return Selection(criterion, _ABOUT[criterion], n_words, best.settings, best.step, candidates)


def _follow(
    problem: Problem, aligner: AbstractAligner, trajectory: Trajectory, score: Callable[[Maps], float]
) -> list[Candidate]:
    """Fit once along a trajectory and score the steps that are candidates."""
    scores: dict[int, float] = {}

    def judge(step: int, maps: Maps) -> None:
        if step in trajectory.candidates:
            scores[step] = score(maps)

    fitted = aligner.unfitted_copy().set_params(**trajectory.settings)
    fitted.fit_problem(problem, callback=judge)
    for step in trajectory.candidates:
        if step not in scores:  # the descent ended earlier
            scores[step] = score(fitted.maps_)
    return [Candidate(settings, step, scores[step]) for step, settings in trajectory.candidates.items()]
