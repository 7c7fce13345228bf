"""Keep alignments in folders: maps, normalisers, vocabularies and spaces; no pickle."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isoalign._types import PathName
from isoalign.alignment._alignment import SIDES, Alignment, CslsMeans
from isoalign.alignment._base import Maps
from isoalign.errors import FileAccessError, FormatError, IsoalignError, MissingFileError
from isoalign.io import map_tensors, open_native, replacing_folder, write_native, write_tensors
from isoalign.normalization import describe_normalizer, restore_normalizer
from isoalign.vectors import as_embeddings

__all__ = ["load_alignment", "save_alignment"]

_KIND, _VERSION = "isoalign-alignment", 1
_ABOUT, _MAPS, _SPACES, _MEANS = "alignment.json", "maps.safetensors", "spaces.safetensors", "means.safetensors"


def save_alignment(model: Alignment, path: PathName, *, vectors: bool, means: bool, overwrite: bool) -> None:
    """Write an alignment; see `Alignment.save`."""
    about = {
        "kind": _KIND,
        "version": _VERSION,
        "normalizers": [describe_normalizer(normalizer) for normalizer in model.normalizers],
        "history": model.history,
        "provenance": model.provenance,
        "means_k": model.means.k if means and model.means else None,
    }
    arrays: dict[str, NDArray[Any]] = {"source_map": model.maps.source}
    if model.maps.target is not None:
        arrays["target_map"] = model.maps.target
    for side, normalizer in zip(SIDES, model.normalizers, strict=True):
        arrays |= {f"{side}.{name}": array for name, array in normalizer.get_state().items()}
    with replacing_folder(path, overwrite=overwrite) as folder:
        write_tensors(folder / _MAPS, arrays)
        if vectors:
            for side in SIDES:
                (folder / side).mkdir()
                write_native(model.embeddings(side), folder / side)
            write_tensors(folder / _SPACES, {side: model.space(side) for side in SIDES})
        if means and model.means:
            write_tensors(folder / _MEANS, {"source": model.means.source, "target": model.means.target})
        text = json.dumps(about, ensure_ascii=False, indent=1)
        (folder / _ABOUT).write_text(text + "\n", encoding="utf-8")


def load_alignment(path: PathName, *, source: Any = None, target: Any = None) -> Alignment:
    """Open an alignment; see `Alignment.load`."""
    path = Path(path)
    about = _read_about(path)
    try:
        model = _restore(path, about)
    except FormatError:
        raise
    except (IsoalignError, KeyError, TypeError, ValueError, OSError) as error:
        raise FormatError(f"{path}: a damaged alignment ({error}). Learn it again.") from error
    if source is not None:
        model.source = as_embeddings(source, name="source")
        model._spaces.pop("source", None)
    if target is not None:
        model.target = as_embeddings(target, name="target")
        model._spaces.pop("target", None)
    return model


def _read_about(path: Path) -> dict[str, Any]:
    if not path.exists():
        raise MissingFileError(f"{path}: no such folder. Check the name.")
    file = path / _ABOUT
    if not file.is_file():
        raise FormatError(f"{path}: not an alignment written by isoalign: it has no {_ABOUT}.")
    try:
        about = json.loads(file.read_bytes())
    except OSError as error:
        raise FileAccessError(f"{file}: cannot read: {error.strerror}.") from error
    except ValueError as error:
        raise FormatError(f"{file}: damaged ({error}).") from error
    if not isinstance(about, dict) or about.get("kind") != _KIND:
        raise FormatError(f"{file}: not an alignment written by isoalign.")
    if about.get("version") != _VERSION:
        raise FormatError(f"{file}: written in version {about.get('version')}; this isoalign reads version {_VERSION}.")
    return about


def _restore(path: Path, about: dict[str, Any]) -> Alignment:
    arrays = {name: np.array(array) for name, array in map_tensors(path / _MAPS).items()}
    normalizers = [
        restore_normalizer(
            description,
            {name.removeprefix(f"{side}."): array for name, array in arrays.items() if name.startswith(f"{side}.")},
        )
        for side, description in zip(SIDES, about["normalizers"], strict=True)
    ]
    model = Alignment(
        Maps(arrays["source_map"], arrays.get("target_map")),
        (normalizers[0], normalizers[1]),
        history=about["history"],
        provenance=about["provenance"],
    )
    if (path / _SPACES).exists():
        model.source, model.target = open_native(path / "source"), open_native(path / "target")
        spaces = map_tensors(path / _SPACES)
        for side in SIDES:
            if spaces[side].shape[0] != len(model.embeddings(side)):
                raise FormatError(f"{path}: {side} words and vectors do not fit. Is a file exchanged?")
            model._spaces[side] = spaces[side]
    if about["means_k"] is not None:
        means = map_tensors(path / _MEANS)
        model.means = CslsMeans(int(about["means_k"]), means["source"], means["target"])
    return model
