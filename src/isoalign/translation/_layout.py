"""Project words of two members to the plane, before and after normalisation, so that translations are close."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import unit_rows
from isoalign._core.types import Matrix, RowPairs
from isoalign.alignment import Pair, unit_space
from isoalign.translation._translator import look_up

__all__ = ["Layout", "lay_out", "shared_axes"]


class Layout(NamedTuple):
    """Positions of the sources followed by the targets, (n + m, 2) each, in the square from -1 to 1."""

    before: NDArray[np.float64]
    after: NDArray[np.float64]


def lay_out(pair: Pair, sources: Sequence[str], targets: Sequence[str], links: RowPairs) -> Layout:
    """Project words of both members onto two directions along which linked words vary together.

    The mean of each language is removed, so that no direction separates the languages. Before normalisation, rows of
    unit length are mapped and projected in the same way, so that points move because of normalisation only.

    Parameters
    ----------
    pair
        The two members, with vectors.
    sources, targets
        Words of the source that have vectors, and of the target that have rows.
    links
        Which of them translate each other, (p, 2).
    """
    rows = pair.target.raw.find_rows(targets)
    _, queries = look_up(pair, [*sources])
    after = [_centered(queries), _centered(pair.targets[rows])]
    raw = np.stack([pair.source.raw.get_vector(word) for word in sources])
    mapped = unit_space(unit_rows(raw), pair.source.map)
    stage = pair.model.stage(*pair.names)
    before = [
        _centered(mapped if stage is None else unit_space(mapped, stage)),
        _centered(unit_space(unit_rows(pair.target.raw.vectors[rows]), pair.target.map)),
    ]
    axes = shared_axes(after[0][links[:, 0]], after[1][links[:, 1]])
    places = np.stack([np.concatenate(some) @ axes for some in (before, after)])
    places /= max(float(np.abs(places).max()), np.finfo(float).tiny)
    return Layout(*places)


def shared_axes(A: NDArray[np.float64], B: NDArray[np.float64]) -> NDArray[np.float64]:
    r"""Return the two directions along which the rows of A and B vary most together, (dim, 2).

    .. math:: \max_v\; v^\top (A^\top B + B^\top A)\, v
        = \tfrac12 \lVert (A + B) v \rVert^2 - \tfrac12 \lVert (A - B) v \rVert^2

    Directions in which pairs vary together have positive weight, directions that separate them negative weight. The
    sign of a direction is chosen so that the largest coordinate of a row of A is positive, which makes figures
    reproducible.

    Parameters
    ----------
    A, B
        Rows that belong together, (p, dim) each, without a mean.
    """
    basis, _ = np.linalg.qr(np.concatenate([A, B]).T)  # the directions are in the span of the rows
    product = (A @ basis).T @ (B @ basis)
    _, vectors = np.linalg.eigh(product + product.T)
    axes = np.zeros((A.shape[1], 2))
    axes[:, : min(2, vectors.shape[1])] = (basis @ vectors[:, ::-1])[:, :2]
    points = A @ axes
    strongest = points[np.abs(points).argmax(axis=0), [0, 1]]
    return axes * np.where(strongest < 0, -1, 1)


def _centered(X: Matrix) -> NDArray[np.float64]:
    """Return rows without their mean, in float64."""
    centered: NDArray[np.float64] = X.astype(np.float64) - X.mean(axis=0, dtype=np.float64)
    return centered
