"""Choose the records that headlines, differences and figures are about, if there are several retrievals or seeds."""

from collections.abc import Iterable

from isoalign.experiments import Record
from isoalign.neighbors import DEFAULT_RETRIEVAL
from isoalign.reporting._names import CellKey, key_of

__all__ = ["choose_records", "name_choice"]

_PREFERRED = DEFAULT_RETRIEVAL


def choose_records(records: Iterable[Record]) -> dict[CellKey, Record]:
    """Return the accuracy records of one retrieval and one seed by their position in tables.

    The retrieval is CSLS if it was used, otherwise that of the first record; the seed is the lowest. Like every table,
    which has one retrieval and one seed, what is said about the result is not an average of several.
    """
    accuracies = [record for record in records if record.cell.kind == "bli"]
    retrieval, seed = _choose(accuracies)
    return {
        key_of(record.cell): record
        for record in accuracies
        if record.cell.retrieval == retrieval and record.cell.seed == seed
    }


def name_choice(records: Iterable[Record]) -> str:
    """Return the retrieval of `choose_records` if it is not CSLS, and the seed if there are several."""
    accuracies = [record for record in records if record.cell.kind == "bli"]
    retrieval, seed = _choose(accuracies)
    several_seeds = len({record.cell.seed for record in accuracies}) > 1
    parts = [
        *([f"{retrieval.upper()} retrieval"] if retrieval not in (_PREFERRED, None) else []),
        *([f"seed {seed}"] if several_seeds else []),
    ]
    return ", ".join(parts)


def _choose(accuracies: list[Record]) -> tuple[str | None, int]:
    """Return the retrieval and its lowest seed; (None, 0) if there are no records."""
    retrievals = [record.cell.retrieval for record in accuracies]
    retrieval = _PREFERRED if _PREFERRED in retrievals else next(iter(retrievals), None)
    return retrieval, min((record.cell.seed for record in accuracies if record.cell.retrieval == retrieval), default=0)
