"""Tables, figures and self-contained HTML reports of results."""

from isoalign.reporting._accuracy import plot_accuracy, plot_mean_difference
from isoalign.reporting._convergence import check_plottable, plot_convergence, save_convergence
from isoalign.reporting._demo import Demo, Lookup, run_demo
from isoalign.reporting._demo_report import write_demo_report
from isoalign.reporting._drift import build_drift_report, plot_drift
from isoalign.reporting._figures import check_figure, save_figure, to_inline_svg
from isoalign.reporting._findings import describe_comparisons, describe_findings, find_differences
from isoalign.reporting._formats import TABLE_FORMATS, format_table
from isoalign.reporting._hubness import plot_hubness
from isoalign.reporting._migration import build_migration_report
from isoalign.reporting._neighborhoods import Neighborhood, find_glosses, find_neighborhoods, plot_neighborhoods
from isoalign.reporting._published import Published, find_published
from isoalign.reporting._report import build_report, format_records, write_report, write_text
from isoalign.reporting._scores import Score, count_reproduced, paired_difference, score_record
from isoalign.reporting._spaces import choose_pairs, plot_spaces
from isoalign.reporting._tables import ScoreTable, accuracy_tables, similarity_table
from isoalign.reporting._transfer import build_transfer_report

__all__ = [
    "TABLE_FORMATS",
    "Demo",
    "Lookup",
    "Neighborhood",
    "Published",
    "Score",
    "ScoreTable",
    "accuracy_tables",
    "build_drift_report",
    "build_migration_report",
    "build_report",
    "build_transfer_report",
    "check_figure",
    "check_plottable",
    "choose_pairs",
    "count_reproduced",
    "describe_comparisons",
    "describe_findings",
    "find_differences",
    "find_glosses",
    "find_neighborhoods",
    "find_published",
    "format_records",
    "format_table",
    "paired_difference",
    "plot_accuracy",
    "plot_convergence",
    "plot_drift",
    "plot_hubness",
    "plot_mean_difference",
    "plot_neighborhoods",
    "plot_spaces",
    "run_demo",
    "save_convergence",
    "save_figure",
    "score_record",
    "similarity_table",
    "to_inline_svg",
    "write_demo_report",
    "write_report",
    "write_text",
]
