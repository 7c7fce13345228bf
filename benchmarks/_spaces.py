"""Synthetic pairs of embedding spaces that behave like real ones in a search."""

import numpy as np

from isoalign._core.arrays import column_mean, unit_rows
from isoalign._core.types import Matrix, RowPairs


def random_pair(n: int, m: int, dim: int, *, seed: int = 0) -> tuple[Matrix, Matrix]:
    """Return unit vectors without any structure."""
    rng = np.random.default_rng(seed)
    return tuple(unit_rows(rng.standard_normal((rows, dim), dtype=np.float32)) for rows in (n, m))  # type: ignore[return-value]


def realistic_pair(n: int, dim: int, n_queries: int = 1500, *, seed: int = 0) -> tuple[Matrix, Matrix, RowPairs]:
    """Return two clustered, imperfectly aligned spaces with hubs, n words each, and row pairs of translations.

    Words belong to clusters of very different sizes, clusters to topics; variances decrease with the dimension as in
    real spaces; each side has its own noise, more for some words than for others; frequency ranks differ between the
    sides; both are centred and scaled to unit length. The noise is set so that about 60 % of the words have their
    translation as best target by CSLS.
    """
    rng = np.random.default_rng(seed)
    spectrum = np.arange(1, dim + 1, dtype=np.float32) ** -0.5
    clusters, topics = n // 25, n // 1000 + 1
    centres = rng.standard_normal((clusters, dim), dtype=np.float32)
    centres += 0.8 * rng.standard_normal((topics, dim), dtype=np.float32)[rng.integers(topics, size=clusters)]
    sizes = np.arange(1, clusters + 1) ** -0.5
    words = centres[rng.choice(clusters, size=n, p=sizes / sizes.sum())]
    words += _noise(rng, n, dim, 0.9, 0.3)

    def observe() -> Matrix:
        side = (words + _noise(rng, n, dim, 1.15, 0.35)) * spectrum
        for _ in range(3):
            side = unit_rows(side)
            side -= column_mean(side).astype(np.float32)
        return unit_rows(side)

    X, Y = observe(), observe()
    order = np.argsort(np.arange(n) + 0.05 * n * rng.standard_normal(n))
    places = np.argsort(order)
    queries = np.sort(rng.choice(n // 4, size=min(n_queries, n // 4), replace=False))
    return X, np.ascontiguousarray(Y[order]), np.column_stack([queries, places[queries]])


def _noise(rng: np.random.Generator, n: int, dim: int, size: float, spread: float) -> Matrix:
    """Return normal noise whose size differs between rows by a log-normal factor."""
    factors = size * rng.lognormal(0, spread, size=(n, 1)).astype(np.float32)
    noise: Matrix = factors * rng.standard_normal((n, dim), dtype=np.float32)
    return noise
