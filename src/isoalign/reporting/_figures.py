"""Write matplotlib's figures to files."""

from pathlib import Path
from typing import Any

from isoalign._optional import import_extra
from isoalign._types import PathName
from isoalign._validate import check_choice
from isoalign.io._atomic import replacing_file

__all__ = ["check_figure", "save_figure"]

_SUFFIXES = (".svg", ".pdf", ".png")


def check_figure(path: PathName) -> str:
    """Return the suffix if a figure can be written to ``path``, so that nobody waits for an error."""
    import_extra("matplotlib", extra="plot")
    return check_choice(Path(path).suffix.lower(), _SUFFIXES, name="The suffix of a figure")


def save_figure(figure: Any, path: PathName) -> None:
    """Write a figure; the suffix chooses the format, and the same figure gives the same bytes."""
    suffix = check_figure(path)
    without_date = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(suffix)
    matplotlib = import_extra("matplotlib", extra="plot")
    with matplotlib.rc_context({"svg.hashsalt": "isoalign"}), replacing_file(path) as temporary:
        figure.savefig(temporary, format=suffix[1:], dpi=150, metadata=without_date)
