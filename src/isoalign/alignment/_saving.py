"""Keep alignments in folders: maps, normalisers, vocabularies and spaces; no pickle."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isoalign._types import PathName
from isoalign.alignment._alignment import SIDES, Alignment, CslsMeans
from isoalign.alignment._base import Maps
from isoalign.errors import FormatError, IsoalignError, MissingFileError
from isoalign.io import map_tensors, open_native, read_description, replacing_folder, write_native, write_tensors
from isoalign.normalization import describe_normalizer, restore_normalizer
from isoalign.vectors import as_embeddings

__all__ = ["load_alignment", "save_alignment"]

_KIND, _VERSION = "isoalign-alignment", 1
_ABOUT, _MAPS, _SPACES, _MEANS = "alignment.json", "maps.safetensors", "spaces.safetensors", "means.safetensors"


def save_alignment(model: Alignment, path: PathName, *, vectors: bool, means: bool, overwrite: bool) -> None:
    """Write an alignment; see `Alignment.save`."""
    kept_means = model.means if vectors and means else None
    about = {
        "kind": _KIND,
        "version": _VERSION,
        "normalizers": [describe_normalizer(normalizer) for normalizer in model.normalizers],
        "history": model.history,
        "provenance": model.provenance,
        "vectors": vectors,
        "means_k": None if kept_means is None else kept_means.k,
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
        if kept_means is not None:
            write_tensors(folder / _MEANS, {"source": kept_means.source, "target": kept_means.target})
        text = json.dumps(about, ensure_ascii=False, indent=1, default=_as_python)
        (folder / _ABOUT).write_text(text + "\n", encoding="utf-8")


def _as_python(value: Any) -> Any:
    """Turn a number of NumPy, which a setting may be, into one that JSON knows."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"History, provenance and settings must be JSON values. Got {value!r}.")


def load_alignment(path: PathName, *, source: Any = None, target: Any = None) -> Alignment:
    """Open an alignment; see `Alignment.load`."""
    path = Path(path)
    about = _read_about(path)
    try:
        stored = _restore(path, about)
    except (IsoalignError, KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error.__cause__, PermissionError):  # nothing is damaged
            raise
        reason = str(error).removeprefix(f"{path}: ")
        raise FormatError(f"{path}: a damaged alignment ({reason}). Learn it again.") from error
    if source is None and target is None:
        return stored
    given = {"source": source, "target": target}
    return Alignment(
        stored.maps,
        stored.normalizers,
        source=stored.source if source is None else as_embeddings(source, name="source"),
        target=stored.target if target is None else as_embeddings(target, name="target"),
        spaces={side: stored.space(side) for side in SIDES if given[side] is None and about["vectors"]},
        history=stored.history,
        provenance=stored.provenance,
    )


def _read_about(path: Path) -> dict[str, Any]:
    if not path.exists():
        raise MissingFileError(f"{path}: no such folder. Check the name.")
    file = path / _ABOUT
    if not file.is_file():
        raise FormatError(f"{path}: not an alignment written by isoalign: it has no {_ABOUT}.")
    return read_description(file, kind=_KIND, version=_VERSION, what="an alignment")


def _restore(path: Path, about: dict[str, Any]) -> Alignment:
    if not isinstance(about["history"], dict) or not isinstance(about["provenance"], dict):
        raise FormatError(f"{path / _ABOUT}: history or provenance is of the wrong kind.")
    arrays = {name: np.array(array) for name, array in map_tensors(path / _MAPS).items()}
    normalizers = [
        restore_normalizer(
            description,
            {name.removeprefix(f"{side}."): array for name, array in arrays.items() if name.startswith(f"{side}.")},
        )
        for side, description in zip(SIDES, about["normalizers"], strict=True)
    ]
    maps = Maps(arrays["source_map"], arrays.get("target_map"))
    _check_maps(maps, [normalizer.n_features_in_ for normalizer in normalizers])
    stored: dict[str, Any] = {}
    if about["vectors"]:
        stored = {side: open_native(path / side) for side in SIDES}
        sizes = {side: len(stored[side]) for side in SIDES}
        if [stored[side].vector_size for side in SIDES] != [normalizer.n_features_in_ for normalizer in normalizers]:
            raise FormatError(f"{path}: vectors and normalisers have different dimensions.")
        p = maps.source.shape[1]
        stored["spaces"] = _map_sides(path / _SPACES, {side: (n, p) for side, n in sizes.items()})
        if about["means_k"] is not None:
            means = _map_sides(path / _MEANS, {side: (n,) for side, n in sizes.items()})
            stored["means"] = CslsMeans(int(about["means_k"]), means["source"], means["target"])
    return Alignment(
        maps, (normalizers[0], normalizers[1]), **stored, history=about["history"], provenance=about["provenance"]
    )


def _check_maps(maps: Maps, dims: list[int]) -> None:
    """Refuse maps that do not fit the normalisers or each other."""
    p = maps.source.shape[-1] if maps.target is not None else dims[1]
    for W, dim in zip(maps[:2], dims, strict=True):
        if W is not None and (W.dtype != np.float64 or W.shape != (dim, p) or not np.isfinite(W).all()):
            raise FormatError(f"{_MAPS}: expected finite maps of shape {(dim, p)}, got {W.dtype} of {W.shape}.")


def _map_sides(path: Path, shapes: dict[str, tuple[int, ...]]) -> dict[str, NDArray[Any]]:
    """Map one float32 tensor per side, of the given shapes."""
    tensors = map_tensors(path)
    for side, shape in shapes.items():
        tensor = tensors.get(side)
        if tensor is None or tensor.shape != shape or tensor.dtype != np.float32:
            got = "nothing" if tensor is None else f"{tensor.dtype} of {tensor.shape}"
            raise FormatError(f"{path.name}: expected float32 of {shape} for the {side} side, got {got}.")
    return {side: tensors[side] for side in shapes}
