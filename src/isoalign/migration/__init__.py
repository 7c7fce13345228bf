"""Move stored vectors, or queries, to another embedding model without embedding anything again."""

from typing import TYPE_CHECKING

from isoalign._core.registry import lazy_attributes

if TYPE_CHECKING:
    from isoalign.migration._adapter import Adapter as Adapter
    from isoalign.migration._apply import Applied as Applied
    from isoalign.migration._apply import apply_adapter as apply_adapter
    from isoalign.migration._databases import AppliedToTable as AppliedToTable
    from isoalign.migration._databases import apply_to_database as apply_to_database
    from isoalign.migration._fit import fit_adapter as fit_adapter
    from isoalign.migration._fit import join_items as join_items
    from isoalign.migration._fit import shared_keys as shared_keys
    from isoalign.migration._items import read_items as read_items
    from isoalign.migration._items import read_judgments as read_judgments
    from isoalign.migration._measures import MeanScore as MeanScore
    from isoalign.migration._measures import MigrationResult as MigrationResult
    from isoalign.migration._measures import evaluate_adapter as evaluate_adapter
    from isoalign.migration._pairs import PairedRows as PairedRows
    from isoalign.migration._plan import MigrationPlan as MigrationPlan
    from isoalign.migration._plan import plan_migration as plan_migration
    from isoalign.migration._registry import ADAPTERS as ADAPTERS
    from isoalign.migration._verdict import MigrationVerdict as MigrationVerdict
    from isoalign.migration._verdict import judge_migration as judge_migration

_PUBLIC = {
    "ADAPTERS": "_registry",
    "Adapter": "_adapter",
    "Applied": "_apply",
    "AppliedToTable": "_databases",
    "MigrationPlan": "_plan",
    "MigrationResult": "_measures",
    "MigrationVerdict": "_verdict",
    "PairedRows": "_pairs",
    "MeanScore": "_measures",
    "apply_adapter": "_apply",
    "apply_to_database": "_databases",
    "join_items": "_fit",
    "shared_keys": "_fit",
    "read_items": "_items",
    "read_judgments": "_items",
    "evaluate_adapter": "_measures",
    "fit_adapter": "_fit",
    "judge_migration": "_verdict",
    "plan_migration": "_plan",
}

__all__ = [*_PUBLIC]


__getattr__ = lazy_attributes(__name__, _PUBLIC)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
