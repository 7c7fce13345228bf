"""Format scores for the terminal."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from isoalign.evaluation import BliResult, Comparison

__all__ = ["comparison_rows", "percent", "precision_rows", "with_interval"]


def with_interval(value: float, ends: tuple[float, float], *, factor: float = 1, digits: int = 3) -> str:
    """Format a value and its interval: ``54.1 [50.6, 57.7]``."""
    numbers = [f"{factor * number:.{digits}f}" for number in (value, *ends)]
    return f"{numbers[0]} [{numbers[1]}, {numbers[2]}]"


def percent(value: float, ends: tuple[float, float]) -> str:
    """Format a share and its interval in per cent."""
    return with_interval(value, ends, factor=100, digits=1)


def precision_rows(direction: str, result: "BliResult") -> list[list[object]]:
    """Return the lines of a table for one direction: all questions, then its groups."""
    mrr = with_interval(result.mrr, result.mrr_ci95)
    coverage = f"{result.coverage:.1%}"
    rows: list[list[object]] = [
        [direction, result.n, coverage, *(percent(result.precision[k], result.ci95[k]) for k in result.ks), mrr]
    ]
    for group in result.groups:
        scores = [percent(group.precision[k], group.ci95[k]) for k in result.ks]
        rows.append([f"  {group.name}", group.n, "", *scores, ""])
    return rows


def comparison_rows(direction: str, comparison: "Comparison") -> list[list[object]]:
    """Return the lines of a table, one for each k."""
    return [
        [
            direction,
            f"P@{k}",
            f"{100 * found.a:.1f}",
            f"{100 * found.b:.1f}",
            str(found),
            f"{found.p_bootstrap:.2g}",
            f"{found.p_mcnemar:.2g}",
            found.only_a,
            found.only_b,
        ]
        for k, found in comparison.difference.items()
    ]
