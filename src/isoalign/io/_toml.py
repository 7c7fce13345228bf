"""Read settings from TOML files."""

import tomllib
from typing import Any

from isoalign._types import PathName
from isoalign.errors import FormatError
from isoalign.io._compression import check_readable

__all__ = ["read_toml"]


def read_toml(path: PathName) -> dict[str, Any]:
    """Return the content of a TOML file."""
    try:
        return tomllib.loads(check_readable(path).read_text(encoding="utf-8"))
    except ValueError as error:  # also what is no UTF-8
        raise FormatError(f"{path}: no TOML file ({error}).") from error
