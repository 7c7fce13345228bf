"""Outputs that take long: a hidden partial output and a journal beside it, until all is there."""

import json
from pathlib import Path
from typing import Any

from isoalign.io._atomic import replacing_file

__all__ = ["Journal", "partial_path"]


def partial_path(path: Path) -> Path:
    """Return the name of an output that is not complete yet."""
    return path.with_name(f".{path.name}.partial")


class Journal:
    """How far an output has come, and what it is made from: another adapter or input begins again."""

    def __init__(self, path: Path, key: str) -> None:
        self._path, self._key = path.with_name(f".{path.name}.journal.json"), key

    def read(self) -> dict[str, Any] | None:
        """Return what the last attempt recorded, or None if there was none or it was for something else."""
        try:
            found = json.loads(self._path.read_bytes())
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) and found.get("key") == self._key else None

    def write(self, **progress: Any) -> None:
        """Record how far the output has come."""
        with replacing_file(self._path) as temporary:
            temporary.write_text(json.dumps({"key": self._key, **progress}), encoding="utf-8")

    def remove(self) -> None:
        """Forget the output, once it is complete."""
        self._path.unlink(missing_ok=True)
