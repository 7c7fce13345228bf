"""A fitted map from one embedding model to another, with a record of its provenance."""

import hashlib
import math
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from isoalign._core.estimator import AbstractEstimator
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import FloatVector, Matrix, PathName
from isoalign._core.validate import check_choice, check_count, check_finite, check_matrix
from isoalign._core.version import VERSION
from isoalign.errors import InvalidValueError, ParameterError, ShapeError
from isoalign.maps import AbstractMap
from isoalign.migration._mismatch import Statistics, check_vectors, measure_vectors
from isoalign.migration._pairs import PairedRows, has_unit_rows
from isoalign.migration._recall import Use, neighbor_recall, true_neighbors
from isoalign.migration._saving import read_adapter, write_adapter
from isoalign.migration._selection import AUTO, choose_adapter, fit_map
from isoalign.migration._unpaired import advise, fit_unpaired

__all__ = ["USES", "Adapter", "row_digests"]

USES = ("corpus", "queries")
_K = 10


class Adapter(AbstractEstimator):
    """Map vectors of one embedding model into the space of another.

    Parameters
    ----------
    method
        Name of an adapter, or ``"auto"``: the best of several on held-out items.
    settings
        Settings of the adapter that are not to be chosen on held-out items.
    use
        ``"corpus"``: stored vectors are mapped from the old model to the new; ``"queries"``: queries of the new model
        are mapped to the old. It determines which neighbours are compared when settings are chosen.
    paired
        Whether rows of both models embed the same items. Without pairs the map is a rotation that matches clusters,
        ``record_["verdict"]`` says whether it was found, and settings are those of the start ``"clusters"``.
    source_name, target_name
        Names of the source model and of the target model.
    random_state
        Seed.

    Attributes
    ----------
    map_
        The map.
    record_
        Names, dimensions, hashes, number of pairs, chosen settings and their scores: JSON values.
    statistics_
        Mean and length of the vectors that it was fitted on.
    digests_
        Hashes of the rows that it was fitted on, so that none of them is used to evaluate it.
    n_features_in_
        Dimension of the source vectors.
    """

    def __init__(
        self,
        method: str = "auto",
        *,
        settings: Mapping[str, Any] | None = None,
        use: Use = "corpus",
        paired: bool = True,
        source_name: str | None = None,
        target_name: str | None = None,
        random_state: int = 0,
    ) -> None:
        self.method = method
        self.settings = settings
        self.use = use
        self.paired = paired
        self.source_name = source_name
        self.target_name = target_name
        self.random_state = random_state

    map_: AbstractMap
    record_: dict[str, Any]
    statistics_: Statistics
    digests_: NDArray[np.uint64]
    n_features_in_: int

    def fit(self, X: Any, Y: Any, *, n_queries: int = 0, progress: Progress = ignore_progress) -> Self:
        """Fit on rows of both models, which embed the same items unless ``paired=False``.

        Parameters
        ----------
        X
            Rows of the source model, (n, d_source).
        Y
            The same items in the target model, (n, d_target); without pairs, other items, (m, d_target).
        n_queries
            Number of last pairs that are queries. From 200 on, settings are chosen by what these find among the
            documents.
        progress
            Progress callback.
        """
        check_choice(self.use, USES, name="use")
        check_count(n_queries, name="n_queries", minimum=0)
        with self.learning():
            if self.paired:
                pairs = PairedRows.from_rows(X, Y)
                X, Y = pairs.X, pairs.Y
                found = self._fit_paired(pairs, n_queries, progress)
            else:
                X, Y = check_matrix(X, name="X"), check_matrix(Y, name="Y")
                found = self._fit_unpaired(X, Y, progress)
            self.statistics_ = measure_vectors(X)
            self.digests_ = row_digests(X)
            self.n_features_in_ = X.shape[1]
            self.record_ = {
                "use": self.use,
                "source": _describe(self.source_name, X),
                "target": _describe(self.target_name, Y),
                **found,
                "random_state": self.random_state,
                "isoalign": VERSION,
            }
        return self

    def _fit_paired(self, pairs: PairedRows, n_queries: int, progress: Progress) -> dict[str, Any]:
        choice = choose_adapter(
            pairs,
            AUTO if self.method == "auto" else [self.method],
            use=self.use,
            settings=self.settings,
            k=_K,
            n_queries=n_queries,
            random_state=self.random_state,
            progress=progress,
        )
        self.map_ = fit_map(pairs, choice.best.method, choice.best.settings)
        return {
            "pairs": len(pairs),
            "queries": n_queries,
            "method": choice.best.method,
            "settings": choice.best.settings,
            "held_out": {
                "items": choice.n_held_out,
                "k": choice.k,
                "recall": choice.best.recall,
                "null": choice.null,
                "identity_p1": choice.identity,
            },
            "tried": [vars(trial) for trial in choice.tried],
        }

    def _fit_unpaired(self, X: Matrix, Y: Matrix, progress: Progress) -> dict[str, Any]:
        if self.method != "auto":
            raise ParameterError(f"{self.method} needs pairs. Without them, leave the method at 'auto'.")
        self.map_, settings, verdict = fit_unpaired(
            X, Y, settings=self.settings, random_state=self.random_state, progress=progress
        )
        found = {"status": verdict.status, "agreement": verdict.agreement, "null_agreement": verdict.null_agreement}
        return {
            "pairs": 0,
            "method": "clusters",
            "settings": settings,
            "verdict": {**found, "text": advise(verdict)},
        }

    def transform(self, X: Any) -> Matrix | FloatVector:
        """Map rows (n, d_source) to (n, d_target), or one vector (d_source,) to (d_target,); float32."""
        if "map_" not in self.__dict__:
            self.check_fitted()
        X = np.asarray(X)
        with np.errstate(over="ignore", invalid="ignore"):  # infinite values are reported below
            if X.ndim == 1:
                return self._transform_one(X)
            mapped = self.map_.apply(X)
        check_finite(mapped, name="The mapped vectors")
        return mapped

    def _transform_one(self, x: NDArray[Any]) -> FloatVector:
        """Map one vector; the checks of whole matrices would take longer than the map."""
        if len(x) != self.n_features_in_:
            raise ShapeError(f"The map takes {self.n_features_in_} columns. Got a vector with {len(x)}.")
        mapped: FloatVector = self.map_._apply(x.astype(np.float32, copy=False)[None])[0]
        if not math.isfinite(mapped.sum()):
            raise InvalidValueError("The vector contains NaN or infinity, or numbers beyond the range of float32.")
        return mapped

    def score(self, X: Any, Y: Any) -> float:
        """Return the mean share of the ten nearest neighbours in the new model that the adapter keeps."""
        mapped = self.map_.apply(X)
        Y = check_matrix(Y, name="Y")
        if len(mapped) != len(Y) or len(Y) < 2:
            raise ShapeError(f"X and Y must have the same items, at least 2. Got {len(mapped)} and {len(Y)} rows.")
        truth = true_neighbors(check_matrix(X), Y, use=self.use, k=_K)
        return float(neighbor_recall(mapped, Y, truth, use=self.use).mean())

    def check(self, X: Matrix, *, name: str = "X", advice: str = "") -> None:
        """Raise an error for vectors of another dimension, or clearly of another model by their mean and length."""
        self.check_fitted()
        check_vectors(X, self.statistics_, name=name, advice=advice)

    def has_seen(self, X: Matrix) -> NDArray[np.bool_]:
        """Return which rows (n, d_source) the adapter was fitted on, (n,)."""
        self.check_fitted()
        return np.isin(row_digests(X), self.digests_)

    def save(self, path: PathName, *, overwrite: bool = False) -> None:
        """Write the adapter to a folder; see `load`."""
        self.check_fitted()
        write_adapter(self, path, overwrite=overwrite)

    @classmethod
    def load(cls, path: PathName) -> "Adapter":
        """Read an adapter from a folder written by `save`."""
        return read_adapter(path, cls)


def _describe(name: str | None, X: Matrix) -> dict[str, Any]:
    digest = hashlib.sha256(np.ascontiguousarray(X).data).hexdigest()
    return {"name": name, "dim": X.shape[1], "unit": has_unit_rows(X), "sha256": digest}


def row_digests(X: Matrix) -> NDArray[np.uint64]:
    """Return a 64-bit hash of every row, (n,)."""
    X = np.ascontiguousarray(X, dtype=np.float32)
    digests = b"".join(hashlib.blake2b(row.data, digest_size=8).digest() for row in X)
    return np.frombuffer(digests, dtype=np.uint64)
