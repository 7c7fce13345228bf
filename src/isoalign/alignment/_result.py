"""Create an alignment, with its provenance, from the result of learning."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from isoalign._core.types import Matrix
from isoalign._core.version import VERSION
from isoalign.alignment._alignment import Alignment
from isoalign.alignment._base import unit_space
from isoalign.alignment._learn import Learned
from isoalign.alignment._member import Member, choose_names
from isoalign.alignment._methods import Method
from isoalign.alignment._problem import Problem
from isoalign.alignment._registry import name_of
from isoalign.alignment._verdict import Verdict
from isoalign.lexicon import Lexicon
from isoalign.normalization import AbstractNormalizer, make_normalizer
from isoalign.vectors import Embeddings

__all__ = ["copy_normalizer", "describe_learning", "describe_residuals", "make_alignment"]


def copy_normalizer(normalize: str | AbstractNormalizer) -> AbstractNormalizer:
    """Return a new, unfitted normaliser."""
    return make_normalizer(normalize) if isinstance(normalize, str) else normalize.unfitted_copy()


def make_alignment(
    sides: tuple[Embeddings, Embeddings],
    normalizers: tuple[AbstractNormalizer, ...],
    spaces: tuple[Matrix, Matrix],
    learned: Learned,
    provenance: dict[str, Any],
) -> Alignment:
    """Return the alignment of two sides; ``spaces`` are their normalised vectors."""
    maps, names = learned.maps, choose_names(*sides)
    members = [
        Member(name, normalizer, one, side)
        for name, normalizer, one, side in zip(names, normalizers, maps[:2], sides, strict=True)
    ]
    residuals = describe_residuals(dict(zip(names, normalizers, strict=True)))
    ways = {names: maps.forward, names[::-1]: maps.backward}
    return Alignment(
        members,
        stages={way: stage for way, stage in ways.items() if stage is not None},
        spaces={member.name: unit_space(X, member.map) for member, X in zip(members, spaces, strict=True)},
        history={**learned.history, "residuals": residuals},
        provenance={**provenance, "members": {member.name: member.describe() for member in members}},
    )


def describe_residuals(normalizers: Mapping[str, AbstractNormalizer]) -> dict[str, Any]:
    """Return the residuals of every round of normalisation, as JSON values."""
    return {
        name: [residual._asdict() for residual in getattr(normalizer, "history_", [])]
        for name, normalizer in normalizers.items()
    }


def describe_learning(
    chosen: Method,
    learned: Learned,
    problems: tuple[Problem, Problem],
    lexicon: Lexicon | None,
    sides: tuple[Embeddings, Embeddings],
    verdict: Verdict | None,
) -> dict[str, Any]:
    """Return the provenance of an alignment, as JSON values.

    ``problems`` are that of the chosen method and that of the method that followed, or the same one twice.
    """
    given, grown = problems
    start = chosen.start if lexicon is None else None
    coverage = None if lexicon is None else lexicon.coverage(*sides)
    return {
        "isoalign": VERSION,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "recipe": chosen.recipe,
        "method": name_of(learned.aligner),
        "settings": {name: _as_json(value) for name, value in learned.aligner.get_params(deep=False).items()},
        "normalize": repr(copy_normalizer(chosen.normalize)),
        "statistics": "the rows loaded",
        "random_state": chosen.random_state,
        "start": None if start is None else str(start),
        "pairs": None if given.pairs is None else len(given.pairs),
        "grown_by": None if grown is given else name_of(chosen.aligner),
        "grown_pairs": None if grown is given else len(grown.known_pairs),
        "verdict": None if verdict is None else verdict.to_dict(),
        "seconds": round(learned.seconds, 3),
        "lexicon": None
        if coverage is None
        else {
            "pairs": coverage.n_pairs,
            "known_pairs": coverage.known_pairs,
            "known_sources": coverage.known_sources,
        },
    }


def _as_json(value: Any) -> Any:
    return value if value is None or isinstance(value, (bool, int, float, str)) else repr(value)
