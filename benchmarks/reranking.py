"""What evidence beyond CSLS says about candidates: differences of P@1 on held-out training words.

``ISOALIGN_TEST_DATA`` names the folder with the real vectors. Candidates come from maps that never saw the word. The
weights are learned from other words: four random fifths of the dictionary, or its first three quarters, which have the
more frequent English words. That is how the usual test dictionaries differ from their training dictionaries.
"""

import os
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import isoalign as ia
from benchmarks._harness import save
from benchmarks._page import DOCS, markdown_table, replace_table
from benchmarks._pairs import FILES
from isoalign.alignment import Problem, resolve_method
from isoalign.alignment._cross_fit import cross_fit
from isoalign.alignment._learned_ranking import Judged, both_ways, choose_weights, join_judged
from isoalign.alignment._letters import learn_letters
from isoalign.alignment._reranking import fit_weights
from isoalign.errors import IsoalignWarning

PAGE = DOCS / "explanation" / "accuracy.md"
KINDS = {
    "CSLS": ("csls",),
    "+ same letters": ("spelling",),
    "+ corresponding letters": ("letters",),
    "+ cosines": ("cosine", "plain_cosine", "backward_cosine"),
    "+ back-translation": ("backward_rank",),
    "+ crowding": ("crowding",),
    "+ frequency": ("rarity", "rarity_gap"),
}
NAMES = tuple(name for kind in KINDS.values() for name in kind)
EARLY = 0.75


def collect(direction: str, folder: Path) -> Judged:
    """Return the evidence about the candidates of all training words, from maps that never saw them."""
    language = direction.replace("en", "").strip("-")
    names = zip(FILES[language], ("en", language), strict=True)
    spaces = [ia.read_vectors(folder / file, lang=lang) for file, lang in names]
    lexicon = ia.read_lexicon(folder / f"en-{language}.train.txt")
    if direction.endswith("-en"):
        spaces, lexicon = spaces[::-1], lexicon.inverse()
    X, Y = (ia.normalize(space, "iternorm").vectors for space in spaces)
    problem = Problem.from_spaces(X, Y, lexicon.row_pairs(*spaces))
    words = spaces[0].index_to_key, spaces[1].index_to_key
    parts = []
    for maps, held_out in cross_fit(problem, resolve_method("contrast-kernel").aligner, n_folds=3):
        seen = problem.known_pairs[~held_out]
        letters = learn_letters((words[0][i], words[1][j]) for i, j in seen)
        forth, back = both_ways(maps, problem, words, letters)
        late = np.flatnonzero(held_out) >= EARLY * len(held_out)
        parts.append(forth.judge(problem.known_pairs[held_out], late, NAMES, back))
    return join_judged(parts)


def measure_random(judged: Judged, names: tuple[str, ...]) -> float:
    """Return P@1 of all words, with weights learned from four random fifths of the others."""
    gold, fifths = judged.early | judged.late, np.random.default_rng(0).permutation(len(judged.rows)) % 5
    hits = np.zeros(len(gold), dtype=bool)
    for fifth in range(5):
        asked = fifths == fifth
        hits[asked] = _hits(judged, names, (~asked, gold), (asked, gold))
    return float(hits.mean())


def measure_later(judged: Judged, names: tuple[str, ...]) -> float:
    """Return P@1 of the last words of the dictionary, with weights learned from the first."""
    everything = np.ones(len(judged.rows), dtype=bool)
    return float(_hits(judged, names, (everything, judged.early), (judged.is_late, judged.late)).mean())


def _hits(judged: Judged, names: tuple[str, ...], learned: Any, asked: Any) -> Any:
    """Return whether the best candidate is right; words and their right candidates to learn from, and to judge."""
    places = [NAMES.index(name) for name in names]
    (some, early), (others, late) = learned, asked
    weights = fit_weights(judged.evidence[some][..., places], judged.rows[some], early[some], names)
    sums = judged.evidence[others] @ np.array([weights.get(name, 0.0) for name in NAMES])
    return np.take_along_axis(late[others], sums.argmax(axis=1, keepdims=True), axis=1)[:, 0]


MEASURES = {"random": measure_random, "later": measure_later}


def main() -> None:
    """Measure all directions, and write results and table."""
    warnings.simplefilter("ignore", IsoalignWarning)
    folder = Path(os.environ["ISOALIGN_TEST_DATA"]) / "data"
    figures: dict[str, Any] = {}
    for direction in [way for language in FILES for way in (f"en-{language}", f"{language}-en")]:
        judged = collect(direction, folder)
        ends = dict(zip(KINDS, np.cumsum([len(names) for names in KINDS.values()]), strict=True))
        figures[direction] = {"n": len(judged.rows), "chosen": choose_weights(judged, NAMES)} | {
            protocol: {kind: measure(judged, NAMES[:end]) for kind, end in ends.items()}
            for protocol, measure in MEASURES.items()
        }
        print(direction, figures[direction], flush=True)
    save("reranking", figures)
    header = ["", *(f"{way.replace('-', ' → ')} (n = {found['n']:,})" for way, found in figures.items()), "mean"]
    replace_table(PAGE, "reranking", markdown_table(header, [_row(kind, figures) for kind in KINDS]))


def _row(kind: str, figures: dict[str, Any]) -> tuple[str, ...]:
    both = [[100 * found[protocol][kind] for protocol in MEASURES] for found in figures.values()]
    base = [[100 * found[protocol]["CSLS"] for protocol in MEASURES] for found in figures.values()]
    if kind == "CSLS":
        return (kind, *(f"{first:.1f} / {second:.1f}" for first, second in [*both, np.mean(both, axis=0)]))
    gains = np.array(both) - np.array(base)
    return (kind, *(f"{first:+.1f} / {second:+.1f}" for first, second in [*gains, gains.mean(axis=0)]))


if __name__ == "__main__":
    main()
