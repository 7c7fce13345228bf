"""Draw how the rounds of iterative normalisation approach both conditions."""

from collections.abc import Mapping
from typing import Any

from isoalign._optional import import_extra
from isoalign._types import PathName
from isoalign.errors import ParameterError
from isoalign.normalization import AbstractNormalizer, IterNorm
from isoalign.reporting._figures import check_figure, save_figure

__all__ = ["check_plottable", "plot_convergence", "save_convergence"]

_COLORS = ("#1f5fa8", "#c2571a", "#3c7d3a", "#8a4b9e")


def check_plottable(normalizer: AbstractNormalizer, path: PathName) -> IterNorm:
    """Return the normaliser if its rounds can be drawn into ``path``; worth asking before hours of work."""
    if not isinstance(normalizer, IterNorm):
        raise ParameterError(f"A convergence plot shows the rounds of iternorm. Got {normalizer!r}.")
    check_figure(path)
    return normalizer


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
    figure = import_extra("matplotlib.figure", extra="plot").Figure(figsize=(6.4, 4.0), layout="constrained")
    axes = figure.add_subplot()
    most = 1
    for (label, normalizer), color in zip(normalizers.items(), _COLORS * len(normalizers), strict=False):
        rounds = range(1, normalizer.n_iter_ + 1)
        most = max(most, len(rounds))
        mean_norms, length_errors = zip(*normalizer.history_, strict=True)
        note = f"{label}, λ = {normalizer.contraction_:.3f}"
        axes.semilogy(rounds, mean_norms, "o-", color=color, label=f"{note}: length of the mean")
        axes.semilogy(rounds, length_errors, "s--", color=color, markerfacecolor="white", label="largest length error")
    axes.set_xlabel("round")
    axes.set_ylabel("distance from the condition")
    axes.set_xticks(range(1, most + 1, 1 + most // 20))
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize="small")
    return figure


def save_convergence(normalizer: AbstractNormalizer, path: PathName, *, label: str = "vectors") -> None:
    """Draw one fitted normaliser into a file; the suffix chooses the format."""
    save_figure(plot_convergence({label: check_plottable(normalizer, path)}), path)
