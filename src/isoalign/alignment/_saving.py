"""Save alignments in folders: members, query stages and means; no pickle.

::

    alignment.json                    names, normalisers, maps, stages, history, provenance
    members/<name>/state.safetensors  arrays of the normaliser and of the map
    members/<name>/vectors/           words and raw vectors, a native folder
    members/<name>/space.safetensors  rows in the shared space
    pairs/<a>--<b>/state.safetensors  arrays of the query stage
    pairs/<a>--<b>/means.safetensors  CSLS means
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isoalign._core.state import nest_state, part_of_state
from isoalign._core.threads import map_threads
from isoalign._core.types import Matrix, PathName
from isoalign.alignment._member import Member, check_names
from isoalign.alignment._pair import CslsMeans
from isoalign.errors import FormatError, IsoalignError, MissingFileError
from isoalign.io import (
    map_tensors,
    open_native,
    read_description,
    read_tensors,
    recover_folder,
    replacing_folder,
    write_native,
    write_tensors,
)
from isoalign.maps import AbstractMap, describe_map, restore_map
from isoalign.normalization import describe_normalizer, restore_normalizer

__all__ = ["Saved", "read_saved", "write_saved"]

_KIND, _VERSION = "isoalign-alignment", 2
_ABOUT, _STATE, _SPACE, _MEANS = "alignment.json", "state.safetensors", "space.safetensors", "means.safetensors"
_VECTORS = "vectors"
_REMAKE = "Create it again: isoalign align SOURCE TARGET -d DICTIONARY -o {path} --force."


@dataclass(frozen=True)
class Saved:
    """Contents of a folder; see `isoalign.alignment.Alignment` for the fields."""

    members: tuple[Member, ...]
    stages: Mapping[tuple[str, str], AbstractMap]
    spaces: Mapping[str, Matrix]
    means: Mapping[tuple[str, str], CslsMeans]
    history: dict[str, Any]
    provenance: dict[str, Any]


def write_saved(saved: Saved, path: PathName, *, overwrite: bool) -> None:
    """Write an alignment. Members with a space are written with their vectors, pairs of these with their means."""
    means = {pair: found for pair, found in saved.means.items() if saved.spaces.keys() >= set(pair)}
    about: dict[str, Any] = {
        "kind": _KIND,
        "version": _VERSION,
        "members": [
            {
                "name": member.name,
                "normalizer": describe_normalizer(member.normalizer),
                "map": describe_map(member.map),
                "vectors": member.name in saved.spaces,
            }
            for member in saved.members
        ],
        "pairs": [
            {
                "source": pair[0],
                "target": pair[1],
                "stage": describe_map(saved.stages[pair]) if pair in saved.stages else None,
                "means_k": means[pair].k if pair in means else None,
            }
            for pair in dict.fromkeys([*saved.stages, *means])
        ],
        "history": saved.history,
        "provenance": saved.provenance,
    }
    text = json.dumps(about, ensure_ascii=False, indent=1, default=_as_python)  # before anything is written
    with replacing_folder(path, overwrite=overwrite) as folder:
        map_threads(lambda member: _write_member(folder, member, saved.spaces.get(member.name)), saved.members)
        for pair in about["pairs"]:
            names = pair["source"], pair["target"]
            place = _make(folder / "pairs" / "--".join(names))
            if names in saved.stages:
                write_tensors(place / _STATE, saved.stages[names].get_state())
            if names in means:
                write_tensors(place / _MEANS, {"means": means[names].values})
        (folder / _ABOUT).write_text(text + "\n", encoding="utf-8")


def _make(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


def _write_member(alignment: Path, member: Member, space: Matrix | None) -> None:
    folder = _make(alignment / "members" / member.name)
    state = nest_state("normalizer", member.normalizer.get_state()) | nest_state("map", member.map.get_state())
    write_tensors(folder / _STATE, state)
    if space is not None:
        write_native(member.raw, _make(folder / _VECTORS))
        write_tensors(folder / _SPACE, {"space": space})


def _as_python(value: Any) -> Any:
    """Convert a NumPy scalar, which a setting may be, to a JSON number."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"History, provenance and settings must be JSON values. Got {value!r}.")


def read_saved(path: PathName) -> Saved:
    """Open an alignment; large matrices are memory-mapped."""
    path = Path(path)
    about = _read_about(path)
    try:
        return _restore(path, about)
    except (IsoalignError, KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error.__cause__, PermissionError):  # the file is not damaged
            raise
        reason = str(error).removeprefix(f"{path}: ")
        raise FormatError(f"{path}: a damaged alignment ({reason}). Learn it again.") from error


def _read_about(path: Path) -> dict[str, Any]:
    recover_folder(path)
    if not path.exists():
        raise MissingFileError(f"{path}: no such folder. Check the name.")
    file = path / _ABOUT
    if not file.is_file():
        raise FormatError(f"{path}: not an alignment written by isoalign: it has no {_ABOUT}.")
    return read_description(
        file, kind=_KIND, version=_VERSION, what="an alignment", advice=_REMAKE.format(path=path.name)
    )


def _restore(path: Path, about: dict[str, Any]) -> Saved:
    if not isinstance(about["history"], dict) or not isinstance(about["provenance"], dict):
        raise FormatError(f"{path / _ABOUT}: history or provenance is of the wrong kind.")
    check_names(entry["name"] for entry in about["members"])
    folders = {entry["name"]: path / "members" / entry["name"] for entry in about["members"]}
    members = tuple(_read_member(folders[entry["name"]], entry) for entry in about["members"])
    stored = {member.name: member for member in members if member.embeddings is not None}
    spaces = {
        name: _map_floats(folders[name] / _SPACE, "space", (len(member.raw), member.map.dim_out))
        for name, member in stored.items()
    }
    stages, means = dict[tuple[str, str], AbstractMap](), dict[tuple[str, str], CslsMeans]()
    for entry in about["pairs"]:
        pair = entry["source"], entry["target"]
        if not folders.keys() >= set(pair):
            raise FormatError(f"{path / _ABOUT}: a pair of unknown members {pair}.")
        place = path / "pairs" / "--".join(pair)
        if entry["stage"] is not None:
            stages[pair] = restore_map(entry["stage"], read_tensors(place / _STATE))
        if entry["means_k"] is not None:
            values = _map_floats(place / _MEANS, "means", (len(stored[pair[1]].raw),))
            means[pair] = CslsMeans(int(entry["means_k"]), values)
    return Saved(members, stages, spaces, means, about["history"], about["provenance"])


def _read_member(folder: Path, entry: Mapping[str, Any]) -> Member:
    arrays = read_tensors(folder / _STATE)
    normalizer = restore_normalizer(entry["normalizer"], part_of_state("normalizer", arrays))
    one = restore_map(entry["map"], part_of_state("map", arrays))
    embeddings = open_native(folder / _VECTORS) if entry["vectors"] else None
    if one.dim_in != normalizer.n_features_in_ or (embeddings is not None and embeddings.vector_size != one.dim_in):
        raise FormatError(f"{folder}: vectors, normaliser and map have different dimensions.")
    return Member(entry["name"], normalizer, one, embeddings)


def _map_floats(path: Path, name: str, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Map one float32 tensor of the given shape."""
    tensor = map_tensors(path).get(name)
    if tensor is None or tensor.shape != shape or tensor.dtype != np.float32:
        got = "nothing" if tensor is None else f"{tensor.dtype} of {tensor.shape}"
        raise FormatError(f"{path.name}: expected float32 of {shape}, got {got}.")
    return tensor
