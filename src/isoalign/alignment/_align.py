"""The front door: two embeddings and a dictionary in, an alignment out."""

import warnings
from collections.abc import Iterable
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

import numpy as np

from isoalign._progress import Progress, ignore_progress
from isoalign._types import RowPairs
from isoalign._validate import check_choice
from isoalign.alignment._alignment import SIDES, Alignment
from isoalign.alignment._base import AbstractAligner, unit_space
from isoalign.alignment._recipes import RECIPES
from isoalign.alignment._registry import ALIGNERS, make_aligner, name_of
from isoalign.alignment._seeds import seed_lexicon
from isoalign.alignment._selection import CRITERIA, select_settings
from isoalign.errors import InvalidValueError, IsoalignWarning, ShapeError
from isoalign.lexicon import Lexicon
from isoalign.normalization import AbstractNormalizer, make_normalizer
from isoalign.normalization import normalize as normalize_embeddings
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
    pairs = lexicon.row_pairs(source, target)
    _check_usable(aligner, source, target, lexicon, pairs)
    select = _warn_doubts(aligner, source, target, lexicon, pairs, select)
    normalizers = (_as_normalizer(normalize), _as_normalizer(normalize))
    S, T = (
        normalize_embeddings(side, normalizer, progress=progress).vectors
        for side, normalizer in zip((source, target), normalizers, strict=True)
    )
    selection = None
    if select is not None:
        selection = select_settings(
            aligner,
            S,
            T,
            pairs,
            criterion=select,
            test_pairs=None if test is None else test.row_pairs(source, target),
            random_state=random_state,
            n_jobs=n_jobs,
            progress=progress,
        )
    if selection is not None:
        aligner.set_params(**selection.chosen)
    aligner.fit(S[pairs[:, 0]], T[pairs[:, 1]], source_space=S, target_space=T, progress=progress)
    return Alignment(
        aligner.maps_,
        normalizers,
        source=source,
        target=target,
        spaces={"source": unit_space(S, aligner.source_map_), "target": unit_space(T, aligner.target_map_)},
        history={
            "steps": aligner.history_,
            "selection": None if selection is None else selection.to_dict(),
            "residuals": {
                side: [residual._asdict() for residual in getattr(normalizer, "history_", [])]
                for side, normalizer in zip(SIDES, normalizers, strict=True)
            },
        },
        provenance=_provenance(source, target, lexicon, aligner, normalizers[0], method, random_state),
    )


def resolve_method(
    method: str | AbstractAligner,
    *,
    normalize: str | AbstractNormalizer | None = None,
    select: str | None = _DEFAULT,
    **settings: Any,
) -> tuple[AbstractAligner, str | AbstractNormalizer, str | None]:
    """Return the unfitted aligner, the normalisation and the selection behind a method's or a recipe's name."""
    recipe = None
    if isinstance(method, AbstractAligner):
        aligner = method.unfitted_copy().set_params(**settings)
    elif check_choice(method, [*ALIGNERS, *RECIPES], name="method") in RECIPES:
        recipe = RECIPES[method]
        aligner = make_aligner(recipe.method, **{**recipe.settings, **settings})
    else:
        aligner = make_aligner(method, **settings)
    if select == _DEFAULT:
        select = "validation" if recipe is None else recipe.select
    if select is not None:
        check_choice(select, CRITERIA, name="select")
    return aligner, normalize or (recipe.normalize if recipe else "iternorm"), select


def _as_normalizer(normalize: str | AbstractNormalizer) -> AbstractNormalizer:
    return make_normalizer(normalize) if isinstance(normalize, str) else normalize.unfitted_copy()


def _as_lexicon(lexicon: Lexicon | Iterable[tuple[str, str]] | str, source: Embeddings, target: Embeddings) -> Lexicon:
    if isinstance(lexicon, str):
        return seed_lexicon(source, target, lexicon)
    return lexicon if isinstance(lexicon, Lexicon) else Lexicon(lexicon)


def _check_usable(
    aligner: AbstractAligner, source: Embeddings, target: Embeddings, lexicon: Lexicon, pairs: RowPairs
) -> None:
    """Refuse what no map can be learned from, before anything costly."""
    if len(pairs) == 0:
        raise InvalidValueError(
            f"No dictionary pair has both words in the vocabularies ({len(lexicon)} pairs). "
            + (lexicon.hint(source, target) or "Give a dictionary of these two languages.")
        )
    if aligner.same_dim and source.vector_size != target.vector_size:
        raise ShapeError(
            f"{name_of(aligner)} needs vectors of equal dimension. Got {source.vector_size} and {target.vector_size}. "
            "Use method='least_squares' or 'vecmap'."
        )


def _warn_doubts(
    aligner: AbstractAligner,
    source: Embeddings,
    target: Embeddings,
    lexicon: Lexicon,
    pairs: RowPairs,
    select: str | None,
) -> str | None:
    """Say in one warning what makes the result doubtful; return how to select, None where nothing can be."""
    n_sources = len(np.unique(pairs[:, 0]))
    notes = [lexicon.hint(source, target)]
    if n_sources < source.vector_size:
        notes.append(
            f"{len(pairs)} known pairs ({n_sources} source words) for {source.vector_size} dimensions: the map is "
            "arbitrary in directions that no pair shows, and will translate other words badly."
        )
    if not aligner.trajectories():
        select = None
    elif select == "validation" and n_sources < 2:
        notes.append("One source word cannot be split for validation: the method's own defaults are used.")
        select = None
    elif select == "test":
        notes.append("select='test' saw the test words: accuracy on them is not an honest estimate.")
    text = " ".join(note for note in notes if note)
    if text:
        warnings.warn(text, IsoalignWarning, stacklevel=3)
    return select


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
