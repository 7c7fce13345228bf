"""Quality of a map, estimated without a dictionary."""

import numpy as np

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import FloatVector, Matrix
from isoalign._core.validate import check_choice
from isoalign.neighbors import mean_best, top_k

__all__ = ["mean_cosine"]


def mean_cosine(
    S: Matrix,
    T: Matrix,
    *,
    max_rank: int | tuple[int, int] = 10_000,
    retrieval: str = "csls",
    k: int = 10,
    target_means: FloatVector | None = None,
    progress: Progress = ignore_progress,
) -> float:
    """Return the mean cosine of frequent source words and their best translations.

    Parameters
    ----------
    S, T
        Mapped spaces (n, dim) and (m, dim), rows of unit length, most frequent first.
    max_rank
        The `max_rank` most frequent source words are translated; translations beyond that rank are ignored. A pair of
        counts sets a separate limit for each side.
    retrieval
        ``"csls"`` or ``"nn"``.
    k
        Neighbours in a CSLS mean.
    target_means
        Mean cosine of every target to its nearest sources, (m,), if known.

    References
    ----------
    Conneau et al. (2018), section 3.2: it correlates closely with accuracy, and needs no dictionary.
    """
    check_choice(retrieval, ("csls", "nn"), name="retrieval")
    scale, bias = 1.0, None
    if retrieval == "csls":
        if target_means is None:
            target_means = mean_best(top_k(T, S, k, progress=progress)[0])
        scale, bias = 2.0, target_means
    n, m = max_rank if isinstance(max_rank, tuple) else (max_rank, max_rank)
    rows = top_k(S[:n], T, 1, scale=scale, bias=bias, progress=progress)[1][:, 0]
    sources = np.flatnonzero(rows <= m)  # MUSE's limit, one row further, so that values are comparable
    if not len(sources):
        return 0.0
    return float(np.einsum("ij,ij->i", S[sources], T[rows[sources]]).mean(dtype=np.float64))
