"""Answer requests about several words of one model at once; called on the worker thread, words in, JSON values out."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from isoalign._core.threads import single_threaded_blas
from isoalign.normalization import NearestRows
from isoalign.translation import Translations, find_returns, gather_evidence, lay_out
from isoalign.web._models import Direction, MemberIndex, Model

__all__ = ["describe_words", "find_neighbors", "translate_words"]

_PICTURE_NEIGHBORS = 8
_PICTURE_TRANSLATIONS = 5
_ASKED = 2  # translations needed for a margin


def translate_words(direction: Direction, k: int, judged: bool, words: Sequence[str]) -> list[dict[str, Any]]:
    """Return the translations of known words and, if requested, the confidence of the best."""
    found = direction.translator.translate(list(words), k=max(k, _ASKED) if judged else k)
    back = direction.reverse().translator
    verdicts = (
        _judge(direction, found, find_returns(back, (some[0].word for some in found)))
        if judged
        else [None] * len(found)
    )
    return [
        {"translations": [{"word": word, "score": round(score, 6)} for word, score in some[:k]], "confidence": verdict}
        for some, verdict in zip(found, verdicts, strict=True)
    ]


def find_neighbors(model: Model, member: str, k: int, words: Sequence[str]) -> list[list[list[dict[str, Any]]]]:
    """Return the neighbours of known words in their own language, before normalisation and after each round."""
    index = model.members[member]
    return [[_as_cosines(index, stage) for stage in stages] for stages in index.nearest(words, k)]


def describe_words(direction: Direction, k: int, words: Sequence[str]) -> list[dict[str, Any]]:
    """Return everything that the page shows for known words: translations, neighbours, glosses of both, a map.

    The translations of a word and of its neighbours come from one product, back-translations from another.
    """
    rounds = find_neighbors(direction.model, direction.member, max(k, _PICTURE_NEIGHBORS), words)
    near = [_list_neighbors(stages) for stages in rounds]
    asked = list(dict.fromkeys([*words, *(neighbor for some in near for neighbor in some)]))
    found = dict(zip(asked, direction.translator.translate(asked, k=max(k, _PICTURE_TRANSLATIONS)), strict=True))
    own = [found[word] for word in words]
    back = find_returns(direction.reverse().translator, (entry.word for some in own for entry in some[:k]))
    verdicts = _judge(direction, own, back)
    pages = []
    for word, stages, some, neighbors, verdict in zip(words, rounds, own, near, verdicts, strict=True):
        best = {neighbor: found[neighbor][0].word for neighbor in neighbors}
        shown = [entry["word"] for entry in stages[-1][:_PICTURE_NEIGHBORS]]
        pages.append(
            {
                "translations": [
                    {"word": entry.word, "score": round(entry.score, 6), "gloss": back[entry.word]}
                    for entry in some[:k]
                ],
                "confidence": verdict,
                "rounds": [stage[:k] for stage in stages],
                "glosses": [{"word": neighbor, "gloss": gloss} for neighbor, gloss in best.items()],
                "picture": _draw(direction, word, some, {neighbor: best[neighbor] for neighbor in shown}),
            }
        )
    return pages


def _list_neighbors(stages: list[list[dict[str, Any]]]) -> list[str]:
    """Return the neighbours before the first round and after the last, which the page glosses."""
    return list(dict.fromkeys(entry["word"] for stage in (stages[-1], stages[0]) for entry in stage))


def _judge(direction: Direction, found: Sequence[Translations], back: Mapping[str, str]) -> list[dict[str, Any]]:
    evidence = gather_evidence(found, back)
    calibration = direction.calibration
    levels = [None] * len(evidence) if calibration is None else calibration.judge(evidence)
    return [
        {"level": level, "mutual": one.mutual, "margin": round(one.margin, 6)}
        for level, one in zip(levels, evidence, strict=True)
    ]


def _draw(direction: Direction, word: str, found: Translations, pairs: dict[str, str]) -> dict[str, list[Any]]:
    """Lay out a word, its neighbours and the translations of both; links join words and their best translations."""
    own_words = [word, *pairs]
    translations = [entry.word for entry in found[:_PICTURE_TRANSLATIONS]]
    other_words = list(dict.fromkeys([*translations, *pairs.values()]))
    linked = [translations[0], *pairs.values()]
    links = [[number, other_words.index(target)] for number, target in enumerate(linked)]
    with single_threaded_blas():  # a few rows: waking the threads would take longer than the work
        plane = lay_out(direction.pair, own_words, other_words, np.array(links))
    points = [(word, direction.member) for word in own_words] + [(word, direction.to) for word in other_words]
    return {
        "points": [
            {"word": text, "member": member, "before": before, "after": after}
            for (text, member), before, after in zip(
                points, plane.before.round(4).tolist(), plane.after.round(4).tolist(), strict=True
            )
        ],
        "links": [[own, len(own_words) + other] for own, other in links],
    }


def _as_cosines(index: MemberIndex, neighbors: NearestRows) -> list[dict[str, Any]]:
    return [
        {"word": index.vocabulary[row], "cosine": round(cosine, 6)}
        for row, cosine in zip(neighbors.rows, neighbors.cosines, strict=True)
    ]
