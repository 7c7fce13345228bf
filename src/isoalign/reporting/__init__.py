"""Turn results into figures and tables."""

from isoalign.reporting._convergence import check_plottable, plot_convergence, save_convergence
from isoalign.reporting._figures import check_figure, save_figure

__all__ = ["check_figure", "check_plottable", "plot_convergence", "save_convergence", "save_figure"]
