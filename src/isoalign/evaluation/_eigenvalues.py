"""Eigenvector similarity: how differently two neighbour graphs are connected."""

import numpy as np
from numpy.typing import NDArray

from isoalign._progress import Progress, ignore_progress
from isoalign._types import Matrix
from isoalign.evaluation._graph import nearest_others

__all__ = ["eigenvector_similarity"]

_SHARE = 0.9


def eigenvector_similarity(X: Matrix, Y: Matrix, *, k: int = 10, progress: Progress = ignore_progress) -> float:
    r"""Sum the squared differences of the largest Laplacian eigenvalues of two neighbour graphs.

    .. math:: \Delta = \sum_{i=1}^{r} (\lambda_i - \mu_i)^2, \qquad L = D - A

    where :math:`\lambda` and :math:`\mu` are the eigenvalues, largest first, of the Laplacians of the graphs that join
    every word with its k nearest words by cosine (an edge counts once, whichever end chose it), and r is the smaller of
    the two numbers of eigenvalues that make up 90 % of their sum. 0 for isospectral graphs, so for isometric spaces;
    without upper bound. The name is the authors', who compare eigenvalues.

    Parameters
    ----------
    X, Y
        Rows of length one, (n, d_s) and (n, d_t).
    k
        Neighbours of a word.

    References
    ----------
    Søgaard, Ruder, Vulić (2018), section 3. They draw the graphs of a few dozen frequent words. Cost: n² products and
    n³ operations for the eigenvalues: 2,000 words take seconds.
    """
    spectra = [_laplacian_spectrum(matrix, k, progress) for matrix in (X, Y)]
    n = min(map(len, spectra))
    r = min(int(np.searchsorted(np.cumsum(spectrum), _SHARE * spectrum.sum())) + 1 for spectrum in spectra)
    r = min(r, n)
    return float(((spectra[0][:r] - spectra[1][:r]) ** 2).sum())


def _laplacian_spectrum(X: Matrix, k: int, progress: Progress) -> NDArray[np.float64]:
    """Return the eigenvalues of D - A, largest first, (n,)."""
    n = len(X)
    _, rows = nearest_others(X, k, progress=progress)
    adjacency = np.zeros((n, n))
    adjacency[np.arange(n)[:, None], rows] = 1
    adjacency = np.maximum(adjacency, adjacency.T)
    laplacian = np.diag(adjacency.sum(axis=1)) - adjacency
    return np.linalg.eigvalsh(laplacian)[::-1].astype(np.float64)
