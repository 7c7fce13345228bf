"""The JSON file that describes a folder of isoalign."""

import json
from pathlib import Path
from typing import Any

from isoalign.errors import FileAccessError, FormatError
from isoalign.io._bounds import DESCRIPTION_BYTES

__all__ = ["read_description", "read_small"]


def read_small(file: Path) -> bytes:
    """Return the contents of a file of at most `DESCRIPTION_BYTES`."""
    try:
        with file.open("rb") as content:
            data = content.read(DESCRIPTION_BYTES + 1)
    except OSError as error:
        raise FileAccessError(f"{file}: cannot read: {error.strerror}.") from error
    if len(data) > DESCRIPTION_BYTES:
        raise FormatError(f"{file}: has more than {DESCRIPTION_BYTES:,} bytes, which no description of isoalign has.")
    return data


def read_description(file: Path, *, kind: str, version: int, what: str, advice: str = "") -> dict[str, Any]:
    """Read the description of a folder, which must have a given kind and version.

    Parameters
    ----------
    file
        The JSON file.
    kind, version
        Required values.
    what
        Contents of such a folder, for messages: "an alignment".
    advice
        Advice for other versions.
    """
    try:
        about = json.loads(read_small(file))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{file}: damaged ({error}).") from error
    if not isinstance(about, dict) or about.get("kind") != kind:
        raise FormatError(f"{file}: not the description of {what} written by isoalign.")
    if about.get("version") != version:
        found = f"{file}: written in version {about.get('version')}; this isoalign reads version {version}."
        raise FormatError(f"{found} {advice}".rstrip())
    return about
