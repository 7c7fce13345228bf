"""Made-up pairs of spaces in which the right map, or the right dictionary, is known."""

from typing import NamedTuple

import numpy as np

import isoalign as ia
from isoalign.alignment import Problem


class Planted(NamedTuple):
    """Rows of both sides, row i of one translates row i of the other, and the rotation between them."""

    X: np.ndarray
    Y: np.ndarray
    W: np.ndarray


def random_rotation(dim, seed=0):
    """Return an orthogonal matrix, float64."""
    Q, R = np.linalg.qr(np.random.default_rng(seed).standard_normal((dim, dim)))
    return Q * np.sign(np.diag(R))


def planted_pair(n=300, dim=12, noise=0.0, seed=0):
    """Return two spaces of which one is a rotation of the other, up to noise."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, dim)) * rng.uniform(0.5, 2, dim)
    W = random_rotation(dim, seed + 1)
    Y = X @ W + noise * rng.standard_normal((n, dim))
    return Planted(X.astype(np.float32), Y.astype(np.float32), W)


def planted_embeddings(n=300, dim=12, noise=0.0, seed=0, n_pairs=None):
    """Return two embeddings, words ``s0…`` and ``t0…``, and the dictionary of the first ``n_pairs`` of them."""
    X, Y, _ = planted_pair(n, dim, noise, seed)
    source = ia.Embeddings([f"s{i}" for i in range(n)], X, lang="xx")
    target = ia.Embeddings([f"t{i}" for i in range(n)], Y, lang="yy")
    return source, target, ia.Lexicon((f"s{i}", f"t{i}") for i in range(n_pairs or n))


def first_pairs(X, Y, n, **options):
    """Return the problem in which the first ``n`` rows of both sides are known to belong together."""
    return Problem.from_spaces(X, Y, np.repeat(np.arange(n)[:, None], 2, axis=1), **options)
