"""Records of an experiment: the settings of a cell and its values, as JSON."""

from dataclasses import asdict, dataclass, field
from typing import Any

__all__ = ["Cell", "Record"]


@dataclass(frozen=True)
class Cell:
    """The settings of one run.

    Attributes
    ----------
    kind
        ``"bli"``: accuracy on a test dictionary; ``"similarity"``: correlation with human judgments on one side;
        ``"conditions"``: lengths and means of both sides after a normalisation.
    source, target
        Languages, such as ``en`` and ``ja``; ``target`` is None for similarity cells.
    normalize
        Normalisation: ``none``, ``center_length``, ``iternorm`` or any other name or chain.
    method
        Alignment method: ``procrustes``, ``refine``, ``rcsls``, …; None if there is no map.
    retrieval
        Retrieval method: ``csls``, …; None if nothing is retrieved.
    seed
        Random seed.
    dataset
        Name of the similarity data set; None for other kinds.
    start
        The start without a dictionary; None if the method learned from the training dictionary.
    size
        Size of the training dictionary, if the sweep has several.
    """

    kind: str
    source: str
    target: str | None
    normalize: str
    method: str | None = None
    retrieval: str | None = None
    seed: int = 0
    dataset: str | None = None
    start: str | None = None
    size: str | None = None

    @property
    def system(self) -> str:
        """The method, and the start that it learned from, if any."""
        method = self.method or ""
        return method if self.start is None else f"{method} from {self.start}"


@dataclass(frozen=True)
class Record:
    """The result of one run.

    Attributes
    ----------
    key
        Hash of the settings, the checksums of the data and the version.
    cell
        Settings of the run.
    values
        ``bli``: ``precision`` and ``ci95`` by k as text ("1", "5", "10"), ``mrr`` and ``mrr_ci95``, ``n``,
        ``coverage``, ``chosen`` (the selected settings, or None), ``rounds`` (CSLS P@1 on the test words after every
        round, for refine with csls, otherwise None), ``best_on_test`` (the largest of them, which is biased because it
        is selected on test words), ``words`` (source word of each question) and ``ranks`` (rank of the best correct
        answer to each question, None beyond 10 unless the protocol uses all ranks).
        ``similarity``: ``spearman``, ``ci95``, ``pearson``, ``n``, ``coverage``.
        ``conditions``: ``source`` and ``target``, each with ``mean_norm``, ``min_length``, ``max_length``.
    provenance
        Data files with checksums, versions, protocol, threads, date.
    seconds
        Elapsed time in seconds.
    """

    key: str
    cell: Cell
    values: dict[str, Any]
    provenance: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def measure(self) -> str:
        """Name of the score of a ``bli`` record: ``"P@1"``, or ``"MAP"`` under the protocol of XLING."""
        return "MAP" if self.provenance.get("protocol") == "xling" else "P@1"

    @property
    def score(self) -> tuple[float, tuple[float, float]]:
        """The score of a ``bli`` record and its interval; with one correct answer, MAP is the mean reciprocal rank."""
        is_map = self.measure == "MAP"
        value = self.values["mrr"] if is_map else self.values["precision"]["1"]
        low, high = self.values["mrr_ci95"] if is_map else self.values["ci95"]["1"]
        return value, (low, high)

    @property
    def conditions(self) -> tuple[dict[str, float], dict[str, float]]:
        """Lengths and mean of both languages of a ``conditions`` record, in the order of its cell."""
        return self.values["source"], self.values["target"]

    def to_dict(self) -> dict[str, Any]:
        """Return the record as JSON values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Record":
        """Restore a record from `to_dict`."""
        return cls(**{**data, "cell": Cell(**data["cell"])})
