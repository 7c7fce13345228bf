"""Vector files of periods on the command line: ``1900.vec``, or ``then=old/vectors.vec`` with an explicit name."""

from pathlib import Path

from isoalign.errors import ParameterError

__all__ = ["name_periods"]


def name_periods(files: list[str]) -> dict[str, Path]:
    """Return files by the names of their periods, in order; the default name is that of the file."""
    if len(files) < 2:
        raise ParameterError(f"There must be at least two files to compare. Got {len(files)}.")
    periods: dict[str, Path] = {}
    for text in files:
        name, equals, path = text.partition("=")
        if not equals or Path(text).exists():
            name, path = Path(text).name.partition(".")[0] or text, text
        if not name or not path or name in periods:
            raise ParameterError(
                f"Periods need different names. Got {text!r} in addition to {', '.join(periods) or 'no other'}. "
                "Give names: then=FILE now=FILE."
            )
        periods[name] = Path(path)
    return periods
