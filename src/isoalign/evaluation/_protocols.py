"""Public evaluation protocols: what counts as a question and as a correct answer."""

from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from isoalign._core.types import IntVector
from isoalign.lexicon import Lexicon
from isoalign.vectors import Embeddings

__all__ = ["PROTOCOLS", "Protocol", "Questions", "find_spelled_alike", "pose_questions"]


@dataclass(frozen=True)
class Protocol:
    """How an evaluation script turns a test dictionary into questions.

    Attributes
    ----------
    about
        Description in one sentence.
    retrieval
        Default retrieval method of the script.
    per_pair
        Whether every line of the dictionary is a question with one correct answer. Otherwise every source word is a
        question, and any of its translations is correct.
    unknown_wrong
        Whether source words without any known pair count as wrong. Otherwise they are ignored.
    all_ranks
        Whether the mean reciprocal rank uses all ranks. Otherwise ranks beyond the largest k count as 0.
    """

    about: str
    retrieval: str
    per_pair: bool = False
    unknown_wrong: bool = False
    all_ranks: bool = False


PROTOCOLS = {
    "muse": Protocol("Any translation of a known source word is correct; unknown pairs are ignored.", "csls"),
    "fasttext": Protocol(
        "Any translation is correct; source words without a known pair count as wrong.", "nn", unknown_wrong=True
    ),
    "vecmap": Protocol("Like muse, with plain nearest neighbours; coverage is part of the result.", "nn"),
    "xling": Protocol(
        "Every known pair is a question with one correct answer; the score is the mean reciprocal rank.",
        "nn",
        per_pair=True,
        all_ranks=True,
    ),
}


class Questions(NamedTuple):
    """The questions of a test dictionary, in the order of the file.

    Attributes
    ----------
    words, gold
        Source word and correct answers of every question. If any correct answer is in the vocabulary, only those that
        are.
    sources
        Row of the source word, (q,); -1 if no pair of the word is known, so the question cannot be answered.
    starts, targets
        Target rows of the correct answers to question q: ``targets[starts[q]:starts[q + 1]]``.
    """

    words: list[str]
    gold: list[tuple[str, ...]]
    sources: IntVector
    starts: IntVector
    targets: IntVector


def pose_questions(lexicon: Lexicon, source: Embeddings, target: Embeddings, protocol: Protocol) -> Questions:
    """Look up the words of a dictionary and return the questions of a protocol."""
    sources = source.find_rows(word for word, _ in lexicon)
    targets = target.find_rows(word for _, word in lexicon)
    known = (sources >= 0) & (targets >= 0)
    lines: dict[str | int, list[int]] = {}
    for line, (word, _) in enumerate(lexicon):
        lines.setdefault(line if protocol.per_pair else word, []).append(line)
    questions = []
    for own in lines.values():
        usable = [line for line in own if known[line]]
        if usable or protocol.unknown_wrong:
            questions.append((own[0], usable, usable or own))
    return Questions(
        words=[lexicon[first][0] for first, _, _ in questions],
        gold=[tuple(dict.fromkeys(lexicon[line][1] for line in shown)) for _, _, shown in questions],
        sources=np.array([sources[first] if usable else -1 for first, usable, _ in questions], dtype=np.int64),
        starts=np.array([0, *accumulate(len(usable) for _, usable, _ in questions)], dtype=np.int64),
        targets=np.array([targets[line] for _, usable, _ in questions for line in usable], dtype=np.int64),
    )


def find_spelled_alike(lexicon: Lexicon) -> set[str]:
    """Return the source words that have a translation of the same spelling, ignoring case; numbers have no spelling."""
    words = (
        (word, translation) for word, translation in lexicon if isinstance(word, str) and isinstance(translation, str)
    )
    return {word for word, translation in words if word.casefold() == translation.casefold()}
