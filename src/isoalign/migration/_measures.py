"""Quality of a migration: neighbours of the new model and relevant documents, compared with both models alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import unit_rows
from isoalign._core.display import Tabular
from isoalign._core.types import DoubleVector, IntVector, Matrix, RowPairs
from isoalign._core.validate import check_matrix, check_row_pairs
from isoalign.errors import InvalidValueError, ShapeError
from isoalign.evaluation import percentile_interval, resample_ratios
from isoalign.migration._adapter import Adapter
from isoalign.migration._recall import identity_precision, kept_shares, nearest_rows
from isoalign.neighbors import nearest_centroid, spherical_centroids

__all__ = [
    "ADAPTED",
    "NEW",
    "OLD",
    "MeanScore",
    "MigrationResult",
    "QueryCluster",
    "Yardstick",
    "evaluate_adapter",
    "mean_scores",
]

OLD, NEW, ADAPTED = "old → old", "new → new", "adapted"
_N_CLUSTERS, _SMALLEST_CLUSTER = 10, 10
_NDCG_AT = 10
_MOST_ITEMS = 2000  # items that serve as queries if there are none
_SEED = 0


@dataclass(frozen=True)
class MeanScore:
    """A mean over queries and its 95 % interval."""

    value: float
    ci95: tuple[float, float]


@dataclass(frozen=True)
class QueryCluster:
    """A cluster of queries: their number, and the share of their ten neighbours that is kept."""

    n: int
    kept: float


@dataclass(frozen=True, repr=False)
class MigrationResult(Tabular):
    """Scores of an adapter.

    Attributes
    ----------
    use
        Use of the adapter.
    n
        Number of queries.
    n_index
        Number of documents searched.
    real_queries
        Whether queries were given; otherwise documents that the adapter was not fitted on serve as queries.
    systems
        By system (``"old → old"``, ``"adapted"``, ``"new → new"``) and measure. ``kept@k`` is the share of the k
        nearest documents of the new model; ``R@k``, ``nDCG@10`` and ``MRR`` need judgments.
    identity_p1
        Share of documents whose vector is mapped nearest to their own: an easy measure.
    clusters
        Clusters of queries, worst first.
    difference
        Adapted minus old → old in the measure of the verdict, paired by query.
    per_query
        The scores of each query, (n,), by system and measure.
    """

    use: str
    n: int
    n_index: int
    real_queries: bool
    systems: dict[str, dict[str, MeanScore]]
    identity_p1: float | None
    clusters: list[QueryCluster]
    difference: MeanScore | None
    per_query: Mapping[str, Mapping[str, DoubleVector]] = field(repr=False, compare=False)

    @property
    def decisive(self) -> str:
        """The measure of the verdict: recall of relevant documents if there are judgments, else of neighbours."""
        return "R@10" if "R@10" in self.systems[ADAPTED] else "kept@10"

    def to_records(self) -> list[dict[str, Any]]:
        """Return one row per system and measure, with its interval."""
        return [
            {"system": system, "measure": name, "value": score.value, "low": score.ci95[0], "high": score.ci95[1]}
            for system, scores in self.systems.items()
            for name, score in scores.items()
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the scores as JSON values."""
        return {
            "use": self.use,
            "n": self.n,
            "n_index": self.n_index,
            "real_queries": self.real_queries,
            "decisive": self.decisive,
            "systems": {
                system: {name: vars(score) for name, score in scores.items()} for system, scores in self.systems.items()
            },
            "identity_p1": self.identity_p1,
            "clusters": [vars(cluster) for cluster in self.clusters],
            "difference": None if self.difference is None else vars(self.difference),
        }

    def __repr__(self) -> str:
        found = ", ".join(f"{system} {scores[self.decisive].value:.3f}" for system, scores in self.systems.items())
        return f"MigrationResult({self.use}, {self.decisive}: {found}, n={self.n})"


def evaluate_adapter(
    adapter: Adapter,
    old: Any,
    new: Any,
    *,
    queries: tuple[Any, Any] | None = None,
    relevant: Any = None,
    ks: Sequence[int] = (1, 10, 100),
) -> MigrationResult:
    """Measure an adapter in comparison with the old and the new model alone.

    Parameters
    ----------
    adapter
        A fitted adapter.
    old, new
        The documents embedded by both models; rows correspond.
    queries
        Queries embedded by the old and by the new model. None: documents that the adapter was not fitted on serve as
        queries and as the index, and a document does not find itself.
    relevant
        Pairs of query row and relevant document row, (p, 2), or one document row per query.
    ks
        Numbers of documents found.

    Raises
    ------
    InvalidValueError
        If fewer than 20 documents are left that the adapter was not fitted on.
    """
    old, new = _check_documents(old, new)
    if queries is None:
        unseen = np.flatnonzero(~adapter.has_seen(old if adapter.use == "corpus" else new))
        if relevant is None and len(unseen) < 20:
            raise InvalidValueError(
                f"{len(unseen)} documents are left that the adapter was not fitted on; at least 20 are needed. "
                "Pass queries, or documents that were held back."
            )
        old, new = old[unseen], new[unseen]
    return Yardstick(old, new, queries=queries, relevant=relevant, ks=ks).measure(adapter)


class Yardstick:
    """Both models alone on some queries: found once, and any number of adapters is measured beside them.

    Parameters
    ----------
    old, new, queries, relevant, ks
        See `evaluate_adapter`; without queries, documents that none of the adapters was fitted on.
    """

    def __init__(
        self,
        old: Any,
        new: Any,
        *,
        queries: tuple[Any, Any] | None = None,
        relevant: Any = None,
        ks: Sequence[int] = (1, 10, 100),
    ) -> None:
        self._old, self._new = _check_documents(old, new)
        self._real, self._ks = queries is not None, ks
        if queries is None:
            if relevant is not None:
                raise ShapeError("Judgments need the queries that they belong to. Pass queries=(old, new).")
            queries = self._old[:_MOST_ITEMS], self._new[:_MOST_ITEMS]
        asked, self._asked = (check_matrix(side, name="queries") for side in queries)
        if len(asked) != len(self._asked):
            raise ShapeError(f"Queries must correspond. Got {len(asked)} and {len(self._asked)} rows.")
        self._relevant = None if relevant is None else _as_pairs(relevant, n=len(asked), m=len(self._old))
        self._truth = self._search(self._asked, self._new)
        alone = {OLD: self._search(asked, self._old), NEW: self._truth}
        self._per_query = {system: self._score(rows) for system, rows in alone.items()}
        self._systems = {system: _summarize(scores) for system, scores in self._per_query.items()}

    def measure(self, adapter: Adapter) -> MigrationResult:
        """Return the scores of an adapter beside those of both models."""
        corpus = adapter.use == "corpus"
        index = adapter.map_.apply(self._old) if corpus else self._old
        asked = self._asked if corpus else adapter.map_.apply(self._asked)
        scores = self._score(self._search(asked, index))
        decisive = "R@10" if "R@10" in scores else "kept@10"
        difference = None
        if decisive in scores:
            (difference,) = mean_scores([scores[decisive] - self._per_query[OLD][decisive]])
        return MigrationResult(
            use=adapter.use,
            n=len(asked),
            n_index=len(self._old),
            real_queries=self._real,
            systems={OLD: self._systems[OLD], ADAPTED: _summarize(scores), NEW: self._systems[NEW]},
            identity_p1=self._identity(adapter, index if corpus else None),
            clusters=_cluster(self._asked, scores[f"kept@{10 if 10 in self._ks else self._ks[0]}"]),
            difference=difference,
            per_query={OLD: self._per_query[OLD], ADAPTED: scores, NEW: self._per_query[NEW]},
        )

    def _search(self, asked: Matrix, index: Matrix) -> IntVector:
        return nearest_rows(asked, index, max(self._ks), themselves=not self._real)

    def _score(self, found: IntVector) -> dict[str, DoubleVector]:
        kept = {f"kept@{k}": kept_shares(found, self._truth, k) for k in self._ks}
        return kept if self._relevant is None else kept | _judge(found, self._relevant, self._ks)

    def _identity(self, adapter: Adapter, mapped: Matrix | None) -> float | None:
        """Return the identity P@1 of documents that the adapter was not fitted on."""
        source, target = (self._old, self._new) if adapter.use == "corpus" else (self._new, self._old)
        some = np.flatnonzero(~adapter.has_seen(source))[:_MOST_ITEMS]
        if not len(some):
            return None
        return identity_precision(adapter.map_.apply(source[some]) if mapped is None else mapped[some], target[some])


def _check_documents(old: Any, new: Any) -> tuple[Matrix, Matrix]:
    old, new = check_matrix(old, name="old"), check_matrix(new, name="new")
    if len(old) != len(new):
        raise ShapeError(f"Rows of old and new must correspond. Got {len(old)} and {len(new)} rows.")
    return old, new


def _as_pairs(relevant: Any, *, n: int, m: int) -> RowPairs:
    array = np.asarray(relevant)
    if array.ndim == 1 and len(array) == n:
        array = np.column_stack([np.arange(n), array])
    pairs = check_row_pairs(array, n=n, m=m)
    if len(np.unique(pairs[:, 0])) < n:
        raise ShapeError(f"Every query needs a relevant document. {n - len(np.unique(pairs[:, 0]))} of {n} have none.")
    return pairs


def _judge(found: IntVector, pairs: RowPairs, ks: Sequence[int]) -> dict[str, DoubleVector]:
    """Return R@k, nDCG@10 and MRR of every query; ranks beyond those found count as not found."""
    hits: NDArray[np.bool_] = np.zeros(found.shape, dtype=bool)
    for query, document in pairs:
        hits[query] |= found[query] == document
    totals = np.bincount(pairs[:, 0], minlength=len(found))
    discounts = 1 / np.log2(np.arange(2, _NDCG_AT + 2))
    ideal = np.cumsum(discounts)[np.minimum(totals, _NDCG_AT) - 1]
    first = np.where(hits.any(axis=1), 1.0 / (1 + hits.argmax(axis=1)), 0.0)
    scores: dict[str, DoubleVector] = {f"R@{k}": hits[:, :k].sum(axis=1) / totals for k in ks}
    shown = hits[:, :_NDCG_AT]
    scores["nDCG@10"] = shown @ discounts[: shown.shape[1]] / ideal
    scores["MRR"] = first
    return scores


def mean_scores(columns: Sequence[DoubleVector]) -> list[MeanScore]:
    """Return the mean of each column over queries, with bootstrap intervals from shared draws."""
    table = np.column_stack(columns)[:, None, :]
    low, high = percentile_interval(resample_ratios(table, np.ones((len(table), 1)), random_state=_SEED))
    return [
        MeanScore(float(column.mean()), (float(low[0, place]), float(high[0, place])))
        for place, column in enumerate(columns)
    ]


def _summarize(scores: Mapping[str, DoubleVector]) -> dict[str, MeanScore]:
    return dict(zip(scores, mean_scores(list(scores.values())), strict=True))


def _cluster(queries: Matrix, kept: DoubleVector) -> list[QueryCluster]:
    """Cluster the queries and return the clusters, worst first; small ones are omitted."""
    units = unit_rows(queries - queries.mean(axis=0))
    owners = nearest_centroid(units, spherical_centroids(units, _N_CLUSTERS, random_state=_SEED))
    groups = [kept[owners == owner] for owner in np.unique(owners)]
    found = [QueryCluster(len(group), float(group.mean())) for group in groups if len(group) >= _SMALLEST_CLUSTER]
    return sorted(found, key=lambda cluster: cluster.kept)
