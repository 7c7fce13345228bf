r"""GeoMM: both sides are mapped to a space with a learned metric."""

import numpy as np

from isoalign._core.validate import check_number
from isoalign.alignment._base import AbstractDirectAligner, Maps, Trajectory
from isoalign.alignment._geomm_kernel import geomm_maps
from isoalign.alignment._problem import Problem
from isoalign.errors import ParameterError
from isoalign.maps import MatrixMap

__all__ = ["GeoMM"]

_DEFAULT_PENALTY = 100.0
_PENALTY_GRID = (30.0, 100.0, 300.0, 1000.0)


class GeoMM(AbstractDirectAligner):
    r"""Map both sides so that inner products are large for translations and small for other dictionary words.

    .. math:: \underset{W}{\mathrm{min}} \lVert X W Z^\top - A \rVert_F^2 + \tfrac{\lambda}{2} \lVert W \rVert_F^2,
        \quad W = U_1 B\, U_2^\top

    with the distinct dictionary words X and Z and the 0/1 matrix A of known translations. Pairs that are not
    translations are used as evidence too, which suits dictionaries with several translations for a word.

    Parameters
    ----------
    penalty
        :math:`\lambda`. None leaves it open for `align` to choose; ``fit`` then uses 100.

    References
    ----------
    Jawanpuria, Balgovind, Kunchukuttan, Mishra (2019). The authors descend over rotations and a positive metric; here
    the same minimum comes from two eigendecompositions and one SVD.
    """

    same_dim = False

    def __init__(self, penalty: float | None = None) -> None:
        self.penalty = penalty

    def trajectories(self) -> list[Trajectory]:
        """One candidate for every penalty of the grid, if it is open."""
        if self.penalty is not None:
            return []
        return [Trajectory({"penalty": penalty}, {0: {"penalty": penalty}}) for penalty in _PENALTY_GRID]

    def _solve(self, problem: Problem) -> Maps:
        penalty = _DEFAULT_PENALTY if self.penalty is None else check_number(self.penalty, name="penalty")
        if not penalty > 0:
            raise ParameterError(f"penalty must be positive. Got {penalty!r}.")
        sources, rows = np.unique(problem.known_pairs[:, 0], return_inverse=True)
        targets, columns = np.unique(problem.known_pairs[:, 1], return_inverse=True)
        pairs = np.stack([rows.ravel(), columns.ravel()], axis=1)
        source, target = next(geomm_maps(problem.X[sources], problem.Y[targets], pairs, [penalty]))
        return Maps(MatrixMap(source), MatrixMap(target))
