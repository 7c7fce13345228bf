"""Kill self-learning at random moments until it has ended: a program of its own for test_checkpoint.

Starting Python takes long, so every run is a fork of this process, which has everything imported.
"""

import random
import signal
import sys
import time
from multiprocessing import get_context
from multiprocessing.context import ForkProcess
from pathlib import Path

import numpy as np

from isoalign.alignment import Problem, SelfLearning
from isoalign.alignment._checkpoint import Checkpoint
from isoalign.datasets import load_sample
from isoalign.normalization import IterNorm

WORDS = 800


def make_problem() -> Problem:
    """Return the frequent words of the sample with ten pairs of its dictionary."""
    sample = load_sample()
    sides = sample.source.head(WORDS), sample.target.head(WORDS)
    X, Y = (IterNorm().fit_transform(side.vectors) for side in sides)
    return Problem(X, Y, sample.train.row_pairs(*sides)[:10])


def start(problem: Problem, folder: Path) -> ForkProcess:
    """Learn in a child and write the map to a file."""

    def learn() -> None:
        fitted = SelfLearning(patience=20).fit_problem(problem, checkpoint=Checkpoint(folder / "c", seconds=0))
        np.save(folder / "W.npy", fitted.source_map_.to_matrix())

    child = get_context("fork").Process(target=learn)
    child.start()
    return child


def run_to_the_end(problem: Problem, folder: Path) -> float:
    """Return how long a run takes that nobody disturbs."""
    began = time.perf_counter()
    child = start(problem, folder)
    child.join()
    assert child.exitcode == 0
    return time.perf_counter() - began


def main() -> None:
    """Kill ``N`` runs, let the next one end, and compare its map with that of an undisturbed run."""
    folder, kills = Path(sys.argv[1]), int(sys.argv[2])
    alone, killed = folder / "alone", folder / "killed"
    for place in (alone, killed):
        place.mkdir()
    problem, rng = make_problem(), random.Random(0)
    whole = run_to_the_end(problem, alone)
    for _ in range(kills):
        child = start(problem, killed)
        time.sleep(rng.uniform(0, whole / kills))
        child.kill()
        child.join()
        assert child.exitcode == -signal.SIGKILL
    run_to_the_end(problem, killed)
    same = np.array_equal(*(np.load(place / "W.npy") for place in (alone, killed)))
    sys.stdout.write(f"{kills} killed, {'same' if same else 'another'} map\n")


if __name__ == "__main__":
    main()
