"""How often the verdict on learning without a dictionary is right, on many small synthetic cases.

``python -m benchmarks.verdict`` takes about ten minutes; ``--cases 20`` for a quick look. Two cases in five have a
solution (words of the sample and a rotated, noisy copy in another order of frequency). If columns are permuted, or the
words are from another language, there is nothing to find. Other words of the same language, rotated, have no
translations, but the rotation itself can be found; whether it was found is counted separately.
"""

import argparse
from collections import Counter
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks._harness import save
from benchmarks._page import DOCS, markdown_table, replace_table
from isoalign._core.arrays import unit_rows
from isoalign._core.types import IntVector, Matrix, RowPairs
from isoalign.alignment import Problem, SelfLearning
from isoalign.alignment._self_learning_kernel import rotation
from isoalign.alignment._verdict import judge, mutual_pairs, split_start
from isoalign.alignment.starts import Similarity
from isoalign.datasets import load_sample

PAGE = DOCS / "explanation" / "self-learning.md"
KINDS = ("truth", "truth", "columns permuted", "other words", "other language")
FREQUENT = 3000
RESTARTS = 3
SAME_ROTATION = 0.8  # trace of the product of two rotations divided by the dimension; 1 for equal ones


class Case(NamedTuple):
    """Two spaces, and what can be found: the target of every source, or only the rotation, or nothing."""

    X: Matrix
    Z: Matrix
    targets: IntVector | None = None
    turn: NDArray[np.float64] | None = None

    def is_found(self, pairs: RowPairs) -> bool:
        """Return whether most pairs are right, or whether they give the rotation."""
        if self.targets is not None:
            return bool((self.targets[pairs[:, 0]] == pairs[:, 1]).mean() > 0.5)
        if self.turn is not None:
            W = rotation(self.X, self.Z, pairs)
            return float(np.trace(W.T @ self.turn)) > SAME_ROTATION * len(W)
        return False


def make_case(kind: str, rng: np.random.Generator) -> Case:
    """Draw a case."""
    n, dim = int(rng.choice([50, 100, 200, 300])), int(rng.choice([10, 25, 50]))
    noise = float(rng.choice([0.1, 0.3, 0.6, 1.0, 1.5]))
    sides = [side[:, :dim] for side in _principal_components()]
    own = sides[rng.integers(2)]
    words = rng.choice(FREQUENT, 2 * n, replace=False)
    first, second = np.sort(words[:n]), np.sort(words[n:])
    turn = np.linalg.qr(rng.standard_normal((dim, dim)))[0]
    if kind == "other words":
        return Case(_normalize(own[first]), _normalize(own[second] @ turn), turn=turn)
    if kind == "other language":
        return Case(_normalize(sides[0][:n]), _normalize(sides[1][:n] @ turn))
    X = own[first]
    order = np.argsort(np.arange(n) + 0.05 * n * rng.standard_normal(n))
    Z = X[order] @ turn + noise * X.std() * rng.standard_normal(X.shape)
    if kind == "columns permuted":
        return Case(_normalize(X), _normalize(np.column_stack([rng.permutation(column) for column in Z.T])))
    return Case(_normalize(X), _normalize(Z), targets=np.argsort(order))


def run_case(kind: str, seed: int) -> tuple[str, str]:
    """Return the kind of case with the outcome of the best restart, and the verdict."""
    rng = np.random.default_rng(seed)
    case = make_case(kind, rng)
    first = Similarity().find_pairs(Problem(case.X, case.Z))
    found = []
    for restart in range(RESTARTS):
        seed_of_restart = RESTARTS * seed + restart
        problem = Problem(case.X, case.Z, split_start(first, rng), random_state=seed_of_restart, is_guess=True)
        found.append(mutual_pairs(problem, SelfLearning(patience=10).fit_problem(problem).maps_))
    verdict = judge(found)
    if case.targets is None and case.turn is None:
        return kind, verdict.status
    return f"{kind}, {'reached' if case.is_found(found[verdict.best]) else 'missed'}", verdict.status


@cache
def _principal_components() -> list[Matrix]:
    """Return the frequent words of both languages of the sample on their principal axes."""
    sample = load_sample()
    centered = [
        side.vectors[:FREQUENT] - side.vectors[:FREQUENT].mean(axis=0) for side in (sample.source, sample.target)
    ]
    return [side @ np.linalg.svd(side, full_matrices=False)[2].T for side in centered]


def _normalize(X: Matrix) -> Matrix:
    X = unit_rows(X)
    for _ in range(3):
        X = unit_rows(X - X.mean(axis=0))
    return X


def make_table(verdicts: dict[str, dict[str, int]]) -> str:
    """Return how often every verdict was given, by kind of case and by what the best restart reached."""
    statuses = ("found", "doubtful", "failed")
    rows = [(name, *(str(found.get(status, 0)) for status in statuses)) for name, found in verdicts.items()]
    return markdown_table(("case", *statuses), rows)


def main() -> None:
    """Count verdicts by kind of case and by what is true."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=200)
    options = parser.parse_args()
    counts: dict[str, Counter[str]] = {}
    for seed in range(options.cases):
        name, status = run_case(KINDS[seed % len(KINDS)], seed)
        counts.setdefault(name, Counter())[status] += 1
    verdicts = {name: dict(found) for name, found in sorted(counts.items())}
    figures = {"cases": options.cases, "restarts": RESTARTS, "verdicts": verdicts}
    if options.cases < 100:
        save("verdict-small", figures)
        return
    save("verdict", figures)
    replace_table(PAGE, "verdict", make_table(verdicts))


if __name__ == "__main__":
    main()
