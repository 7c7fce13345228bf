"""Quality of a migration: neighbours of the new model and relevant documents, compared with both models alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isoalign._core.arrays import unit_rows
from isoalign._core.types import DoubleVector, IntVector, Matrix, RowPairs
from isoalign._core.validate import check_matrix, check_row_pairs
from isoalign.errors import InvalidValueError, ShapeError
from isoalign.evaluation import percentile_interval, resample_ratios
from isoalign.migration._adapter import Adapter
from isoalign.migration._recall import identity_precision, kept_shares, nearest_rows
from isoalign.neighbors import nearest_centroid, spherical_centroids

__all__ = ["ADAPTED", "NEW", "OLD", "Cluster", "MigrationResult", "Score", "evaluate_adapter", "mean_scores"]

OLD, NEW, ADAPTED = "old → old", "new → new", "adapted"
_N_CLUSTERS, _SMALLEST_CLUSTER = 10, 10
_NDCG_AT = 10
_MOST_ITEMS = 2000  # items that serve as queries if there are none
_SEED = 0


@dataclass(frozen=True)
class Score:
    """A mean over queries and its 95 % interval."""

    value: float
    ci95: tuple[float, float]


@dataclass(frozen=True)
class Cluster:
    """A cluster of queries: their number, and the share of their ten neighbours that is kept."""

    n: int
    kept: float


@dataclass(frozen=True)
class MigrationResult:
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
    systems: dict[str, dict[str, Score]]
    identity_p1: float | None
    clusters: list[Cluster]
    difference: Score | None
    per_query: Mapping[str, Mapping[str, DoubleVector]] = field(repr=False, compare=False)

    @property
    def decisive(self) -> str:
        """The measure of the verdict: recall of relevant documents if there are judgments, else of neighbours."""
        return "R@10" if "R@10" in self.systems[ADAPTED] else "kept@10"

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
    old, new = check_matrix(old, name="old"), check_matrix(new, name="new")
    if len(old) != len(new):
        raise ShapeError(f"Rows of old and new must correspond. Got {len(old)} and {len(new)} rows.")
    unseen = np.flatnonzero(~adapter.has_seen(old if adapter.use == "corpus" else new))
    if queries is None:
        if relevant is not None:
            raise ShapeError("Judgments need the queries that they belong to. Pass queries=(old, new).")
        if len(unseen) < 20:
            raise InvalidValueError(
                f"{len(unseen)} documents are left that the adapter was not fitted on; at least 20 are needed. "
                "Pass queries, or documents that were held back."
            )
        old, new = old[unseen], new[unseen]
    index = adapter.map_.apply(old) if adapter.use == "corpus" else old
    found, asked = _search(adapter, old, new, index, queries, max(ks))
    per_query = {system: {f"kept@{k}": kept_shares(rows, found[NEW], k) for k in ks} for system, rows in found.items()}
    if relevant is not None:
        pairs = _as_pairs(relevant, n=len(asked), m=len(old))
        for system, rows in found.items():
            per_query[system] |= _judge(rows, pairs, ks)
    systems, difference = _summarize(per_query)
    source, target = (old, new) if adapter.use == "corpus" else (new, old)
    own = np.arange(len(old)) if queries is None else unseen
    some = own[:_MOST_ITEMS]
    return MigrationResult(
        use=adapter.use,
        n=len(asked),
        n_index=len(old),
        real_queries=queries is not None,
        systems=systems,
        identity_p1=identity_precision(adapter.map_.apply(source[some]), target[some]) if len(some) else None,
        clusters=_cluster(asked, per_query[ADAPTED][f"kept@{10 if 10 in ks else ks[0]}"]),
        difference=difference,
        per_query=per_query,
    )


def _search(
    adapter: Adapter, old: Matrix, new: Matrix, index: Matrix, queries: tuple[Any, Any] | None, k: int
) -> tuple[dict[str, IntVector], Matrix]:
    """Return the rows that each system finds, and the queries of the new model."""
    if queries is None:
        new_queries, old_queries, themselves = new[:_MOST_ITEMS], old[:_MOST_ITEMS], True
    else:
        old_queries, new_queries = (check_matrix(side, name="queries") for side in queries)
        themselves = False
        if len(old_queries) != len(new_queries):
            raise ShapeError(f"Queries must correspond. Got {len(old_queries)} and {len(new_queries)} rows.")
    mapped = new_queries if adapter.use == "corpus" else adapter.map_.apply(new_queries)
    found = {
        OLD: nearest_rows(old_queries, old, k, themselves=themselves),
        ADAPTED: nearest_rows(mapped, index, k, themselves=themselves),
        NEW: nearest_rows(new_queries, new, k, themselves=themselves),
    }
    return found, new_queries


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


def mean_scores(columns: Sequence[DoubleVector]) -> list[Score]:
    """Return the mean of each column over queries, with bootstrap intervals from shared draws."""
    table = np.column_stack(columns)[:, None, :]
    low, high = percentile_interval(resample_ratios(table, np.ones((len(table), 1)), random_state=_SEED))
    return [
        Score(float(column.mean()), (float(low[0, place]), float(high[0, place])))
        for place, column in enumerate(columns)
    ]


def _summarize(
    per_query: Mapping[str, Mapping[str, DoubleVector]],
) -> tuple[dict[str, dict[str, Score]], Score | None]:
    names = [(system, name) for system, scores in per_query.items() for name in scores]
    decisive = "R@10" if "R@10" in per_query[ADAPTED] else "kept@10"
    columns = [per_query[system][name] for system, name in names]
    gain = decisive in per_query[ADAPTED]
    if gain:
        columns.append(per_query[ADAPTED][decisive] - per_query[OLD][decisive])
    scores = mean_scores(columns)
    difference = scores.pop() if gain else None
    systems: dict[str, dict[str, Score]] = {system: {} for system in per_query}
    for (system, name), score in zip(names, scores, strict=True):
        systems[system][name] = score
    return systems, difference


def _cluster(queries: Matrix, kept: DoubleVector) -> list[Cluster]:
    """Cluster the queries and return the clusters, worst first; small ones are omitted."""
    units = unit_rows(queries - queries.mean(axis=0))
    owners = nearest_centroid(units, spherical_centroids(units, _N_CLUSTERS, random_state=_SEED))
    groups = [kept[owners == owner] for owner in np.unique(owners)]
    found = [Cluster(len(group), float(group.mean())) for group in groups if len(group) >= _SMALLEST_CLUSTER]
    return sorted(found, key=lambda cluster: cluster.kept)
