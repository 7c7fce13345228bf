"""Eigenvector similarity: the difference between the Laplacian spectra of two neighbour graphs."""

import numpy as np
from numpy.typing import NDArray

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import Matrix
from isoalign.evaluation._graph import nearest_others

__all__ = ["eigenvector_similarity"]

_SHARE = 0.9


def eigenvector_similarity(X: Matrix, Y: Matrix, *, k: int = 10, progress: Progress = ignore_progress) -> float:
    r"""Sum the squared differences of the largest Laplacian eigenvalues of two neighbour graphs.

    .. math:: \Delta = \sum_{i=1}^{r} (\lambda_i - \mu_i)^2, \qquad L = D - A

    where :math:`\lambda` and :math:`\mu` are the eigenvalues, in descending order, of the Laplacians of the graphs that
    connect every word to its k nearest words by cosine (edges are undirected and unweighted). For each graph, count the
    largest eigenvalues that make up 90 % of the sum; r is the smaller of the two counts. The value is 0 for isospectral
    graphs, hence for isometric spaces, and has no upper bound. The name is that of the authors, although eigenvalues
    are compared.

    Parameters
    ----------
    X, Y
        Unit rows, (n, d_s) and (n, d_t).
    k
        Number of neighbours of each word.
    progress
        Progress callback.

    References
    ----------
    Søgaard, Ruder, Vulić (2018), section 3. They use graphs of a few dozen frequent words. Cost: n² inner products
    and O(n³) operations for the eigenvalues; 2,000 words take seconds.
    """
    spectra = [_laplacian_spectrum(matrix, k, progress) for matrix in (X, Y)]
    n = min(map(len, spectra))
    r = min(int(np.searchsorted(np.cumsum(spectrum), _SHARE * spectrum.sum())) + 1 for spectrum in spectra)
    r = min(r, n)
    return float(((spectra[0][:r] - spectra[1][:r]) ** 2).sum())


def _laplacian_spectrum(X: Matrix, k: int, progress: Progress) -> NDArray[np.float64]:
    """Return the eigenvalues of D - A in descending order, (n,)."""
    n = len(X)
    _, rows = nearest_others(X, k, progress=progress)
    adjacency = np.zeros((n, n))
    adjacency[np.arange(n)[:, None], rows] = 1
    adjacency = np.maximum(adjacency, adjacency.T)
    laplacian = np.diag(adjacency.sum(axis=1)) - adjacency
    return np.linalg.eigvalsh(laplacian)[::-1].astype(np.float64)
