"""Align files, and send files through a kept alignment with constant memory."""

from pathlib import Path
from typing import Any

from isoalign._arrays import unit_rows
from isoalign._progress import Progress, ignore_progress
from isoalign._types import PathName
from isoalign.alignment._align import align
from isoalign.alignment._alignment import SIDES, Alignment
from isoalign.alignment._recipes import RECIPES
from isoalign.alignment._seeds import SEEDS
from isoalign.errors import FileAccessError, OutputExistsError, ParameterError
from isoalign.io import Block, detect_format, open_vectors, read_lexicon, read_vectors, write_mapped, write_vectors
from isoalign.lexicon import Lexicon
from isoalign.normalization import describe_normalizer

__all__ = ["align_files", "apply_file", "export_spaces"]


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
        Arguments of `read_vectors` for both files, such as ``limit``. Recipes of programs that lower-case do so here.
    source_lang, target_lang
        Language codes to remember.
    method, options
        As in `align`.
    """
    reading = dict(reading or {})
    if method in RECIPES:
        reading["lower"] = reading.get("lower") or RECIPES[method].lower
    pairs: Lexicon | str = str(lexicon) if str(lexicon) in SEEDS else read_lexicon(lexicon)
    held = None if test is None else read_lexicon(test)
    return align(
        read_vectors(source, lang=source_lang, progress=progress, **reading),
        read_vectors(target, lang=target_lang, progress=progress, **reading),
        pairs,
        method=method,
        test=held,
        progress=progress,
        **options,
    )


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
    that words it never saw land in the shared space too. That needs a square map without normalisation, because a
    mean of centred or rescaled rows is not the centred or rescaled mean.

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
    source, target = Path(source), Path(target)
    if target.name.endswith(".bin") and format in (None, "fasttext") and detect_format(source).name == "fasttext":
        _map_fasttext(model, source, target, side=side, overwrite=overwrite)
        return
    stream = open_vectors(source, progress=progress, **(reading or {}))

    def change(block: Block) -> Block:
        vectors = model.apply(block.vectors, side=side)
        return Block(block.words, unit_rows(vectors) if unit else vectors)

    stream.map(change)
    number = SIDES.index(side)
    matrix = model.maps.source if number == 0 else model.maps.target
    stream.dim = stream.dim if matrix is None else matrix.shape[1]
    stream.dtype, stream.subwords = "float32", None
    write_vectors(stream, target, format=format, overwrite=overwrite, progress=progress)


def _map_fasttext(model: Alignment, source: Path, target: Path, *, side: str, overwrite: bool) -> None:
    number = SIDES.index(side)
    name = describe_normalizer(model.normalizers[number])["name"]
    matrix = model.maps.source if number == 0 else model.maps.target
    if name != "none" or matrix is None or matrix.shape[0] != matrix.shape[1]:
        raise ParameterError(
            f"A new fastText model needs a square map without normalisation; this alignment has {name!r} and "
            f"{'no map' if matrix is None else f'a map of shape {matrix.shape}'} on the {side} side. "
            "Write vectors instead (.vec), or align with normalize='none'."
        )
    write_mapped(source, target, matrix, overwrite=overwrite)


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
    langs = [model.embeddings(side).lang or side for side in SIDES]
    files = [folder / f"{name}.vec" for name in (langs if langs[0] != langs[1] else SIDES)]
    existing = next((file for file in files if file.exists()), None)
    if existing is not None and not overwrite:
        raise OutputExistsError(f"{existing}: exists already. Choose another folder or allow overwriting (--force).")
    for side, file in zip(SIDES, files, strict=True):
        write_vectors(model.embeddings(side).with_vectors(model.space(side)), file, progress=progress)
    return files
