"""Answer requests about several words of one model at once; called on the worker thread, words in, JSON values out."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from isoalign._core.arrays import principal_plane
from isoalign.normalization import NearestRows
from isoalign.translation import Translation, look_up
from isoalign.web._models import Direction, MemberIndex, Model

__all__ = ["describe_words", "find_neighbors", "translate_words"]

_PICTURE_NEIGHBORS = 8
_PICTURE_TRANSLATIONS = 5


def translate_words(direction: Direction, k: int, words: Sequence[str]) -> list[list[dict[str, Any]]]:
    """Return the translations of known words."""
    return [_as_scores(some) for some in direction.translator.translate(list(words), k=k)]


def find_neighbors(model: Model, member: str, k: int, words: Sequence[str]) -> list[list[list[dict[str, Any]]]]:
    """Return the neighbours of known words in their own language, before normalisation and after each round."""
    index = model.members[member]
    return [[_as_cosines(index, stage) for stage in stages] for stages in index.nearest(words, k)]


def describe_words(direction: Direction, k: int, words: Sequence[str]) -> list[dict[str, Any]]:
    """Return everything that the page shows of known words: translations, neighbours, a picture of both.

    The translations of a word and of its neighbours come from one product.
    """
    rounds = find_neighbors(direction.model, direction.member, max(k, _PICTURE_NEIGHBORS), words)
    near = [[entry["word"] for entry in stages[-1][:_PICTURE_NEIGHBORS]] for stages in rounds]
    asked = [text for word, some in zip(words, near, strict=True) for text in (word, *some)]
    found = iter(direction.translator.translate(asked, k=max(k, _PICTURE_TRANSLATIONS)))
    pages = []
    for word, stages, some in zip(words, rounds, near, strict=True):
        own = next(found)
        pairs = [(neighbor, next(found)[0].word) for neighbor in some]
        pages.append(
            {
                "translations": _as_scores(own[:k]),
                "rounds": [stage[:k] for stage in stages],
                "picture": _draw(direction, word, [entry.word for entry in own[:_PICTURE_TRANSLATIONS]], pairs),
            }
        )
    return pages


def _draw(
    direction: Direction, word: str, translations: list[str], pairs: list[tuple[str, str]]
) -> dict[str, list[Any]]:
    """Lay out a word, its neighbours and the translations of both in the square from -1 to 1; links join points."""
    own_words = [word, *(neighbor for neighbor, _ in pairs)]
    other_words = list(dict.fromkeys([*translations, *(translation for _, translation in pairs)]))
    pair = direction.pair
    _, queries = look_up(pair, [*own_words])
    places, _ = principal_plane(np.concatenate([queries, pair.targets[pair.target.raw.find_rows(other_words)]]))
    places /= max(float(np.abs(places).max()), np.finfo(float).tiny)
    points = [(word, direction.member) for word in own_words] + [(word, direction.to) for word in other_words]
    linked = [translations[0], *(translation for _, translation in pairs)]
    return {
        "points": [
            {"word": text, "member": member, "x": round(x, 4), "y": round(y, 4)}
            for (text, member), (x, y) in zip(points, places.tolist(), strict=True)
        ],
        "links": [[number, len(own_words) + other_words.index(target)] for number, target in enumerate(linked)],
    }


def _as_scores(translations: Sequence[Translation]) -> list[dict[str, Any]]:
    return [{"word": word, "score": round(score, 6)} for word, score in translations]


def _as_cosines(index: MemberIndex, neighbors: NearestRows) -> list[dict[str, Any]]:
    return [
        {"word": index.vocabulary[row], "cosine": round(cosine, 6)}
        for row, cosine in zip(neighbors.rows, neighbors.cosines, strict=True)
    ]
