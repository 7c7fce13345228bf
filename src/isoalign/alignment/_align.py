"""The front door: two embeddings and a dictionary in, an alignment out."""

import warnings
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

import numpy as np

from isoalign._arrays import unit_rows
from isoalign._progress import Progress, ignore_progress
from isoalign._types import Matrix, RowPairs
from isoalign.alignment._alignment import Alignment
from isoalign.alignment._base import AbstractAligner, apply_map
from isoalign.alignment._recipes import RECIPES
from isoalign.alignment._registry import make_aligner, name_of
from isoalign.alignment._seeds import seed_lexicon
from isoalign.alignment._selection import Selection, select_settings
from isoalign.errors import InvalidValueError, IsoalignWarning, ShapeError
from isoalign.lexicon import Lexicon
from isoalign.normalization import AbstractNormalizer, make_normalizer
from isoalign.vectors import Embeddings, as_embeddings

__all__ = ["align", "resolve_method"]

_DEFAULT = "default"


def align(
    source: Any,
    target: Any,
    lexicon: Lexicon | Iterable[tuple[str, str]] | str,
    *,
    method: str | AbstractAligner = "procrustes",
    normalize: str | AbstractNormalizer | None = None,
    select: str | None = _DEFAULT,
    test: Lexicon | None = None,
    random_state: int = 0,
    n_jobs: int = 1,
    progress: Progress = ignore_progress,
    **settings: Any,
) -> Alignment:
    """Learn to bring two embedding spaces together from word pairs.

    Parameters
    ----------
    source, target
        `Embeddings`, or any objects with ``vectors`` and ``index_to_key``; most frequent word first.
    lexicon
        Word pairs to learn from, or ``"identical"`` or ``"numerals"`` to pair words that are spelled alike.
    method
        ``"procrustes"``, ``"least_squares"``, ``"refine"``, ``"rcsls"``, ``"vecmap"``, a recipe such as
        ``"muse-supervised"``, or an aligner.
    normalize
        ``"iternorm"``, ``"none"``, ``"unit,center,unit"``, …, or a normaliser; None is ``"iternorm"``, or what the
        recipe says. Means and lengths are those of the rows given here.
    select
        How rounds, epochs and step length are chosen where the method leaves them open: ``"validation"`` (the
        default) judges on a fifth of the training source words and then learns from all; ``"unsupervised"`` by mean
        cosine; None not at all; ``"test"`` by the words of ``test``, as MUSE does, which spoils them for testing.
    test
        Test dictionary, for ``select="test"`` only.
    random_state
        Seed of the validation split.
    n_jobs
        Descents to run side by side when a step length is chosen.
    progress
        Hears how far the work has come.
    settings
        Those of the method, such as ``lr=10``.

    Returns
    -------
    Alignment

    Examples
    --------
    >>> import isoalign as ia
    >>> model = ia.align(en, ja, train, method="rcsls")  # doctest: +SKIP
    """
    source, target = as_embeddings(source, name="source"), as_embeddings(target, name="target")
    aligner, normalize, select = resolve_method(method, normalize=normalize, select=select, **settings)
    lexicon = _as_lexicon(lexicon, source, target)
    pairs = _known_pairs(lexicon, source, target)
    normalizers = [_as_normalizer(normalize), _as_normalizer(normalize)]
    S, T = (
        normalizer.fit_transform(side.vectors, progress=progress)
        for normalizer, side in zip(normalizers, (source, target), strict=True)
    )
    _check_dimensions(aligner, S, T, pairs)
    selection = None
    if select is not None:
        test_pairs = None if test is None else test.row_pairs(source, target)
        selection = _choose(aligner, S, T, pairs, select, test_pairs, random_state, n_jobs, progress)
        if selection is not None:
            aligner = aligner.unfitted_copy().set_params(**selection.chosen)
    aligner.fit(S[pairs[:, 0]], T[pairs[:, 1]], source_space=S, target_space=T, progress=progress)
    model = Alignment(
        aligner.maps_,
        (normalizers[0], normalizers[1]),
        source=source,
        target=target,
        history={
            "steps": aligner.history_,
            "selection": None if selection is None else selection.to_dict(),
            "residuals": {
                side: [list(residual) for residual in getattr(normalizer, "history_", [])]
                for side, normalizer in zip(("source", "target"), normalizers, strict=True)
            },
        },
        provenance=_provenance(source, target, lexicon, aligner, normalizers[0], method, random_state),
    )
    model._spaces = {
        "source": unit_rows(apply_map(S, aligner.source_map_)),
        "target": unit_rows(apply_map(T, aligner.target_map_)),
    }
    return model


def resolve_method(
    method: str | AbstractAligner,
    *,
    normalize: str | AbstractNormalizer | None = None,
    select: str | None = _DEFAULT,
    **settings: Any,
) -> tuple[AbstractAligner, str | AbstractNormalizer, str | None]:
    """Return the unfitted aligner, the normalisation and the selection behind a method's or a recipe's name."""
    if isinstance(method, AbstractAligner):
        aligner, recipe = method.unfitted_copy().set_params(**settings), None
    elif method in RECIPES:
        recipe = RECIPES[method]
        aligner = make_aligner(recipe.method, **{**recipe.settings, **settings})
    else:
        recipe, aligner = None, make_aligner(method, **settings)
    if select == _DEFAULT:
        select = "validation" if recipe is None else recipe.select
    return aligner, normalize or (recipe.normalize if recipe else "iternorm"), select


def _as_normalizer(normalize: str | AbstractNormalizer) -> AbstractNormalizer:
    return make_normalizer(normalize) if isinstance(normalize, str) else normalize.unfitted_copy()


def _as_lexicon(lexicon: Lexicon | Iterable[tuple[str, str]] | str, source: Embeddings, target: Embeddings) -> Lexicon:
    if isinstance(lexicon, str):
        return seed_lexicon(source, target, lexicon)
    return lexicon if isinstance(lexicon, Lexicon) else Lexicon(lexicon)


def _known_pairs(lexicon: Lexicon, source: Embeddings, target: Embeddings) -> RowPairs:
    pairs = lexicon.row_pairs(source, target)
    hint = lexicon.hint(source, target)
    if len(pairs) == 0:
        raise InvalidValueError(
            f"No dictionary pair has both words in the vocabularies ({len(lexicon)} pairs). "
            + (hint or "Give a dictionary of these two languages.")
        )
    if hint is not None:
        warnings.warn(hint, IsoalignWarning, stacklevel=3)
    return pairs


def _check_dimensions(aligner: AbstractAligner, S: Matrix, T: Matrix, pairs: RowPairs) -> None:
    if aligner.same_dim and S.shape[1] != T.shape[1]:
        raise ShapeError(
            f"{name_of(aligner)} needs vectors of equal dimension. Got {S.shape[1]} and {T.shape[1]}. "
            "Use method='least_squares' or 'vecmap'."
        )
    n_sources = len(np.unique(pairs[:, 0]))
    if n_sources < S.shape[1]:
        warnings.warn(
            f"{len(pairs)} known pairs ({n_sources} source words) for {S.shape[1]} dimensions: the map is arbitrary in "
            "directions that no pair shows, and will translate other words badly.",
            IsoalignWarning,
            stacklevel=3,
        )


def _choose(
    aligner: AbstractAligner,
    S: Matrix,
    T: Matrix,
    pairs: RowPairs,
    select: str,
    test_pairs: RowPairs | None,
    random_state: int,
    n_jobs: int,
    progress: Progress,
) -> Selection | None:
    if select == "validation" and aligner.trajectories() and len(np.unique(pairs[:, 0])) < 2:
        warnings.warn(
            "One source word cannot be split for validation: the method's own defaults are used.",
            IsoalignWarning,
            stacklevel=3,
        )
        return None
    if select == "test":
        warnings.warn(
            "select='test' saw the test words: accuracy on them is not an honest estimate.",
            IsoalignWarning,
            stacklevel=3,
        )
    return select_settings(
        aligner,
        S,
        T,
        pairs,
        criterion=select,
        test_pairs=test_pairs,
        random_state=random_state,
        n_jobs=n_jobs,
        progress=progress,
    )


def _provenance(
    source: Embeddings,
    target: Embeddings,
    lexicon: Lexicon,
    aligner: AbstractAligner,
    normalizer: AbstractNormalizer,
    method: str | AbstractAligner,
    random_state: int,
) -> dict[str, Any]:
    coverage = lexicon.coverage(source, target)
    return {
        "isoalign": version("isoalign"),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "recipe": method if isinstance(method, str) and method in RECIPES else None,
        "method": name_of(aligner),
        "settings": {name: _as_json(value) for name, value in aligner.get_params(deep=False).items()},
        "normalize": repr(normalizer),
        "statistics": "the rows loaded",
        "random_state": random_state,
        "lexicon": {
            "pairs": coverage.n_pairs,
            "known_pairs": coverage.known_pairs,
            "known_sources": coverage.known_sources,
        },
        **{
            side: {"lang": data.lang, "words": len(data), "dim": data.vector_size, "metadata": data.metadata}
            for side, data in (("source", source), ("target", target))
        },
    }


def _as_json(value: Any) -> Any:
    return value if value is None or isinstance(value, (bool, int, float, str)) else repr(value)
