"""Fit without pairs: two sets embedded from different texts, matched by the shape of their clusters."""

import warnings
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import column_mean, row_lengths, unit_rows
from isoalign._core.progress import Progress
from isoalign._core.types import IntVector, LinearMap, Matrix
from isoalign.alignment._verdict import Verdict, judge_agreement, without_structure
from isoalign.alignment.starts._clusters import Clusters, map_by_clusters
from isoalign.errors import IsoalignWarning, ShapeError
from isoalign.maps import AbstractMap, ComposedMap, MatrixMap, UnitMap
from isoalign.migration._pairs import has_unit_rows
from isoalign.migration._recall import kept_shares, nearest_rows

__all__ = ["Unpaired", "advise", "fit_unpaired"]

_RESTARTS = 3
_MOST_ROWS = 20_000  # drawn of each side
_ASKED_ROWS, _NULL_ROWS = 1000, 2000
_K = 10
_FEWEST_ROWS = 200


class Unpaired(NamedTuple):
    """A map, what it was found with, and whether restarts found the same one."""

    map: AbstractMap
    settings: dict[str, Any]
    verdict: Verdict


def fit_unpaired(
    X: Matrix, Y: Matrix, *, settings: Mapping[str, Any] | None, random_state: int, progress: Progress
) -> Unpaired:
    """Find a rotation between the centred rows of two models that embedded different texts on the same subjects.

    The start ``clusters`` runs several times. There are many wrong rotations and only one right one, so runs that find
    the same neighbours have found it. Pairs of nearest rows would not show this, since rows have no partner on the
    other side. If dimensions differ, the smaller space is padded with zeros, which do not change inner products.

    Parameters
    ----------
    X, Y
        Rows (n, d_source) and (m, d_target) in any order.
    settings
        Settings of the start.
    random_state
        Seed.
    progress
        Progress callback.

    Warns
    -----
    IsoalignWarning
        If the runs do not agree.
    """
    if min(len(X), len(Y)) < _FEWEST_ROWS:
        raise ShapeError(f"Without pairs, {_FEWEST_ROWS} rows of each model are needed. Got {len(X)} and {len(Y)}.")
    start = Clusters().set_params(**(settings or {}))
    rng = np.random.default_rng(random_state)
    dim = max(X.shape[1], Y.shape[1])
    A, B = (_prepare(_draw(side, rng), dim) for side in (X, Y))
    nothing = A[:_NULL_ROWS], without_structure(B[:_NULL_ROWS], rng)
    rotations, found = [], []
    for number in range(2 * _RESTARTS):
        source, target = (A, B) if number < _RESTARTS else nothing
        W = map_by_clusters(source, target, rng=rng, **start.get_params())
        rotations.append(W)
        found.append(nearest_rows(source[:_ASKED_ROWS] @ W.astype(np.float32), target, _K))
        progress("matching clusters", number + 1, 2 * _RESTARTS)
    verdict = judge_agreement(_overlaps(found[:_RESTARTS]), null=_overlaps(found[_RESTARTS:]))
    if verdict.status != "found":
        warnings.warn(advise(verdict), IsoalignWarning, stacklevel=4)
    W = rotations[verdict.best][: X.shape[1], : Y.shape[1]]
    return Unpaired(_make_map(W, X, Y), start.get_params(), verdict)


def advise(verdict: Verdict) -> str:
    """Return one line on whether a map was found without pairs, and what to do otherwise."""
    null = f", on spaces without a common structure {verdict.null_agreement:.0%}"
    evidence = f"the runs agree on {verdict.agreement:.0%} of the {_K} nearest neighbours{null}"
    if verdict.status == "found":
        return f"A map was found without pairs: {evidence}."
    doubt = "Do not use this map" if verdict.status == "failed" else "This map is doubtful"
    return f"{doubt}: {evidence}. Embed some hundred items with both models and fit on these pairs."


def _draw(X: Matrix, rng: np.random.Generator) -> Matrix:
    """Return rows in random order."""
    return X[rng.permutation(len(X))[:_MOST_ROWS]]


def _prepare(X: Matrix, dim: int) -> Matrix:
    """Return centred unit rows, with columns of zeros up to a dimension."""
    centered = X - column_mean(X).astype(np.float32)
    return unit_rows(np.pad(centered, ((0, 0), (0, dim - X.shape[1]))))


def _overlaps(found: list[IntVector]) -> NDArray[np.float64]:
    """Return the share of nearest rows that any two runs have in common, (r, r)."""
    return np.array([[kept_shares(one, other, _K).mean() for other in found] for one in found])


def _make_map(W: LinearMap, X: Matrix, Y: Matrix) -> AbstractMap:
    """Return the map that subtracts the source mean, rotates, and scales and shifts to the target."""
    x_mean, y_mean = column_mean(X), column_mean(Y)
    spreads = [row_lengths(side - mean.astype(np.float32)).mean() for side, mean in ((X, x_mean), (Y, y_mean))]
    scaled = W * (spreads[1] / (spreads[0] or 1.0))
    one = MatrixMap(scaled, y_mean - x_mean @ scaled)
    return ComposedMap([one, UnitMap(one.dim_out)]) if has_unit_rows(Y) else one
