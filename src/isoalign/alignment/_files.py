"""Align files, and send files through a kept alignment with constant memory."""

from pathlib import Path
from typing import Any

import numpy as np

from isoalign._arrays import unit_rows
from isoalign._progress import Progress, ignore_progress
from isoalign._threads import map_threads
from isoalign._types import PathName
from isoalign.alignment._align import align
from isoalign.alignment._alignment import SIDES, Alignment
from isoalign.alignment._recipes import RECIPES
from isoalign.alignment._seeds import SEEDS
from isoalign.errors import FileAccessError, OutputExistsError, ParameterError
from isoalign.io import (
    Block,
    bare_name,
    detect_format,
    open_vectors,
    read_lexicon,
    read_vectors,
    write_mapped,
    write_vectors,
)
from isoalign.lexicon import Lexicon
from isoalign.normalization import describe_normalizer
from isoalign.vectors import Embeddings

__all__ = ["align_files", "apply_file", "export_spaces", "load_with_files"]


def align_files(
    source: PathName,
    target: PathName,
    lexicon: PathName,
    *,
    test: PathName | None = None,
    reading: dict[str, Any] | None = None,
    source_lang: str | None = None,
    target_lang: str | None = None,
    method: str = "procrustes",
    progress: Progress = ignore_progress,
    **options: Any,
) -> Alignment:
    """Read two vector files and a dictionary, and align them.

    Parameters
    ----------
    source, target
        Vector files of any format.
    lexicon
        A dictionary file, or ``"identical"`` or ``"numerals"``.
    test
        A test dictionary, for ``select="test"`` only.
    reading
        Arguments of `read_vectors` for both files, such as ``limit``; ``on_bad`` counts for dictionaries too. Recipes
        of programs that lower-case do so here.
    source_lang, target_lang
        Language codes to remember.
    method, options
        As in `align`.
    """
    reading = dict(reading or {})
    if method in RECIPES:
        reading["lower"] = reading.get("lower") or RECIPES[method].lower
    on_bad = reading.get("on_bad", "error")
    pairs: Lexicon | str = str(lexicon) if str(lexicon) in SEEDS else read_lexicon(lexicon, on_bad=on_bad)
    held = None if test is None else read_lexicon(test, on_bad=on_bad)

    def read(side: tuple[PathName, str | None]) -> Embeddings:
        return read_vectors(side[0], lang=side[1], progress=progress, **reading)

    # Side by side: unpacking a file keeps only one core busy.
    source_vectors, target_vectors = map_threads(read, ((source, source_lang), (target, target_lang)))
    return align(
        source_vectors,
        target_vectors,
        pairs,
        method=method,
        test=held,
        progress=progress,
        **options,
    )


def load_with_files(
    model: PathName | None,
    source: PathName | None,
    target: PathName | None,
    *,
    reading: dict[str, Any] | None = None,
    progress: Progress = ignore_progress,
) -> Alignment:
    """Open a kept alignment, or two files that are aligned already.

    Parameters
    ----------
    model
        Folder that `Alignment.save` wrote; None takes both files as they are.
    source, target
        Vector files, used in place of what the folder holds, if they are named.
    reading
        Arguments of `read_vectors` for them, such as ``limit``.
    """
    X, Y = (
        None if path is None else read_vectors(path, progress=progress, **(reading or {})) for path in (source, target)
    )
    if model is None:
        return Alignment.from_matrix(None, source=X, target=Y)
    return Alignment.load(model, source=X, target=Y)


def apply_file(
    model: Alignment,
    source: PathName,
    target: PathName,
    *,
    side: str = "source",
    unit: bool = False,
    format: str | None = None,  # noqa: A002  (the name that users expect)
    overwrite: bool = False,
    reading: dict[str, Any] | None = None,
    progress: Progress = ignore_progress,
) -> None:
    """Send a vector file through the normaliser and the map of one side, a block at a time.

    A fastText ``.bin`` written to another ``.bin`` stays a fastText model: its word and n-gram rows are mapped, so
    that words it never saw land in the shared space too. That needs a square map and no centring, because a mean of
    centred rows is not the centred mean; after ``"unit"`` the vectors have the mapped directions and keep their own
    lengths.

    Parameters
    ----------
    model
        Fitted.
    source, target
        Files; the input is never changed.
    side
        Which normaliser and map.
    unit
        Scale the mapped vectors to length one.
    format
        Format of ``target``, where its name should not decide.
    overwrite
        Whether an existing ``target`` may be replaced.
    reading
        Arguments of `open_vectors`.
    """
    source, target, reading = Path(source), Path(target), reading or {}
    W = model.map(side)
    as_model = format == "fasttext" or (format is None and bare_name(target).endswith(".bin"))
    if as_model and detect_format(source).name == "fasttext":
        if unit or reading.get("limit") is not None:
            raise ParameterError(
                f"{target}: a fastText model is mapped whole and as it is. Drop unit and limit, or write .vec."
            )
        _map_fasttext(model, source, target, side=side, overwrite=overwrite)
        return
    stream = open_vectors(source, progress=progress, **reading)

    def change(block: Block) -> Block:
        vectors = model.apply(block.vectors, side=side)
        return Block(block.words, unit_rows(vectors, out=vectors) if unit else vectors)

    stream.map(change)
    stream.dim = stream.dim if W is None else W.shape[1]
    stream.dtype, stream.subwords = "float32", None
    write_vectors(stream, target, format=format, overwrite=overwrite, progress=progress)


def _map_fasttext(model: Alignment, source: Path, target: Path, *, side: str, overwrite: bool) -> None:
    normalizer = model.normalizer(side)
    W = np.eye(normalizer.n_features_in_) if (given := model.map(side)) is None else given
    name = describe_normalizer(normalizer)["name"]
    if name not in ("none", "unit") or W.shape[0] != W.shape[1]:
        raise ParameterError(
            f"{target}: a new fastText model needs a square map and no centring; this alignment has {normalizer!r} and "
            f"a map of shape {W.shape} on the {side} side. Align with normalize='none' or 'unit', or write vectors "
            "only: a .vec file, or format='word2vec'."
        )
    write_mapped(source, target, W, overwrite=overwrite)


def export_spaces(
    model: Alignment, folder: PathName, *, overwrite: bool = False, progress: Progress = ignore_progress
) -> list[Path]:
    """Write both vocabularies in the shared space as ``.vec`` files, for other tools.

    Returns
    -------
    list of Path
        ``source.vec`` and ``target.vec``, or named after the languages where they are known and differ.
    """
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise FileAccessError(f"{folder}: is a file. Name a folder.")
    folder.mkdir(exist_ok=True)
    langs = [(model.embeddings(side).lang or side).replace("/", "_") for side in SIDES]
    files = [folder / f"{name}.vec" for name in (langs if langs[0] != langs[1] else SIDES)]
    existing = next((file for file in files if file.exists()), None)
    if existing is not None and not overwrite:
        raise OutputExistsError(f"{existing}: exists already. Choose another folder or allow overwriting (--force).")
    for side, file in zip(SIDES, files, strict=True):
        write_vectors(model.embeddings(side).with_vectors(model.space(side)), file, progress=progress)
    return files
