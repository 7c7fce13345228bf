"""Give the model in a safetensors file the embeddings of a new vocabulary."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from isoalign._core.display import Tabular
from isoalign._core.progress import ProgressLike, as_progress, ignore_progress
from isoalign._core.types import PathName
from isoalign._core.validate import suggest
from isoalign.alignment import Alignment
from isoalign.errors import FormatError, ParameterError, ShapeError
from isoalign.io import FLOAT_TYPES, StoredTensor, check_place, read_model_tensors, write_model_tensors
from isoalign.transfer._result import VocabularyTransfer
from isoalign.transfer._tokens import Tokens, read_tokens
from isoalign.transfer._transfer import transfer_vocabulary

__all__ = ["TransferredFile", "transfer_file"]

_MOST_PADDING = 1024  # rows beyond the tokens, if no tensor is named
_LISTED = 12  # names in a message


@dataclass(frozen=True)
class TransferredFile(Tabular):
    """Result of transferring a file.

    Attributes
    ----------
    transfer
        How every new row is computed.
    tensors
        Names of the replaced tensors, with type and both shapes: JSON values.
    tied
        Whether several of them were equal, and still are.
    padding
        Rows of the old matrices beyond the old tokens, which are ignored.
    """

    transfer: VocabularyTransfer
    tensors: dict[str, dict[str, Any]]
    tied: bool
    padding: int

    def to_records(self) -> list[dict[str, Any]]:
        """Return one row per replaced tensor; those of the tokens are in `transfer`."""
        return [{"tensor": name, **one} for name, one in self.tensors.items()]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        return {"tensors": self.tensors, "tied": self.tied, "padding": self.padding, **self.transfer.to_dict()}


def transfer_file(
    model: Alignment,
    source_tokenizer: Any,
    target_tokenizer: Any,
    embeddings: PathName | Iterable[PathName],
    output: PathName,
    *,
    pad_to: int = 1,
    overwrite: bool = False,
    random_state: int = 0,
    progress: ProgressLike = ignore_progress,
    **options: Any,
) -> TransferredFile:
    """Write a copy of a model's safetensors file with the embeddings of a new vocabulary.

    All other tensors are copied unchanged, and the new ones keep the type of the old: float64, float32, float16 or
    bfloat16.

    Parameters
    ----------
    model, source_tokenizer, target_tokenizer, options
        As in `transfer_vocabulary`.
    embeddings
        A safetensors file, whose tensors with one row per token are all replaced: input embeddings, output embeddings
        if they are not tied, output bias. Or some of its tensors by name:
        ``"model.safetensors:lm_head.weight"``.
    output
        The new file.
    pad_to
        Add rows until their number is a multiple of this.
    overwrite
        Whether an existing file may be replaced.
    random_state
        Seed of random rows.
    progress
        Progress callback; True draws a bar.
    """
    progress = as_progress(progress)
    check_place(output, overwrite=overwrite)
    path, named = _split_names([embeddings] if isinstance(embeddings, (str, os.PathLike)) else embeddings)
    stored = read_model_tensors(path)
    old = read_tokens(source_tokenizer)
    names = _choose_tensors(path, stored.tensors, named, old)
    found = transfer_vocabulary(model, old, target_tokenizer, progress=progress, **options)
    changed: dict[str, StoredTensor] = {}
    for done, name in enumerate(names, 1):
        one = stored.tensors[name]
        new = found.apply(one.to_float32(), pad_to=pad_to, random_state=random_state)
        changed[name] = StoredTensor.from_values(new, one.dtype)
        progress("tensors", done, len(names))
    write_model_tensors(output, {**stored.tensors, **changed}, stored.metadata, overwrite=overwrite)
    return TransferredFile(
        found,
        {
            name: {"dtype": one.dtype, "shape": list(one.shape), "old_shape": list(stored.tensors[name].shape)}
            for name, one in changed.items()
        },
        tied=_are_tied([stored.tensors[name] for name in names]),
        padding=stored.tensors[names[0]].shape[0] - len(old),
    )


def _split_names(embeddings: Iterable[PathName]) -> tuple[Path, list[str]]:
    """Return the file, and the names of its tensors if given."""
    files: dict[Path, list[str]] = {}
    for one in map(str, embeddings):
        path, _, name = ("", "", one) if Path(one).exists() else one.rpartition(":")
        # A drive letter is no file.
        path, name = (one, "") if len(path) < 2 else (path, name)
        files.setdefault(Path(path), []).extend([name] if name else [])
    if len(files) != 1:
        raise ParameterError(f"Embeddings must come from one file. Got {', '.join(map(str, files)) or 'none'}.")
    return next(iter(files.items()))


def _choose_tensors(path: Path, tensors: dict[str, StoredTensor], named: list[str], old: Tokens) -> list[str]:
    """Return the names of the tensors to replace; errors list the tensors of the file."""
    for name in named:
        if name not in tensors:
            raise ParameterError(
                f"{path}: has no tensor {name!r}.{suggest(name, tensors)} {_list_tensors(tensors, old)}"
            )
        _check_tensor(path, name, tensors[name], old)
    if named:
        return list(dict.fromkeys(named))
    sizes = sorted(
        {one.shape[0] for one in tensors.values() if _is_matrix(one) and 0 <= one.shape[0] - len(old) < _MOST_PADDING}
    )
    if not sizes:
        raise ShapeError(
            f"{path}: no tensor has a row for each of the {len(old):,} tokens of the source tokenizer. "
            f"{_list_tensors(tensors, old)} Give one as {path}:TENSOR, or use the tokenizer of this model."
        )
    return [
        name
        for name, one in tensors.items()
        if one.dtype in FLOAT_TYPES and one.shape[:1] == (sizes[0],) and len(one.shape) <= 2
    ]


def _check_tensor(path: Path, name: str, one: StoredTensor, old: Tokens) -> None:
    if one.dtype not in FLOAT_TYPES:
        raise FormatError(f"{path}: {name} has type {one.dtype}. Embeddings must be {', '.join(FLOAT_TYPES)}.")
    if not 1 <= len(one.shape) <= 2 or one.shape[0] < len(old):
        raise ShapeError(
            f"{path}: {name} has shape {one.shape}, but the source tokenizer has {len(old):,} tokens, and each needs a "
            "row. Use the tokenizer of this model."
        )


def _is_matrix(one: StoredTensor) -> bool:
    return one.dtype in FLOAT_TYPES and len(one.shape) == 2


def _list_tensors(tensors: dict[str, StoredTensor], old: Tokens) -> str:
    """Return a list of the tensors for messages, the most likely first."""
    likely = sorted(
        tensors,
        key=lambda name: (not _is_matrix(tensors[name]), abs((tensors[name].shape or (0,))[0] - len(old)), name),
    )
    listed = ", ".join(f"{name} {list(tensors[name].shape)}" for name in likely[:_LISTED])
    more = f" and {len(likely) - _LISTED:,} more" if len(likely) > _LISTED else ""
    return f"Its tensors: {listed or 'none'}{more}."


def _are_tied(tensors: list[StoredTensor]) -> bool:
    """Return whether there are several matrices, all equal."""
    matrices = [one for one in tensors if len(one.shape) == 2]
    return len(matrices) > 1 and all(
        one.shape == matrices[0].shape and one.dtype == matrices[0].dtype and np.array_equal(one.data, matrices[0].data)
        for one in matrices[1:]
    )
