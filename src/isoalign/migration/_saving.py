"""Save adapters in folders: ``adapter.json`` and ``state.safetensors``; no pickle."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from isoalign._core.state import nest_state, part_of_state
from isoalign._core.types import PathName
from isoalign.errors import FormatError, IsoalignError, MissingFileError
from isoalign.io import read_description, read_tensors, replacing_folder, write_tensors
from isoalign.maps import describe_map, restore_map
from isoalign.migration._mismatch import Statistics

if TYPE_CHECKING:
    from isoalign.migration._adapter import Adapter

__all__ = ["read_adapter", "write_adapter"]

_KIND, _VERSION = "isoalign-adapter", 1
_ABOUT, _STATE = "adapter.json", "state.safetensors"


def write_adapter(adapter: "Adapter", path: PathName, *, overwrite: bool) -> None:
    """Write a fitted adapter."""
    mean, spread, length = adapter.statistics_
    about = {
        "kind": _KIND,
        "version": _VERSION,
        "params": {**adapter.get_params(), "settings": None if adapter.settings is None else dict(adapter.settings)},
        "map": describe_map(adapter.map_),
        "statistics": {"spread": spread, "length": length},
        "record": adapter.record_,
    }
    state = {"mean": mean, "digests": adapter.digests_.view(np.int64), **nest_state("map", adapter.map_.get_state())}
    text = json.dumps(about, ensure_ascii=False, indent=1)
    with replacing_folder(path, overwrite=overwrite) as folder:
        write_tensors(folder / _STATE, state)
        (folder / _ABOUT).write_text(text + "\n", encoding="utf-8")


def read_adapter(path: PathName, kind: "type[Adapter]") -> "Adapter":
    """Read an adapter into a new object of its class."""
    path = Path(path)
    if not path.exists():
        raise MissingFileError(f"{path}: no such folder. Check the name.")
    if not (path / _ABOUT).is_file():
        raise FormatError(f"{path}: not an adapter written by isoalign: it has no {_ABOUT}.")
    about = read_description(path / _ABOUT, kind=_KIND, version=_VERSION, what="an adapter", advice="Fit it again.")
    try:
        state = read_tensors(path / _STATE)
        adapter = kind(**about["params"])
        adapter.map_ = restore_map(about["map"], part_of_state("map", state))
        adapter.record_ = dict(about["record"])
        adapter.statistics_ = Statistics(
            state["mean"], float(about["statistics"]["spread"]), float(about["statistics"]["length"])
        )
        if not (np.abs(state["mean"]) <= np.finfo(np.float32).max).all():
            raise FormatError("its mean is not that of vectors in float32")
        adapter.digests_ = state["digests"].view(np.uint64)
        adapter.n_features_in_ = adapter.map_.dim_in
    except (IsoalignError, KeyError, TypeError, ValueError) as error:
        raise FormatError(f"{path}: a damaged adapter ({error}). Fit it again.") from error
    return adapter
