"""Checkpoints, from which interrupted runs can be resumed; no pickle.

::

    <class>-<hash>/checkpoint.json      numbers, texts and the history of a run
    <class>-<hash>/state.safetensors    its arrays
"""

import json
from hashlib import blake2b
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from isoalign._core.estimator import AbstractEstimator
from isoalign._core.state import State
from isoalign._core.types import PathName
from isoalign._core.version import VERSION
from isoalign.alignment._problem import Problem
from isoalign.errors import FileAccessError
from isoalign.io import read_description, read_tensors, recover_folder, replacing_folder, write_tensors

__all__ = ["Checkpoint", "CheckpointPlace", "Packed"]

_KIND, _VERSION = "isoalign-checkpoint", 2
_ABOUT, _STATE = "checkpoint.json", "state.safetensors"
_SECONDS = 30.0  # between two writes: including the current step, less than a minute is lost


class Packed(NamedTuple):
    """A state as plain arrays and JSON values."""

    arrays: State
    values: dict[str, Any]


class Checkpoint:
    """A folder with the latest state of every run, named by a hash of its inputs.

    A run finds only its own state: another method, setting, space, dictionary, seed or version of isoalign is another
    run. Finished runs are kept as well and not computed again.

    Parameters
    ----------
    folder
        Created if it does not exist.
    seconds
        Minimum time between two writes of one run.
    """

    def __init__(self, folder: PathName, *, seconds: float = _SECONDS) -> None:
        self.folder = Path(folder)
        self.seconds = seconds

    def place_of(self, estimator: AbstractEstimator, problem: Problem) -> "CheckpointPlace":
        """Return the place for the state of a method or a start on a problem."""
        settings = (VERSION, estimator, problem.candidates, problem.random_state, problem.is_guess)
        digest = blake2b(repr(settings).encode(), digest_size=8)
        for array in (problem.X, problem.Y, problem.pairs, problem.weights):
            digest.update(repr(None if array is None else (array.shape, array.dtype)).encode())
            if array is not None:
                digest.update(np.ascontiguousarray(array).data)
        try:
            self.folder.mkdir(exist_ok=True)
        except OSError as error:
            raise FileAccessError(f"{self.folder}: cannot create the folder: {error.strerror}.") from error
        return CheckpointPlace(self.folder / f"{type(estimator).__name__.lower()}-{digest.hexdigest()}", self.seconds)


class CheckpointPlace:
    """The folder of one run, in which a new state atomically replaces the old one."""

    def __init__(self, path: Path, seconds: float) -> None:
        self.path = path
        self._seconds = seconds
        self._written = monotonic()

    @property
    def is_due(self) -> bool:
        """Whether the last write is long enough ago."""
        return monotonic() - self._written >= self._seconds

    def write(self, packed: Packed) -> None:
        """Save a state."""
        text = json.dumps({"kind": _KIND, "version": _VERSION, **packed.values}, ensure_ascii=False)
        with replacing_folder(self.path) as folder:
            write_tensors(folder / _STATE, packed.arrays)
            (folder / _ABOUT).write_text(text + "\n", encoding="utf-8")
        self._written = monotonic()

    def read(self) -> Packed | None:
        """Return the last saved state, or None."""
        recover_folder(self.path)
        if not self.path.exists():
            return None
        values = read_description(self.path / _ABOUT, kind=_KIND, version=_VERSION, what="a checkpoint")
        return Packed(read_tensors(self.path / _STATE), values)
