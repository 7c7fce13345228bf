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
from isoalign.alignment._learned_ranking import Judged, both_ways, choose_weights, join_judged, judge_later
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


def collect(direction: str, folder: Path) -> tuple[Judged, Judged]:
    """Return the evidence about all training words, and that about the later ones from maps of the earlier ones."""
    language = direction.replace("en", "").strip("-")
    names = zip(FILES[language], ("en", language), strict=True)
    spaces = [ia.read_vectors(folder / file, lang=lang) for file, lang in names]
    lexicon = ia.read_lexicon(folder / f"en-{language}.train.txt")
    if direction.endswith("-en"):
        spaces, lexicon = spaces[::-1], lexicon.inverse()
    X, Y = (ia.normalize(space, "iternorm").vectors for space in spaces)
    problem = Problem.from_spaces(X, Y, lexicon.row_pairs(*spaces))
    words = spaces[0].index_to_key, spaces[1].index_to_key
    aligner, pairs, parts = resolve_method("contrast-kernel").aligner, problem.known_pairs, []
    is_early = np.arange(len(pairs)) < EARLY * len(pairs)
    for maps, held_out in cross_fit(problem, aligner, n_folds=3):
        forth, back = both_ways(maps, problem.without(held_out), words, NAMES)
        parts.append(forth.judge(pairs[held_out], is_early[held_out], NAMES, back))
    later, _ = judge_later(problem, aligner, is_early, words, NAMES)
    return join_judged(parts), later


def measure_random(known: Judged, later: Judged, names: tuple[str, ...]) -> float:  # noqa: ARG001
    """Return P@1 of all words, with weights learned from four random fifths of the others."""
    fifths = np.random.default_rng(0).permutation(len(known.rows)) % 5
    hits = np.zeros(len(fifths), dtype=bool)
    for fifth in range(5):
        others, asked = (Judged(*(part[which] for part in known)) for which in (fifths != fifth, fifths == fifth))
        hits[fifths == fifth] = _hits(others, others.gold, asked, names)
    return float(hits.mean())


def measure_later(known: Judged, later: Judged, names: tuple[str, ...]) -> float:
    """Return P@1 of the last words of the dictionary, with everything learned from the first."""
    return float(_hits(known, known.early, later, names).mean())


def _hits(known: Judged, gold: Any, asked: Judged, names: tuple[str, ...]) -> Any:
    """Return whether the best candidates of some words are right, with weights learned from others."""
    places = [NAMES.index(name) for name in names]
    weights = fit_weights(known.evidence[..., places], known.rows, gold, names)
    sums = asked.evidence @ np.array([weights.get(name, 0.0) for name in NAMES])
    return np.take_along_axis(asked.gold, sums.argmax(axis=1, keepdims=True), axis=1)[:, 0]


MEASURES = {"random": measure_random, "later": measure_later}


def main() -> None:
    """Measure all directions, and write results and table."""
    warnings.simplefilter("ignore", IsoalignWarning)
    folder = Path(os.environ["ISOALIGN_TEST_DATA"]) / "data"
    figures: dict[str, Any] = {}
    for direction in [way for language in FILES for way in (f"en-{language}", f"{language}-en")]:
        known, later = collect(direction, folder)
        ends = dict(zip(KINDS, np.cumsum([len(names) for names in KINDS.values()]), strict=True))
        figures[direction] = {"n": len(known.rows), "chosen": choose_weights(known, later, NAMES)} | {
            protocol: {kind: measure(known, later, NAMES[:end]) for kind, end in ends.items()}
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
