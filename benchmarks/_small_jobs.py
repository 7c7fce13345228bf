"""Whole small jobs on English and Japanese in multiples of one bare product of the two vocabularies."""

import gzip
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import isoalign as ia
from benchmarks._harness import Seconds, measure_together
from isoalign._core.types import Matrix
from isoalign._core.validate import check_matrix
from isoalign.alignment import RCSLS, Maps, Problem, Refine
from isoalign.neighbors import csls_precision_at_1

FILES = ("en.spacymd300.vec.gz", "ja.chive300.vec.gz")


def measure_small_jobs(data: Path, multiply: Callable[[Matrix, Matrix], None]) -> dict[str, Any]:
    """Time two commands from files to P@1, one translation, and two runs in memory, compared with products.

    Parameters
    ----------
    data
        Folder with the real vectors.
    multiply
        Computes the bare product.
    """
    source, target = (ia.read_vectors(data / name) for name in FILES)
    train, test = (ia.read_lexicon(data / f"en-ja.{part}.txt").row_pairs(source, target) for part in ("train", "test"))
    S, T = (check_matrix(ia.normalize(side, "iternorm", copy=False).vectors) for side in (source, target))
    problem = Problem.from_spaces(S, T, train)

    def precision(_step: int, maps: Maps) -> None:
        csls_precision_at_1(*maps.spaces(S, T), test, target_means=maps.target_means)

    def refine() -> None:
        Refine(n_iter=5).fit_problem(problem, callback=precision)

    def rcsls() -> None:
        precision(0, RCSLS(lr=10.0, epochs=10).fit_problem(problem).maps_)

    with tempfile.TemporaryDirectory() as folder:
        commands = Commands(data, Path(folder))
        commands.align()  # kernels are compiled, files are in the system's cache
        product = {"product": lambda: multiply(S, T)}
        short = {"align": commands.align, "evaluate bli": commands.evaluate, "translate": commands.translate}
        long = {
            "refine, 5 rounds, P@1 after each, in memory": refine,
            "rcsls, 10 epochs, P@1, in memory": rcsls,
        }
        # Each group has its own products in between: the speed of a shared machine changes within minutes.
        groups = [measure_together(product | short, 7), measure_together(product | long, 4)]
    groups[0]["align and evaluate"] = Seconds(
        *map(sum, zip(groups[0]["align"], groups[0]["evaluate bli"], strict=True))
    )
    return {
        "seconds": {name: time.clock for times in reversed(groups) for name, time in times.items()},
        "products": {
            name: round(time.clock / times["product"].clock, 2) for times in groups for name, time in times.items()
        },
        "products, by processor time": {
            name: round(time.processor / groups[1]["product"].processor, 2) for name, time in groups[1].items()
        },
    }


class Commands:
    """The command line on two text files.

    Parameters
    ----------
    data
        Folder with the real vectors.
    folder
        Folder for the unpacked vectors and the model.
    """

    def __init__(self, data: Path, folder: Path) -> None:
        self.data, self.model = data, folder / "m"
        self.vectors = [folder / name.removesuffix(".gz") for name in FILES]
        for path in self.vectors:
            with gzip.open(data / f"{path.name}.gz") as packed, path.open("wb") as file:
                shutil.copyfileobj(packed, file)

    def align(self) -> None:
        """Learn VecMap's multi-step map and save the model."""
        self._run(
            "align", *self.vectors, "--method", "vecmap", "-d", self.data / "en-ja.train.txt", "-o", self.model, "-f"
        )

    def evaluate(self) -> None:
        """Measure P@1, P@5 and P@10 by CSLS."""
        self._run("evaluate", "bli", self.model, "-d", self.data / "en-ja.test.txt")

    def translate(self) -> None:
        """Translate one word with the saved model."""
        self._run("translate", self.model, "river")

    def _run(self, *arguments: str | Path) -> None:
        command = [sys.executable, "-m", "isoalign", *map(str, arguments), "--quiet"]
        # Some build systems forbid Python to keep byte code; users have it.
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
