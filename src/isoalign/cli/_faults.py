"""Say all that is wrong with a call at once, before anything costly is done."""

from collections.abc import Iterable
from pathlib import Path

from isoalign.errors import ParameterError

__all__ = ["refuse_faults"]


def refuse_faults(faults: dict[str, bool], *, files: Iterable[Path | None]) -> None:
    """Refuse a call if any of its faults is real; files that are missing are then told too.

    Parameters
    ----------
    faults
        What would be wrong, and whether it is.
    files
        Files that the call would read; None for those that are not given.
    """
    found = [fault for fault, is_real in faults.items() if is_real]
    if found:
        missing = [f"{file}: no such file." for file in files if file is not None and not file.exists()]
        raise ParameterError(" ".join([*found, *missing]))
