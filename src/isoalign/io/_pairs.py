"""Replace two files that belong together, so that either the old or the new pair is found, whatever happens.

The second file is renamed before the first. Until the first has been renamed, a hidden folder keeps the old second
file; the next process that opens or writes the pair restores it.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from isoalign._core.types import PathName
from isoalign.errors import OutputExistsError
from isoalign.io._atomic import check_place, force_to_disk, readable_failures, replacing_file
from isoalign.io._compression import bare_name
from isoalign.io._leftovers import make_temporary, settle_leftovers

__all__ = ["name_beside", "recover_pair", "replacing_pair"]

_SUFFIX = ".pair"
_STAMP, _OLD, _NEW = "stamp", "old", "new"
_ABSENT = " absent"  # ends the stamp if there was no second file


def name_beside(path: Path, suffix: str) -> Path:
    """Return the name of the file that belongs to another: ``x.words`` for ``x.npy`` and ``x.npy.gz``."""
    return path.with_name(Path(bare_name(path)).stem + suffix)


@contextmanager
def replacing_pair(path: PathName, suffix: str, *, overwrite: bool = True) -> Iterator[tuple[Path, Path]]:
    """Yield two temporary names; on success they become ``path`` and its second file, on failure they are removed.

    Parameters
    ----------
    path
        The first file.
    suffix
        Suffix of the second file.
    overwrite
        Whether existing files may be replaced.
    """
    path = Path(path)
    beside = name_beside(path, suffix)
    recover_pair(path, suffix)
    if check_place(path, overwrite=overwrite) is None and beside.exists():
        raise OutputExistsError(f"{beside}: exists already, but the words of {path.name} belong there. Move it away.")
    with readable_failures(path), make_temporary(path.absolute(), _SUFFIX, folder=True) as aside:
        try:
            with replacing_file(path, overwrite=overwrite) as first:
                yield first, aside / _NEW
                _keep_old(path, beside, aside)
                with replacing_file(beside) as temporary:
                    (aside / _NEW).replace(temporary)
        finally:
            _settle(path, beside, aside)


def recover_pair(path: Path, suffix: str) -> None:
    """Restore the second file if a process was killed after replacing it, but before replacing the first."""
    beside = name_beside(path, suffix)
    settle_leftovers(path.absolute(), _SUFFIX, lambda aside: _settle(path, beside, aside))


def _keep_old(path: Path, beside: Path, aside: Path) -> None:
    """Keep a copy of the second file, and a stamp of the first one."""
    if beside.exists():
        shutil.copy2(beside, aside / _OLD)
        force_to_disk(aside / _OLD)
    (aside / _STAMP).write_text(f"{_stamp(path)}{_ABSENT * (not beside.exists())}", encoding="ascii")
    force_to_disk(aside / _STAMP)
    force_to_disk(aside)


def _settle(path: Path, beside: Path, aside: Path) -> None:
    """Restore the old second file if the first one is still the old one, and remove the folder."""
    found = (aside / _STAMP).read_text(encoding="ascii") if (aside / _STAMP).exists() else ""
    if found.removesuffix(_ABSENT) == _stamp(path):
        if found.endswith(_ABSENT):
            beside.unlink(missing_ok=True)
        elif (aside / _OLD).exists():  # else it has been restored already
            (aside / _OLD).replace(beside)
    shutil.rmtree(aside)


def _stamp(path: Path) -> str:
    """Return a stamp that differs between an old and a new file of the same name."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return "none"
    return f"{found.st_ino} {found.st_size} {found.st_mtime_ns}"
