"""Align files, and map files with a saved alignment with constant memory."""

from collections.abc import Mapping
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from isoalign._core.arrays import unit_rows
from isoalign._core.executor import Executor
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.threads import map_threads
from isoalign._core.types import DoubleVector, Matrix, PathName
from isoalign.alignment._align import align
from isoalign.alignment._alignment import Alignment
from isoalign.alignment._member import Member
from isoalign.alignment._recipes import RECIPES
from isoalign.alignment._registry import STARTS
from isoalign.errors import FileAccessError, OutputExistsError, ParameterError
from isoalign.io import (
    Block,
    bare_name,
    change_parts,
    detect_format,
    open_vectors,
    read_lexicon,
    read_vectors,
    require_parts,
    write_mapped,
    write_vectors,
)
from isoalign.normalization import AbstractNormalizer
from isoalign.vectors import Embeddings

__all__ = ["align_files", "apply_file", "export_spaces", "shared_reading"]


def align_files(
    source: PathName,
    target: PathName,
    lexicon: PathName | None = None,
    *,
    start: str | None = None,
    restarts: int | None = None,
    test: PathName | None = None,
    reading: Mapping[str, Any] | None = None,
    reading_lexicon: Mapping[str, Any] | None = None,
    langs: tuple[str | None, str | None] = (None, None),
    method: str | None = None,
    then: str | None = None,
    settings: Mapping[str, Any] | None = None,
    normalize: str | AbstractNormalizer | None = None,
    select: str | None = "default",
    rerank: bool = False,
    spelling: bool = False,
    allow_low_coverage: bool = False,
    random_state: int = 0,
    n_jobs: int = 1,
    progress: Progress = ignore_progress,
    checkpoint: PathName | None = None,
) -> Alignment:
    """Read two vector files and a dictionary, and align them.

    Parameters
    ----------
    source, target
        Vector files of any format.
    lexicon
        A dictionary file, or the name of a start.
    start, restarts, method, then, settings, normalize, select, rerank, spelling, allow_low_coverage
        As in `align`.
    random_state, n_jobs
        As in `align`.
    test
        A test dictionary, for ``select="test"`` only.
    reading
        Arguments of `read_vectors` for both files, such as ``limit``; ``lower``, ``unicode`` and ``on_bad`` apply to
        dictionaries too. Recipes of programs that lower-case words do so here.
    reading_lexicon
        Further arguments of `read_lexicon`, such as ``encoding``.
    langs
        Language codes, which also name the members.
    progress
        Progress callback.
    checkpoint
        As in `align`.
    """
    reading = _with_recipe(reading, method)
    for_words = {**shared_reading(reading), **(reading_lexicon or {})}
    if lexicon is not None and str(lexicon) in STARTS:
        lexicon, start = None, str(lexicon)
    pairs = None if lexicon is None else read_lexicon(lexicon, **for_words)
    held = None if test is None else read_lexicon(test, **for_words)

    def read(side: tuple[PathName, str | None]) -> Embeddings:
        return read_vectors(side[0], lang=side[1], progress=progress, **reading)

    # In parallel: decompressing a file keeps only one core busy.
    X, Y = map_threads(read, zip((source, target), langs, strict=True))
    return align(
        X,
        Y,
        pairs,
        start=start,
        restarts=restarts,
        method=method,
        then=then,
        settings=settings,
        normalize=normalize,
        select=select,
        test=held,
        rerank=rerank,
        spelling=spelling,
        allow_low_coverage=allow_low_coverage,
        random_state=random_state,
        n_jobs=n_jobs,
        progress=progress,
        checkpoint=checkpoint,
    )


def _with_recipe(reading: Mapping[str, Any] | None, method: str | None) -> dict[str, Any]:
    """Return the reading options for a method: recipes of programs that lower-case words do so."""
    reading = dict(reading or {})
    if method in RECIPES:
        reading["lower"] = reading.get("lower") or RECIPES[method].lower
    return reading


def shared_reading(reading: Mapping[str, Any] | None, *, method: str | None = None) -> dict[str, Any]:
    """Return the arguments of `read_vectors` that apply to dictionaries too, for a method if one is given."""
    reading = _with_recipe(reading, method)
    return {name: reading[name] for name in ("lower", "unicode", "on_bad") if name in reading}


def apply_file(
    model: Alignment,
    source: PathName,
    target: PathName,
    *,
    name: str | None = None,
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
    as_model = format == "fasttext" or (format is None and bare_name(target).endswith(".bin"))
    if as_model and detect_format(source).name == "fasttext":
        if unit or reading.get("limit") is not None:
            raise ParameterError(
                f"{target}: a fastText model is mapped as a whole, unscaled. Omit unit and limit, or write .vec."
            )
        _map_fasttext(member, source, target, overwrite=overwrite)
        return
    change = partial(_map_rows, member.with_embeddings(None), unit=unit)
    if executor is not None:
        require_parts(source, **reading)
        state = {**member.normalizer.get_state(), **member.map.get_state()}
        digest = sha256(b"".join(np.ascontiguousarray(array).tobytes() for array in state.values())).hexdigest()
        change_parts(
            source,
            target,
            change,
            dim=member.map.dim_out,
            about={"mapped": {"member": member.name, "unit": unit, "sha256": digest}},
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


def _map_rows(member: Member, X: Matrix, *, unit: bool) -> Matrix:
    mapped = member.apply(X)
    return unit_rows(mapped) if unit else mapped


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
    model: Alignment, folder: PathName, *, overwrite: bool = False, progress: Progress = ignore_progress
) -> list[Path]:
    """Write the vocabularies of all members in the shared space as ``.vec`` files, for other tools.

    Returns
    -------
    list of Path
        ``<member>.vec`` for each member.
    """
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise FileAccessError(f"{folder}: is a file. Give a folder.")
    folder.mkdir(exist_ok=True)
    files = {name: folder / f"{name}.vec" for name in model.names}
    existing = next((file for file in files.values() if file.exists()), None)
    if existing is not None and not overwrite:
        raise OutputExistsError(f"{existing}: exists already. Choose another folder, or pass overwrite=True.")
    for name, file in files.items():
        write_vectors(model.raw(name).with_vectors(model.space(name)), file, progress=progress)
    return list(files.values())
