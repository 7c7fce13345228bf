"""Read settings from TOML files."""

import tomllib
from typing import Any

from isoalign._core.types import PathName
from isoalign.errors import FormatError
from isoalign.io._compression import check_readable
from isoalign.io._description import read_small

__all__ = ["read_toml"]


def read_toml(path: PathName) -> dict[str, Any]:
    """Return the content of a TOML file."""
    try:
        return tomllib.loads(read_small(check_readable(path)).decode())
    except (ValueError, RecursionError) as error:  # ValueError includes invalid UTF-8
        raise FormatError(f"{path}: not a TOML file ({error}).") from error
