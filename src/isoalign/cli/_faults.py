"""Report all faults of a call at once, before any expensive computation."""

from collections.abc import Iterable
from pathlib import Path

from isoalign.errors import ParameterError

__all__ = ["refuse_faults"]


def refuse_faults(faults: dict[str, bool], *, files: Iterable[Path | None]) -> None:
    """Raise an error if a call has any fault; the message then also lists missing files.

    Parameters
    ----------
    faults
        Messages, each with whether it applies.
    files
        Files that the call would read; None for files that were not given.
    """
    found = [fault for fault, is_real in faults.items() if is_real]
    if found:
        missing = [f"{file}: no such file." for file in files if file is not None and not file.exists()]
        raise ParameterError(" ".join([*found, *missing]))
