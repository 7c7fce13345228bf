"""Plot the convergence of iterative normalisation."""

from collections.abc import Mapping
from typing import Any

from isoalign._core.types import PathName
from isoalign.errors import ParameterError
from isoalign.normalization import AbstractNormalizer, IterNorm
from isoalign.reporting._figures import check_figure, save_figure
from isoalign.reporting._style import PAPER, SERIES, label_powers, new_figure, show_name, styled

__all__ = ["check_plottable", "plot_convergence", "save_convergence"]

_COLORS = SERIES[1:]


def check_plottable(normalizer: AbstractNormalizer, path: PathName, *, overwrite: bool = True) -> IterNorm:
    """Return the normaliser if its convergence can be plotted to ``path``; call this before a long computation."""
    if not isinstance(normalizer, IterNorm):
        raise ParameterError(f"A convergence plot shows the rounds of iternorm. Got {normalizer!r}.")
    check_figure(path, overwrite=overwrite)
    return normalizer


@styled
def plot_convergence(normalizers: Mapping[str, IterNorm]) -> Any:
    """Plot the residuals per round of fitted normalisers on a logarithmic scale.

    Parameters
    ----------
    normalizers
        Fitted normalisers by label.

    Returns
    -------
    figure
        A ``matplotlib.figure.Figure``, not shown.
    """
    figure = new_figure(5.2, 3.6)
    axes = figure.add_subplot()
    most = 1
    for (label, normalizer), color in zip(normalizers.items(), _COLORS * len(normalizers), strict=False):
        rounds = range(1, normalizer.n_iter_ + 1)
        most = max(most, len(rounds))
        mean_norms, length_errors = zip(*normalizer.history_, strict=True)
        note = f"{show_name(label)}, λ = {normalizer.contraction_:.3f}"
        axes.semilogy(
            rounds, mean_norms, "o-", color=color, label=f"{note}: length of the\nmean after scaling, before centring"
        )
        axes.semilogy(rounds, length_errors, "s--", color=color, markerfacecolor=PAPER, label="largest length error")
    label_powers(axes.yaxis)
    axes.set_xlabel("round")
    axes.set_ylabel("distance from the condition")
    axes.set_xticks(range(1, most + 1, 1 + most // 20))
    axes.legend()
    return figure


def save_convergence(
    normalizer: AbstractNormalizer, path: PathName, *, label: str = "vectors", overwrite: bool = True
) -> None:
    """Plot the convergence of one fitted normaliser to a file; the suffix determines the format."""
    drawn = plot_convergence({label: check_plottable(normalizer, path, overwrite=overwrite)})
    save_figure(drawn, path, overwrite=overwrite)
