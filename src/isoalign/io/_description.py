"""The JSON file that says what a folder of isoalign holds."""

import json
from pathlib import Path
from typing import Any

from isoalign.errors import FileAccessError, FormatError

__all__ = ["read_description"]


def read_description(file: Path, *, kind: str, version: int, what: str) -> dict[str, Any]:
    """Read the description of a folder, and refuse one of another kind or version.

    Parameters
    ----------
    file
        The JSON file.
    kind, version
        What it must say under these names.
    what
        What such a folder holds, for messages: "an alignment".
    """
    try:
        about = json.loads(file.read_bytes())
    except OSError as error:
        raise FileAccessError(f"{file}: cannot read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{file}: damaged ({error}).") from error
    if not isinstance(about, dict) or about.get("kind") != kind:
        raise FormatError(f"{file}: not the description of {what} written by isoalign.")
    if about.get("version") != version:
        raise FormatError(f"{file}: written in version {about.get('version')}; this isoalign reads version {version}.")
    return about
