"""`learn`: choose open settings, then fit to all pairs. All learning goes through this function."""

from dataclasses import dataclass
from time import perf_counter
from typing import Any

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import RowPairs
from isoalign.alignment._base import AbstractAligner, Maps, StepCallback
from isoalign.alignment._checkpoint import Checkpoint
from isoalign.alignment._problem import Problem
from isoalign.alignment._selection import Selection, select_settings

__all__ = ["Learned", "learn"]


@dataclass(frozen=True)
class Learned:
    """Result of `learn`.

    Attributes
    ----------
    maps
        See `Maps`.
    aligner
        The fitted aligner, with the chosen settings.
    selection
        The chosen settings and their scores; None if nothing was open.
    seconds
        Time of the selection and of the last fit together.
    """

    maps: Maps
    aligner: AbstractAligner
    selection: Selection | None
    seconds: float

    @property
    def history(self) -> dict[str, Any]:
        """Records of the steps and of the selection, as JSON values."""
        return {
            "steps": self.aligner.history_,
            "selection": None if self.selection is None else self.selection.to_dict(),
        }


def learn(
    problem: Problem,
    aligner: AbstractAligner,
    *,
    select: str | Selection | None = None,
    test_pairs: RowPairs | None = None,
    callback: StepCallback | None = None,
    n_jobs: int = 1,
    progress: Progress = ignore_progress,
    checkpoint: Checkpoint | None = None,
) -> Learned:
    """Choose the settings that an aligner leaves open, then fit it to all pairs.

    Parameters
    ----------
    problem
        The learning problem.
    aligner
        Not changed; a copy is fitted.
    select
        ``"validation"``, ``"unsupervised"`` or ``"test"``, see `select_settings`; a selection that was made before;
        None chooses nothing.
    test_pairs
        Row pairs of the test dictionary, for ``select="test"`` only.
    callback
        Called after each step of the last fit.
    n_jobs
        Number of fits to run in parallel during selection.
    progress
        Progress callback.
    checkpoint
        Where to save the last fit and to resume it from, if the method supports it.
    """
    begin = perf_counter()
    if isinstance(select, str):
        select = select_settings(
            problem, aligner, criterion=select, test_pairs=test_pairs, n_jobs=n_jobs, progress=progress
        )
    fitted = aligner.unfitted_copy().set_params(**({} if select is None else select.chosen))
    fitted.fit_problem(problem, callback=callback, progress=progress, checkpoint=checkpoint)
    return Learned(fitted.maps_, fitted, select, perf_counter() - begin)
