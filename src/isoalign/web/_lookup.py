"""Answer requests about several words of one model at once; called on the worker thread, words in, JSON values out."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isoalign._arrays import unit_rows
from isoalign._types import Matrix
from isoalign.translation import Translation
from isoalign.web._models import OTHER_SIDE, Model
from isoalign.web._rounds import Neighbors

__all__ = ["describe_words", "find_neighbors", "flatten", "translate_words"]

_PICTURE_NEIGHBORS = 8
_PICTURE_TRANSLATIONS = 5


def translate_words(model: Model, side: str, k: int, words: Sequence[str]) -> list[list[dict[str, Any]]]:
    """Return the translations of known words."""
    found = model.translator.translate(list(words), k=k, reverse=side == "target")
    return [_as_scores(some) for some in found]


def find_neighbors(model: Model, side: str, k: int, words: Sequence[str]) -> list[list[list[dict[str, Any]]]]:
    """Return the neighbours of known words in their own language, before normalisation and after each round."""
    return [[_as_cosines(model, side, stage) for stage in stages] for stages in model.sides[side].nearest(words, k)]


def describe_words(model: Model, side: str, k: int, words: Sequence[str]) -> list[dict[str, Any]]:
    """Return everything that the page shows of known words: translations, neighbours, a picture of both.

    The translations of a word and of its neighbours come from one product.
    """
    rounds = find_neighbors(model, side, max(k, _PICTURE_NEIGHBORS), words)
    near = [[entry["word"] for entry in stages[-1][:_PICTURE_NEIGHBORS]] for stages in rounds]
    asked = [text for word, some in zip(words, near, strict=True) for text in (word, *some)]
    found = iter(model.translator.translate(asked, k=max(k, _PICTURE_TRANSLATIONS), reverse=side == "target"))
    pages = []
    for word, stages, some in zip(words, rounds, near, strict=True):
        own = next(found)
        pairs = [(neighbor, next(found)[0].word) for neighbor in some]
        pages.append(
            {
                "translations": _as_scores(own[:k]),
                "rounds": [stage[:k] for stage in stages],
                "picture": _draw(model, side, word, [entry.word for entry in own[:_PICTURE_TRANSLATIONS]], pairs),
            }
        )
    return pages


def _draw(
    model: Model, side: str, word: str, translations: list[str], pairs: list[tuple[str, str]]
) -> dict[str, list[Any]]:
    """Lay out a word, its neighbours and the translations of both in the plane; links name pairs of points."""
    other = OTHER_SIDE[side]
    own_words = [word, *(neighbor for neighbor, _ in pairs)]
    other_words = list(dict.fromkeys([*translations, *(translation for _, translation in pairs)]))
    places = flatten(np.concatenate([_shared(model, side, own_words), _shared(model, other, other_words)]))
    points = [(word, side) for word in own_words] + [(word, other) for word in other_words]
    linked = [translations[0], *(translation for _, translation in pairs)]
    return {
        "points": [
            {"word": text, "side": where, "x": round(x, 4), "y": round(y, 4)}
            for (text, where), (x, y) in zip(points, places.tolist(), strict=True)
        ],
        "links": [[number, len(own_words) + other_words.index(target)] for number, target in enumerate(linked)],
    }


def _shared(model: Model, side: str, words: list[str]) -> Matrix:
    """Return words in the shared space; a word made of subwords goes through the map."""
    embeddings = model.alignment.embeddings(side)
    rows = embeddings.find_rows(words)
    vectors: Matrix = model.alignment.space(side)[rows]
    for number in np.flatnonzero(rows < 0).tolist():
        made = embeddings.get_vector(words[number])[None]
        vectors[number] = unit_rows(model.alignment.apply(made, side=side))[0]
    return vectors


def flatten(vectors: Matrix) -> NDArray[np.float64]:
    """Return the two principal coordinates of some rows, (n, 2), scaled into the square from -1 to 1."""
    centered = vectors.astype(np.float64) - vectors.mean(axis=0, dtype=np.float64)
    axes, lengths, _ = np.linalg.svd(centered, full_matrices=False)
    places: NDArray[np.float64] = np.zeros((len(vectors), 2))
    places[:, : len(lengths[:2])] = axes[:, :2] * lengths[:2]
    # Singular vectors are free up to sign; fix it, so that the same word gives the same picture.
    strongest = places[np.abs(places).argmax(axis=0), [0, 1]]
    places *= np.where(strongest < 0, -1, 1)
    return places / max(float(np.abs(places).max()), np.finfo(float).tiny)


def _as_scores(translations: Sequence[Translation]) -> list[dict[str, Any]]:
    return [{"word": word, "score": round(score, 6)} for word, score in translations]


def _as_cosines(model: Model, side: str, neighbors: Neighbors) -> list[dict[str, Any]]:
    vocabulary = model.alignment.embeddings(side).vocabulary
    return [
        {"word": vocabulary[row], "cosine": round(cosine, 6)}
        for row, cosine in zip(neighbors.rows, neighbors.cosines, strict=True)
    ]
