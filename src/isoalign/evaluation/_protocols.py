"""The public evaluation protocols: what counts as a question, and as an answer."""

from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from isoalign._types import IntVector
from isoalign.lexicon import Lexicon
from isoalign.vectors import Embeddings

__all__ = ["PROTOCOLS", "Protocol", "Questions", "find_spelled_alike", "pose_questions"]


@dataclass(frozen=True)
class Protocol:
    """How an evaluator turns a test dictionary into questions.

    Attributes
    ----------
    about
        In one sentence.
    retrieval
        What the evaluator prints by default.
    per_pair
        Whether every line of the dictionary is a question with one right answer; else every source word is one, and
        any of its translations is right.
    unknown_wrong
        Whether source words without any known pair count as wrong; else they are left out.
    all_ranks
        Whether the mean reciprocal rank looks at all candidates; else only at those within the largest k.
    """

    about: str
    retrieval: str
    per_pair: bool = False
    unknown_wrong: bool = False
    all_ranks: bool = False


PROTOCOLS = {
    "muse": Protocol("Any translation of a known source word is right; unknown pairs are left out.", "csls"),
    "fasttext": Protocol(
        "Any translation is right; source words without a known pair are wrong.", "nn", unknown_wrong=True
    ),
    "vecmap": Protocol("As muse, with plain nearest neighbours; coverage belongs to the result.", "nn"),
    "xling": Protocol(
        "Every known pair is a question with one right answer; the score is the mean reciprocal rank.",
        "nn",
        per_pair=True,
        all_ranks=True,
    ),
}


class Questions(NamedTuple):
    """A test dictionary as an evaluator asks it, in the order of the file.

    Attributes
    ----------
    words, gold
        The source word and the right answers of every question. Of a question that can be answered, only those right
        answers that are among the candidates.
    sources
        Row of the source word, (q,); -1 where no pair of the word is known, so that it cannot be answered.
    starts, targets
        Target rows of the right answers of question q: ``targets[starts[q]:starts[q + 1]]``.
    """

    words: list[str]
    gold: list[tuple[str, ...]]
    sources: IntVector
    starts: IntVector
    targets: IntVector


def pose_questions(lexicon: Lexicon, source: Embeddings, target: Embeddings, protocol: Protocol) -> Questions:
    """Look up a dictionary, exactly as its words are spelled, and turn it into the protocol's questions."""
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
    """Return the source words that have a translation of the same spelling, whatever the case: names, mostly."""
    return {word for word, translation in lexicon if word.casefold() == translation.casefold()}
