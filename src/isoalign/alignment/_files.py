"""Align files."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.threads import map_threads
from isoalign._core.types import PathName
from isoalign._core.validate import suggest
from isoalign.alignment._align import align
from isoalign.alignment._alignment import Alignment
from isoalign.alignment._recipes import RECIPES
from isoalign.alignment._registry import STARTS
from isoalign.errors import MissingFileError
from isoalign.io import (
    read_lexicon,
    read_vectors,
)
from isoalign.normalization import AbstractNormalizer
from isoalign.vectors import Embeddings

__all__ = ["align_files", "shared_reading"]


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
    elif lexicon is not None and not Path(lexicon).exists() and (similar := suggest(str(lexicon), STARTS)):
        raise MissingFileError(f"{lexicon}: no such file, and no start has this name.{similar}")
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
