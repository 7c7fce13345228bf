"""Score every ordered pair of members for which there is a test dictionary."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import permutations
from typing import Any, NamedTuple

from isoalign._core.display import Tabular
from isoalign._core.progress import ProgressLike, as_progress, ignore_progress
from isoalign._core.types import RandomState
from isoalign._core.validate import check_choice
from isoalign.alignment import Alignment, align
from isoalign.errors import InvalidValueError, ParameterError
from isoalign.evaluation._bli import evaluate_bli
from isoalign.evaluation._compare import compare
from isoalign.evaluation._results import BliResult, Difference
from isoalign.evaluation._statistics import N_RESAMPLES
from isoalign.io import LexiconLike, given_lexicon
from isoalign.lexicon import Lexicon
from isoalign.neighbors import AbstractRetriever

__all__ = [
    "NamedLexicon",
    "PairScore",
    "ScoreMatrix",
    "align_pairs",
    "evaluate_pairs",
    "triangulate",
    "triangulate_tests",
]

Names = tuple[str, str]


class NamedLexicon(NamedTuple):
    """A dictionary and its name, which describes its origin."""

    lexicon: Lexicon
    name: str


@dataclass(frozen=True)
class PairScore:
    """The score of one direction.

    Attributes
    ----------
    source, target
        Members.
    test
        Name of the test dictionary: it says whether it was inverted or derived through a third language.
    left_out
        Number of source words that were excluded because a training dictionary contains them.
    result
        Score of the model.
    bilingual
        Difference in P@1 between the model and a separate bilingual map, on the same words; None without such a map.
    """

    source: str
    target: str
    test: str
    left_out: int
    result: BliResult
    bilingual: Difference | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON values, the result without its answers."""
        result = {name: value for name, value in self.result.to_dict().items() if name not in ("answers", "provenance")}
        return {**asdict(self), "result": result}


@dataclass(frozen=True, repr=False)
class ScoreMatrix(Tabular):
    """The scores of all directions.

    Attributes
    ----------
    names
        Members of the model.
    scores
        One entry per direction that has a test dictionary.
    """

    names: tuple[str, ...]
    scores: tuple[PairScore, ...]

    def __getitem__(self, pair: Names) -> PairScore:
        for score in self.scores:
            if (score.source, score.target) == pair:
                return score
        raise ParameterError(f"There is no score for {pair}.")

    def matrix(self) -> list[list[float | None]]:
        """Return P@1 from every member (row) to every member (column); None where there is no test dictionary."""
        known = {(score.source, score.target): score.result.precision[1] for score in self.scores}
        return [[known.get((source, target)) for target in self.names] for source in self.names]

    def to_records(self) -> list[dict[str, Any]]:
        """Return one row per direction and k."""
        return [
            {"source": score.source, "target": score.target, "test": score.test, **record}
            for score in self.scores
            for record in score.result.to_records()
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON values."""
        return {"names": self.names, "matrix": self.matrix(), "scores": [score.to_dict() for score in self.scores]}

    def __repr__(self) -> str:
        found = (f"{score.source} → {score.target} {100 * score.result.precision[1]:.1f}" for score in self.scores)
        return f"ScoreMatrix(P@1: {', '.join(found)})"


def triangulate(a: LexiconLike, b: LexiconLike) -> Lexicon:
    """Pair the translations of every word that two dictionaries have in common.

    Parameters
    ----------
    a, b
        From one language into two others.

    Returns
    -------
    Lexicon
        From the target language of ``a`` into that of ``b``, each pair once. Words with several senses give wrong
        pairs, so a score on such a dictionary is not comparable with one on a manual dictionary.
    """
    translations = given_lexicon(b).translations
    pairs = ((word, other) for shared, word in given_lexicon(a) for other in translations.get(shared, ()))
    return Lexicon(list(dict.fromkeys(pairs)))


def triangulate_tests(
    tests: Mapping[Names, LexiconLike], through: str, *, train: Mapping[Names, LexiconLike] | None = None
) -> dict[Names, NamedLexicon]:
    """Derive test dictionaries for all pairs of languages that have one with the same third language.

    Parameters
    ----------
    tests
        Dictionaries by (source, target).
    through
        The third language.
    train
        Training dictionaries by (source, target). Pairs of words that two of them imply are excluded, since they
        would not be a test.
    """
    known = _spokes(train or {}, through)
    spokes = {name: Lexicon([*known.get(name, ()), *lexicon]) for name, lexicon in _spokes(tests, through).items()}
    found = {}
    for a, b in permutations(spokes, 2):
        implied = set(triangulate(known[a], known[b])) if a in known and b in known else set()
        pairs = Lexicon(pair for pair in triangulate(spokes[a], spokes[b]) if pair not in implied)
        if len(pairs):
            found[a, b] = NamedLexicon(pairs, f"{a}-{b} through {through}")
    return found


def _spokes(given: Mapping[Names, LexiconLike], through: str) -> dict[str, Lexicon]:
    """Return the dictionaries from one language into others, by the other language."""
    lexicons = {pair: given_lexicon(lexicon) for pair, lexicon in given.items() if through in pair}
    spokes = {pair[1]: lexicon for pair, lexicon in lexicons.items() if pair[0] == through}
    return spokes | {pair[0]: lexicon.inverse() for pair, lexicon in lexicons.items() if pair[1] == through}


def align_pairs(model: Alignment, train: Mapping[Names, LexiconLike], **options: Any) -> dict[Names, Alignment]:
    """Learn a separate bilingual map for each pair from its dictionary, to compare a joint space with.

    Parameters
    ----------
    model
        Alignment that provides the vectors.
    train
        Training dictionaries by (source, target).
    options
        Options of `align`.
    """
    return {
        (a, b): _rename(align(model.raw(a), model.raw(b), lexicon, **options), (a, b))
        for (a, b), lexicon in train.items()
    }


def _rename(model: Alignment, names: Names) -> Alignment:
    members = [replace(member, name=name) for member, name in zip(model.members, names, strict=True)]
    spaces = {name: model.space(member.name) for member, name in zip(model.members, names, strict=True)}
    ways = dict(zip(model.names, names, strict=True))
    stages = {(ways[a], ways[b]): stage for (a, b), stage in model.stages.items()}
    return Alignment(members, stages=stages, spaces=spaces, history=model.history, provenance=model.provenance)


def evaluate_pairs(
    model: Alignment,
    tests: Mapping[Names, LexiconLike | NamedLexicon],
    *,
    train: Mapping[Names, LexiconLike] | None = None,
    bilingual: Mapping[Names, Alignment] | None = None,
    inverse: bool = True,
    protocol: str = "muse",
    retrieval: str | AbstractRetriever | None = None,
    n_resamples: int = N_RESAMPLES,
    random_state: RandomState = 0,
    progress: ProgressLike = ignore_progress,
) -> ScoreMatrix:
    """Score a model of many members on every ordered pair that has a test dictionary.

    Parameters
    ----------
    model
        With the vectors of the members that are tested.
    tests
        Test dictionaries or files by (source, target); `triangulate_tests` derives further ones.
    train
        Training dictionaries by pairs of members, in either order. Source words in the dictionary of the same two
        members are excluded, in both directions.
    bilingual
        Bilingual alignments to compare with, by pairs of members in either order; see `align_pairs`.
    inverse
        Whether to also score the other direction of every dictionary, unless it has its own dictionary.
    protocol, retrieval, n_resamples, random_state, progress
        As in `evaluate_bli`.
    """
    progress = as_progress(progress)
    learned = {pair: given_lexicon(lexicon) for pair, lexicon in (train or {}).items()}
    scores = []
    for (source, target), test in _all_directions(tests, inverse=inverse).items():
        for name in (source, target):
            check_choice(name, model.names, name="each member of a test dictionary")
        known = _source_words(learned, source, target)
        asked = Lexicon(pair for pair in test.lexicon if pair[0] not in known)
        if not len(asked):
            raise InvalidValueError(f"All source words of the test dictionary {test.name!r} are training words.")
        score = partial(
            evaluate_bli,
            lexicon=asked,
            source=source,
            target=target,
            protocol=protocol,
            retrieval=retrieval,
            n_resamples=n_resamples,
            random_state=random_state,
            progress=progress,
        )
        result = score(model)
        other = (bilingual or {}).get((source, target)) or (bilingual or {}).get((target, source))
        difference = None
        if other is not None:
            compared = compare(result, score(other), n_resamples=n_resamples, random_state=random_state)
            difference = compared.difference[1]
        left_out = len(test.lexicon.sources) - len(asked.sources)
        scores.append(PairScore(source, target, test.name, left_out, result, difference))
    return ScoreMatrix(model.names, tuple(scores))


def _source_words(train: Mapping[Names, Lexicon], source: str, target: str) -> set[Any]:
    """Return the source words in training dictionaries of the same two members."""
    forward, backward = train.get((source, target), ()), train.get((target, source), ())
    return {word for word, _ in forward} | {word for _, word in backward}


def _all_directions(tests: Mapping[Names, LexiconLike | NamedLexicon], *, inverse: bool) -> dict[Names, NamedLexicon]:
    """Name every dictionary, and add inverse dictionaries for missing directions."""
    named = {
        pair: test if isinstance(test, NamedLexicon) else NamedLexicon(given_lexicon(test), "-".join(pair))
        for pair, test in tests.items()
    }
    turned = {
        pair[::-1]: NamedLexicon(test.lexicon.inverse(), f"{test.name} inverted")
        for pair, test in named.items()
        if inverse and pair[::-1] not in named
    }
    return named | turned
