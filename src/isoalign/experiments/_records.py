"""What one run of an experiment leaves behind: the settings of a cell and its values, as JSON."""

from dataclasses import asdict, dataclass, field
from typing import Any

__all__ = ["Cell", "Record"]


@dataclass(frozen=True)
class Cell:
    """The settings of one run.

    Attributes
    ----------
    kind
        ``"bli"``: accuracy on a test dictionary; ``"similarity"``: correlation with human judgements on one side;
        ``"conditions"``: lengths and means of both sides after a normalisation.
    source, target
        Languages, such as ``en`` and ``ja``; ``target`` is None for a similarity cell.
    normalize
        ``none``, ``center_length``, ``iternorm`` or any other chain.
    method
        ``procrustes``, ``refine``, ``rcsls``, …; None where nothing is mapped.
    retrieval
        ``csls``, …; None where nothing is retrieved.
    seed
        Of the validation split.
    dataset
        Name of the similarity set; None elsewhere.
    """

    kind: str
    source: str
    target: str | None
    normalize: str
    method: str | None = None
    retrieval: str | None = None
    seed: int = 0
    dataset: str | None = None


@dataclass(frozen=True)
class Record:
    """A finished run.

    Attributes
    ----------
    key
        Hash of the settings, the checksums of the data and the version.
    cell
        The settings.
    values
        ``bli``: ``precision`` and ``ci95`` by k as text ("1", "5", "10"), ``n``, ``coverage``, ``chosen`` (what
        selection chose, or None), ``rounds`` (CSLS P@1 of every round on the test words, for refine under csls, else
        None), ``best_on_test`` (the largest of them: chosen by the test words, so no honest estimate) and ``ranks``
        (place of the best right answer for every source word, None beyond 10).
        ``similarity``: ``spearman``, ``ci95``, ``pearson``, ``n``, ``coverage``.
        ``conditions``: ``source`` and ``target``, each with ``mean_norm``, ``min_length``, ``max_length``.
    provenance
        Data files with checksums, versions, protocol, threads, date.
    seconds
        How long it took.
    """

    key: str
    cell: Cell
    values: dict[str, Any]
    provenance: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the record as JSON values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Record":
        """Return what `to_dict` gave."""
        return cls(**{**data, "cell": Cell(**data["cell"])})
