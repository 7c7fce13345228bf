"""Long-running outputs: a hidden partial output with a journal, until it is complete."""

import json
from pathlib import Path
from typing import Any

from isoalign.io._atomic import replacing_file

__all__ = ["Journal", "partial_path"]


def partial_path(path: Path) -> Path:
    """Return the name of an output that is not complete yet."""
    return path.with_name(f".{path.name}.partial")


class Journal:
    """Progress of an output and a key of its inputs: with another adapter or input, the output starts again."""

    def __init__(self, path: Path, key: str) -> None:
        self._path, self._key = path.with_name(f".{path.name}.journal.json"), key

    def read(self) -> dict[str, Any] | None:
        """Return the record of the last attempt, or None if there was none or it had other inputs."""
        try:
            found = json.loads(self._path.read_bytes())
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) and found.get("key") == self._key else None

    def write(self, **progress: Any) -> None:
        """Record the progress of the output."""
        with replacing_file(self._path) as temporary:
            temporary.write_text(json.dumps({"key": self._key, **progress}), encoding="utf-8")

    def remove(self) -> None:
        """Remove the journal once the output is complete."""
        self._path.unlink(missing_ok=True)
