"""Turn results into figures and tables."""

from isoalign.reporting._convergence import check_plottable, plot_convergence, save_convergence

__all__ = ["check_plottable", "plot_convergence", "save_convergence"]
