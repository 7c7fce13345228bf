"""Meeting in the middle: after any map, move both sides to the mean of each pair."""

from typing import ClassVar

import numpy as np

from isoalign._core.types import LinearMap, Matrix
from isoalign._core.validate import check_number
from isoalign.alignment._base import AbstractAligner, AbstractDirectAligner, Maps, unit_space
from isoalign.alignment._cost import Sizes
from isoalign.alignment._least_squares import least_squares_map
from isoalign.alignment._problem import Problem
from isoalign.alignment._wrapper import AbstractWrapper
from isoalign.errors import ParameterError
from isoalign.maps import ComposedMap, MatrixMap

__all__ = ["MeetingInTheMiddle", "middle_maps"]


def middle_maps(U: Matrix, V: Matrix, *, ridge: float = 0.0) -> tuple[LinearMap, LinearMap]:
    r"""Return the linear maps of both sides to the means :math:`\mu_i = (u_i + v_i) / 2` of the pairs.

    Parameters
    ----------
    U, V
        Paired rows in one space, (p, dim).
    ridge
        :math:`\lambda` of both regressions.

    References
    ----------
    Doval, Camacho-Collados, Espinosa-Anke, Schockaert, "Improving cross-lingual word embeddings by meeting in the
    middle", EMNLP 2018. Theirs has no ridge.
    """
    means: Matrix = (U + V) / np.float32(2)
    return least_squares_map(U, means, ridge=ridge), least_squares_map(V, means, ridge=ridge)


class MeetingInTheMiddle(AbstractWrapper, AbstractDirectAligner):
    r"""Map with another aligner, then move each side to the means of the pairs by linear regression.

    .. math:: \underset{A}{\mathrm{min}} \lVert U A - \tfrac{1}{2}(U + V) \rVert_F^2 + \lambda \lVert A \rVert_F^2

    Parameters
    ----------
    aligner
        The inner aligner, or its name; None is `Procrustes`.
    ridge
        :math:`\lambda` of both regressions.

    References
    ----------
    Doval, Camacho-Collados, Espinosa-Anke, Schockaert (2018).
    """

    default_aligner: ClassVar[str] = "procrustes"

    def __init__(self, aligner: AbstractAligner | str | None = None, ridge: float = 1.0) -> None:
        self.aligner = aligner
        self.ridge = ridge

    def cost(self, sizes: Sizes) -> float:
        """Return the operations of the inner aligner."""
        return self._make_inner().cost(sizes)

    def _solve(self, problem: Problem) -> Maps:
        if not check_number(self.ridge, name="ridge") >= 0:
            raise ParameterError(f"ridge must not be negative. Got {self.ridge!r}.")
        maps = self._make_inner().fit_problem(problem).maps_
        pairs = problem.known_pairs
        U, V = unit_space(problem.X[pairs[:, 0]], maps.source), unit_space(problem.Y[pairs[:, 1]], maps.target)
        source, target = middle_maps(U, V, ridge=self.ridge)
        return Maps(
            ComposedMap([maps.source, MatrixMap(source)]).simplify(),
            ComposedMap([maps.target, MatrixMap(target)]).simplify(),
        )
