"""Draw how the rounds of iterative normalisation approach both conditions."""

from collections.abc import Mapping
from typing import Any

from isoalign._types import PathName
from isoalign.errors import ParameterError
from isoalign.normalization import AbstractNormalizer, IterNorm
from isoalign.reporting._figures import check_figure, save_figure
from isoalign.reporting._style import PAPER, SERIES, new_figure, styled

__all__ = ["check_plottable", "plot_convergence", "save_convergence"]

_COLORS = SERIES[1:]


def check_plottable(normalizer: AbstractNormalizer, path: PathName, *, overwrite: bool = True) -> IterNorm:
    """Return the normaliser if its rounds can be drawn into ``path``; worth asking before hours of work."""
    if not isinstance(normalizer, IterNorm):
        raise ParameterError(f"A convergence plot shows the rounds of iternorm. Got {normalizer!r}.")
    check_figure(path, overwrite=overwrite)
    return normalizer


@styled
def plot_convergence(normalizers: Mapping[str, IterNorm]) -> Any:
    """Draw the residuals per round of fitted normalisers, one colour each, on a logarithmic scale.

    Parameters
    ----------
    normalizers
        Label to fitted normaliser.

    Returns
    -------
    figure
        A ``matplotlib.figure.Figure``, not shown anywhere.
    """
    figure = new_figure(6.4, 3.6)
    axes = figure.add_subplot()
    most = 1
    for (label, normalizer), color in zip(normalizers.items(), _COLORS * len(normalizers), strict=False):
        rounds = range(1, normalizer.n_iter_ + 1)
        most = max(most, len(rounds))
        mean_norms, length_errors = zip(*normalizer.history_, strict=True)
        note = f"{label}, λ = {normalizer.contraction_:.3f}"
        axes.semilogy(rounds, mean_norms, "o-", color=color, label=f"{note}: length of the mean")
        axes.semilogy(rounds, length_errors, "s--", color=color, markerfacecolor=PAPER, label="largest length error")
    axes.set_xlabel("round")
    axes.set_ylabel("distance from the condition")
    axes.set_xticks(range(1, most + 1, 1 + most // 20))
    axes.legend()
    return figure


def save_convergence(
    normalizer: AbstractNormalizer, path: PathName, *, label: str = "vectors", overwrite: bool = True
) -> None:
    """Draw one fitted normaliser into a file; the suffix chooses the format."""
    drawn = plot_convergence({label: check_plottable(normalizer, path, overwrite=overwrite)})
    save_figure(drawn, path, overwrite=overwrite)
