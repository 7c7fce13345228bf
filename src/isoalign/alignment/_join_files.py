"""Join vector files and dictionary files, and export the result for other tools."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from isoalign._core.arrays import row_blocks
from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.threads import map_threads
from isoalign._core.types import PathName
from isoalign.alignment._alignment import Alignment
from isoalign.alignment._application import warn_plain_spaces
from isoalign.alignment._files import shared_reading
from isoalign.alignment._graph import Edge
from isoalign.alignment._join import join, join_into
from isoalign.alignment._registry import DEFAULT_JOINT_METHOD, STARTS
from isoalign.errors import ParameterError
from isoalign.io import Block, VectorStream, read_lexicon, read_vectors, write_vectors
from isoalign.normalization import DEFAULT_NORMALIZATION, AbstractNormalizer
from isoalign.vectors import Embeddings

__all__ = ["export_prefixed", "join_files"]


def join_files(
    spaces: Mapping[str, PathName],
    dictionaries: Mapping[Edge, PathName],
    *,
    into: Alignment | None = None,
    reading: Mapping[str, Any] | None = None,
    encoding: str | None = None,
    method: str = DEFAULT_JOINT_METHOD,
    normalize: str | AbstractNormalizer = DEFAULT_NORMALIZATION,
    pivot: str | None = None,
    weights: Mapping[Edge, float] | None = None,
    refine: int | None = None,
    refine_pairs: Iterable[Edge] | None = None,
    reweight: bool | None = None,
    middle: bool | None = None,
    select: str | None = None,
    restarts: int | None = None,
    random_state: int = 0,
    progress: Progress = ignore_progress,
) -> Alignment:
    """Read vector files and dictionaries, and map all spaces into one.

    Parameters
    ----------
    spaces
        Vector files by member; the name of the member is also its language.
    dictionaries
        Dictionary files, or names of starts, by the names of two members.
    into
        An alignment to add the files to; None creates a new one.
    reading
        Arguments of `read_vectors`, such as ``limit``; ``lower``, ``unicode`` and ``on_bad`` apply to dictionaries
        too.
    encoding
        Encoding of the dictionaries; None is UTF-8.
    method, normalize, weights, refine, refine_pairs, select, restarts, random_state
        As in `join`.
    pivot, reweight, middle
        As in `join`; they would change the members of an existing alignment, so that they are errors with ``into``.
    progress
        Progress callback.
    """
    given = {"pivot": pivot, "reweight": reweight, "middle": middle}
    if into is not None and (changing := [name for name, value in given.items() if value is not None]):
        raise ParameterError(
            f"{', '.join(changing)} would change the members of the alignment. Omit it, or join everything in one call."
        )
    reading = dict(reading or {})
    known = {
        edge: str(file) if str(file) in STARTS else read_lexicon(file, encoding=encoding, **shared_reading(reading))
        for edge, file in dictionaries.items()
    }

    def read(item: tuple[str, PathName]) -> Embeddings:
        return read_vectors(item[1], lang=item[0], progress=progress, **reading)

    vectors = dict(zip(spaces, map_threads(read, spaces.items()), strict=True))
    if into is None:
        return join(
            vectors,
            known,
            method=method,
            normalize=normalize,
            pivot=pivot,
            weights=weights,
            refine=refine,
            refine_pairs=refine_pairs,
            reweight=reweight,
            middle=middle,
            select=select,
            restarts=restarts,
            random_state=random_state,
            progress=progress,
        )
    return join_into(
        into,
        vectors,
        known,
        method=method,
        normalize=normalize,
        weights=weights,
        refine=refine,
        refine_pairs=refine_pairs,
        select=select,
        restarts=restarts,
        random_state=random_state,
        progress=progress,
    )


def export_prefixed(
    model: Alignment,
    path: PathName,
    *,
    to: str | None = None,
    separator: str = ":",
    drop_ambiguous: bool = False,
    overwrite: bool = False,
    progress: Progress = ignore_progress,
) -> Path:
    """Write all members in the shared space to one vector file, each word prefixed by its member: ``en:cat``.

    Words of all members are sorted by rank, the first of each member before the second of any, because tools assume
    that the first rows of a file are the most frequent words.

    Parameters
    ----------
    model
        Alignment with all vectors.
    path
        Vector file; the format follows from its name.
    to
        The member to be searched; see `export_spaces`.
    separator
        Separator between member and word.
    drop_ambiguous
        Whether to skip words that contain the separator, which some readers reject.
    overwrite
        Whether an existing file may be replaced.
    progress
        Progress callback.
    """
    if not separator or separator.strip(" \t\n\r") != separator:
        raise ParameterError(f"separator must be text without spaces at its ends. Got {separator!r}.")
    warn_plain_spaces(model, to)
    n_rows = sum(len(model.raw(name)) for name in model)
    blocks = _interleave(model, to, separator, drop_ambiguous=drop_ambiguous)
    stream = VectorStream(blocks, model.dim, n_rows, counted=not drop_ambiguous)
    write_vectors(stream, path, overwrite=overwrite, progress=progress)
    return Path(path)


def _interleave(model: Alignment, to: str | None, separator: str, *, drop_ambiguous: bool) -> Iterator[Block]:
    """Yield the words of all members by rank, a block of ranks at a time."""
    spaces = {name: model.space(name, to=to) for name in model}
    for ranks in row_blocks(max(map(len, spaces.values()))):
        sizes = [len(space[ranks]) for space in spaces.values()]
        order = np.argsort(np.concatenate([np.arange(size) for size in sizes]), kind="stable")
        words = [f"{name}{separator}{word}" for name in spaces for word in model.raw(name).keys[ranks]]
        if drop_ambiguous:
            order = order[[words[place].count(separator) == 1 for place in order.tolist()]]
        rows = np.concatenate([space[ranks] for space in spaces.values()])[order]
        yield Block([words[place] for place in order.tolist()], rows)
