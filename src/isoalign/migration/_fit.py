"""`fit_adapter`: fit an adapter from the same items embedded by two models."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from isoalign._core.progress import ProgressLike, as_progress, ignore_progress
from isoalign._core.types import Matrix
from isoalign._core.validate import check_choice, check_matrix
from isoalign.errors import ParameterError, ShapeError
from isoalign.migration._adapter import USES, Adapter
from isoalign.migration._items import given_items
from isoalign.migration._recall import Use
from isoalign.vectors import Embeddings, KeyedVectorsLike, as_embeddings

__all__ = ["fit_adapter", "join_items", "shared_keys"]


def fit_adapter(
    old: Any,
    new: Any,
    *,
    use: Use = "queries",
    method: str = "auto",
    settings: Mapping[str, Any] | None = None,
    queries: tuple[Any, Any] | None = None,
    paired: bool = True,
    old_name: str | None = None,
    new_name: str | None = None,
    random_state: int = 0,
    progress: ProgressLike = ignore_progress,
) -> Adapter:
    """Fit a map between two embedding models from items that both have embedded.

    Parameters
    ----------
    old, new
        Vectors of the old and of the new model: matrices whose rows correspond, or two embeddings, which are joined
        by their keys; or files of either.
    use
        ``"queries"``: the index is not changed, and queries of the new model are mapped to the old; ``"corpus"``: the
        stored vectors of the old model are mapped to the new.
    method
        Name of an adapter, or ``"auto"``.
    settings
        Settings of the adapter that are not to be chosen on held-out items.
    queries
        Queries embedded by the old and by the new model. Queries and documents differ, so fit on both if
        available. With at least 200 queries, settings are chosen by what held-out queries find.
    paired
        Whether both models embedded the same items. Without pairs (different texts on the same subjects) clusters are
        matched; ``adapter.record_["verdict"]`` says whether this worked, with a warning if it did not.
    old_name, new_name
        Names of the models, for the record.
    random_state
        Seed.
    progress
        Progress callback; True draws a bar.

    Examples
    --------
    >>> import numpy as np, isoalign as ia
    >>> rng = np.random.default_rng(0)
    >>> old = rng.standard_normal((300, 8))
    >>> new = old @ np.linalg.qr(rng.standard_normal((8, 8)))[0]
    >>> adapter = ia.fit_adapter(old, new, use="corpus", method="procrustes")
    >>> round(adapter.record_["held_out"]["recall"], 2)
    1.0
    """
    progress = as_progress(progress)
    check_choice(use, USES, name="use")
    if not paired and queries is not None:
        raise ParameterError("Queries in both models are pairs. Fit on them, with paired=True.")
    X, Y = join_items(old, new) if paired else (_vectors_of(old, "old"), _vectors_of(new, "new"))
    n_queries = 0
    if queries is not None:
        old_queries, new_queries = join_items(*queries)
        X, Y = np.concatenate([X, old_queries]), np.concatenate([Y, new_queries])
        n_queries = len(old_queries)
    names = (old_name, new_name)
    if use == "queries":
        X, Y, names = Y, X, (new_name, old_name)
    adapter = Adapter(
        method,
        settings=settings,
        use=use,
        paired=paired,
        source_name=names[0],
        target_name=names[1],
        random_state=random_state,
    )
    return adapter.fit(X, Y, n_queries=n_queries, progress=progress)


def shared_keys(old: Any, new: Any) -> list[Any] | None:
    """Return the common keys, in the order of the old side; None if rows have no keys."""
    keyed = [isinstance(side, Embeddings | KeyedVectorsLike) for side in (old, new)]
    if not any(keyed):
        return None
    if not all(keyed):
        raise ShapeError("Pass keys with both models or with neither: rows without keys correspond by their order.")
    other = as_embeddings(new, name="new")
    shared = [key for key in as_embeddings(old, name="old").index_to_key if key in other]
    if not shared:
        raise ShapeError("The two models have no item in common. Are the keys of the same kind?")
    return shared


def join_items(old: Any, new: Any) -> tuple[Matrix, Matrix]:
    """Return corresponding rows: joined by key if both sides have keys, else as they are."""
    old, new = given_items(old), given_items(new)
    shared = shared_keys(old, new)
    if shared is not None:
        old, new = as_embeddings(old, name="old"), as_embeddings(new, name="new")
        return check_matrix(old.vectors[old.find_rows(shared)]), check_matrix(new.vectors[new.find_rows(shared)])
    X, Y = check_matrix(old, name="old"), check_matrix(new, name="new")
    if len(X) != len(Y):
        raise ShapeError(f"Rows of old and new must correspond. Got {len(X)} and {len(Y)} rows. Join them by an id.")
    return X, Y


def _vectors_of(items: Any, name: str) -> Matrix:
    items = given_items(items)
    keyed = isinstance(items, Embeddings | KeyedVectorsLike)
    return check_matrix(as_embeddings(items, name=name).vectors if keyed else items, name=name)
