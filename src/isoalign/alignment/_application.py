"""Map vector files with an alignment, with constant memory, and write its spaces as files."""

import json
import warnings
from collections.abc import Mapping
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from isoalign._core.arrays import unit_rows
from isoalign._core.executor import Executor
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.state import nest_state
from isoalign._core.types import DoubleVector, Matrix, MatrixLike, PathName
from isoalign.alignment._alignment import Alignment
from isoalign.alignment._member import Member
from isoalign.errors import FileAccessError, IsoalignWarning, OutputExistsError, ParameterError
from isoalign.io import (
    Block,
    bare_name,
    change_parts,
    detect_format,
    open_vectors,
    require_parts,
    write_mapped,
    write_vectors,
)
from isoalign.maps import AbstractMap, describe_map
from isoalign.normalization import AbstractNormalizer, describe_normalizer

__all__ = ["apply_file", "export_spaces", "warn_plain_spaces"]


def apply_file(
    model: Alignment,
    source: PathName,
    target: PathName,
    *,
    name: str | None = None,
    to: str | None = None,
    unit: bool = False,
    format: str | None = None,  # noqa: A002  (the name that users expect)
    overwrite: bool = False,
    reading: Mapping[str, Any] | None = None,
    executor: Executor | None = None,
    progress: Progress = ignore_progress,
) -> None:
    """Apply the normaliser and the map of a member to a vector file, block by block.

    A fastText ``.bin`` written to another ``.bin`` remains a fastText model: its word and n-gram rows are mapped, so
    that unseen words are mapped to the shared space too. This requires a square, linear map, and a normaliser that does
    not scale before it centres: ``"none"``, ``"unit"``, ``"center"``, ``"center_length"``. The mean of centred rows is
    the centred mean, but the mean of unit vectors is not a unit vector. Vectors get the mapped directions and keep
    their lengths.

    Parameters
    ----------
    model
        The alignment.
    source, target
        Input and output file; the input is never changed.
    name
        The member that the vectors belong to; None is the first of two.
    to
        Another member: the vectors are then queries for its words, and the query stage of the pair is applied.
    unit
        Scale the mapped vectors to unit length.
    format
        Format of ``target``; None chooses it by the name.
    overwrite
        Whether an existing ``target`` may be replaced.
    reading
        Arguments of `open_vectors`.
    executor
        Where to map the parts of a folder of parts, such as `isoalign.experiments.Dask`; ``target`` is then a folder of
        native parts. None is this process.
    progress
        Progress callback.
    """
    source, target, reading = Path(source), Path(target), dict(reading or {})
    member = model.pair().source if name is None else model[name]
    stage = None if to is None else model.stage(member.name, model[to].name)
    as_model = format == "fasttext" or (format is None and bare_name(target).endswith(".bin"))
    if as_model and detect_format(source).name == "fasttext":
        if unit or reading.get("limit") is not None:
            raise ParameterError(
                f"{target}: a fastText model is mapped as a whole, unscaled. Omit unit and limit, or write .vec."
            )
        if stage is not None:
            raise ParameterError(f"{target}: a fastText model cannot contain a query stage. Omit to, or write .vec.")
        _map_fasttext(member, source, target, overwrite=overwrite)
        return
    change = partial(_map_rows, member.with_embeddings(None), stage, unit=unit)
    if executor is not None:
        require_parts(source, **reading)
        change_parts(
            source,
            target,
            change,
            dim=member.map.dim_out,
            about={"mapped": {"member": member.name, "to": to, "unit": unit, "sha256": _fingerprint(member, stage)}},
            overwrite=overwrite,
            on_bad=reading.get("on_bad", "error"),
            executor=executor,
            progress=progress,
        )
        return
    stream = open_vectors(source, progress=progress, **reading)
    stream.map(lambda block: Block(block.words, change(block.vectors)))
    stream.dim = member.map.dim_out
    stream.dtype, stream.subwords = "float32", None
    write_vectors(stream, target, format=format, overwrite=overwrite, progress=progress)


def _map_rows(member: Member, stage: AbstractMap | None, X: MatrixLike, *, unit: bool) -> Matrix:
    mapped = member.apply(X)
    if stage is not None:
        mapped = stage.apply(unit_rows(mapped))
    return unit_rows(mapped) if unit else mapped


def _fingerprint(member: Member, stage: AbstractMap | None) -> str:
    """Return a hash of everything that changes the rows: an output is resumed only with the same."""
    maps = {"map": member.map} | ({} if stage is None else {"stage": stage})
    about = [describe_normalizer(member.normalizer), {name: describe_map(one) for name, one in maps.items()}]
    state = nest_state("normalizer", member.normalizer.get_state())
    for name, one in maps.items():
        state |= nest_state(name, one.get_state())
    digest = sha256(json.dumps(about, sort_keys=True, default=str).encode())
    for name, array in sorted(state.items()):
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def _map_fasttext(member: Member, source: Path, target: Path, *, overwrite: bool) -> None:
    matrix, mean = member.map.to_matrix(), _constant_shift(member.normalizer)
    if mean is None or matrix is None or matrix.shape[0] != matrix.shape[1]:
        raise ParameterError(
            f"{target}: a new fastText model needs a linear, square map and no centring after scaling; {member.name!r} "
            f"has {member.normalizer!r} and {member.map!r}. Align with normalize='none', 'unit', 'center' or "
            "'center_length', or write vectors only: a .vec file, or format='word2vec'."
        )
    write_mapped(source, target, matrix, mean=mean, overwrite=overwrite)


def _constant_shift(normalizer: AbstractNormalizer) -> DoubleVector | None:
    """Return the vector that a normaliser subtracts before any scaling; None if it does anything else."""
    steps = normalizer.scaling_steps()
    if steps is None:
        return None
    first_scaling = next((place for place, step in enumerate(steps) if step is None), len(steps))
    if any(step is not None for step in steps[first_scaling:]):
        return None
    return sum((step for step in steps[:first_scaling] if step is not None), np.zeros(normalizer.n_features_in_))


def export_spaces(
    model: Alignment,
    folder: PathName,
    *,
    to: str | None = None,
    overwrite: bool = False,
    progress: Progress = ignore_progress,
) -> list[Path]:
    """Write the vocabularies of all members in the shared space as ``.vec`` files, for other tools.

    Parameters
    ----------
    model
        Alignment with all vectors.
    folder
        Created if it does not exist.
    to
        The member to be searched: all others are written with their query stages for it, see `Alignment.space`. None:
        without query stages, and with a warning if the alignment has any.
    overwrite
        Whether existing files may be replaced.
    progress
        Progress callback.

    Returns
    -------
    list of Path
        ``<member>.vec`` for each member.
    """
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise FileAccessError(f"{folder}: is a file. Give a folder.")
    warn_plain_spaces(model, to)
    folder.mkdir(exist_ok=True)
    files = {name: folder / f"{name}.vec" for name in model.names}
    existing = next((file for file in files.values() if file.exists()), None)
    if existing is not None and not overwrite:
        raise OutputExistsError(f"{existing}: exists already. Choose another folder, or pass overwrite=True.")
    for name, file in files.items():
        write_vectors(model.raw(name).with_vectors(model.space(name, to=to)), file, progress=progress)
    return list(files.values())


def warn_plain_spaces(model: Alignment, to: str | None) -> None:
    """Warn if vectors are written without the query stages that the alignment was learned with."""
    if to is None and model.stages:
        ways = ", ".join(f"{source}→{target}" for source, target in model.stages)
        warnings.warn(
            f"Vectors are written without the query stages of the alignment ({ways}), so they find fewer translations "
            "than the alignment itself. Pass to=…, the member to be searched.",
            IsoalignWarning,
            stacklevel=3,
        )
