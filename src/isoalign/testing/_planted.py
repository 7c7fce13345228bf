"""Synthetic pairs of spaces with a known solution, and a check for expected errors."""

from collections.abc import Callable
from typing import Any

import numpy as np

from isoalign.alignment import Problem
from isoalign.lexicon import Lexicon
from isoalign.vectors import Embeddings

__all__ = ["assert_refuses", "planted_embeddings", "planted_problem"]


def planted_problem(n: int = 120, dim: int = 6, *, noise: float = 0.3, n_pairs: int | None = None) -> Problem:
    """Return a problem in which one space is a rotation of the other, up to noise, and row i translates row i."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, dim)) * rng.uniform(0.5, 2, dim)
    rotation = np.linalg.qr(rng.standard_normal((dim, dim)))[0]
    Y = X @ rotation + noise * rng.standard_normal((n, dim))
    rows = np.arange(n if n_pairs is None else n_pairs)
    return Problem.from_spaces(X, Y, np.stack([rows, rows], axis=1))


def planted_embeddings(
    n: int = 120, dim: int = 6, *, noise: float = 0.3, n_pairs: int | None = None
) -> tuple[Embeddings, Embeddings, Lexicon]:
    """Return such spaces as embeddings of the languages xx and yy, and the dictionary of the first pairs."""
    problem = planted_problem(n, dim, noise=noise)
    source = Embeddings([f"s{i}" for i in range(n)], problem.X, lang="xx")
    target = Embeddings([f"t{i}" for i in range(n)], problem.Y, lang="yy")
    return source, target, Lexicon((f"s{i}", f"t{i}") for i in range(n_pairs or n))


def assert_refuses(error: type[Exception], call: Callable[[], Any]) -> None:
    """Fail unless a call raises an error of this kind."""
    try:
        call()
    except error:
        return
    raise AssertionError(f"{error.__name__} was expected, and nothing was raised.")
