"""Spools: normalised languages in native folders, computed once and memory-mapped by all runs."""

import hashlib
import json
import shutil
import tempfile
from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path

from isoalign._core.progress import Progress, ignore_progress
from isoalign.experiments._config import SweepConfig
from isoalign.experiments._data import DataFile, is_sample, read_language
from isoalign.io import open_vectors, write_vectors
from isoalign.normalization import normalize, normalize_file

__all__ = ["Spools"]


class Spools:
    """Store normalised languages in a folder, from the first run that needs them until the last.

    A spool is named by a hash of its inputs and is either complete or absent, so spools of a killed sweep are reused.

    Parameters
    ----------
    folder
        Folder for the spools.
    config
        The sweep.
    vectors
        The vector file of every language.
    """

    def __init__(self, folder: Path, config: SweepConfig, vectors: dict[str, DataFile]) -> None:
        self.folder, self.config, self.vectors = folder, config, vectors
        self._users: Counter[Path] = Counter()

    def path(self, lang: str, normalization: str) -> Path:
        """Return the path of a normalised language."""
        data = self.config.data
        made_from = [self.vectors[lang].sha256, data.limit, data.lower, data.statistics, normalization]
        name = hashlib.sha256(json.dumps(made_from).encode()).hexdigest()[:16]
        return self.folder / f"{lang}-{name}"

    def reserve(self, lang: str, normalization: str) -> None:
        """Count one more run that will use a spool."""
        self._users[self.path(lang, normalization)] += 1

    def prepare(self, lang: str, normalizations: Collection[str], *, progress: Progress = ignore_progress) -> None:
        """Create the missing spools of one language; the vectors are read at most once."""
        missing = [chain for chain in normalizations if not self.path(lang, chain).exists()]
        if not missing:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        if self.config.data.statistics == "file" and not is_sample(self.vectors[lang].name):
            self._normalize_whole(lang, missing, progress)
            return
        embeddings = read_language(self.config, self.vectors[lang], lang, progress=progress)
        for chain in missing:
            write_vectors(normalize(embeddings, chain, progress=progress), self.path(lang, chain), format="native")

    def _normalize_whole(self, lang: str, normalizations: Collection[str], progress: Progress) -> None:
        """Fit to all rows of the file, then keep the first ones, as ``normalize`` followed by ``align`` would."""
        data, file = self.config.data, self.vectors[lang]
        with tempfile.TemporaryDirectory(dir=self.folder, prefix=f".{lang}.") as temporary:
            whole, changed = Path(temporary) / "whole", Path(temporary) / "changed"
            write_vectors(open_vectors(file.path, progress=progress), whole, format="native")
            for chain in normalizations:
                normalize_file(whole, changed, chain, format="native", overwrite=True, progress=progress)
                first = open_vectors(changed, limit=data.limit, lower=data.lower, duplicates="first", lang=lang)
                write_vectors(first, self.path(lang, chain), format="native")

    def release(self, paths: Iterable[Path]) -> None:
        """Remove spools that no run needs any more."""
        for path in paths:
            self._users[path] -= 1
            if self._users[path] <= 0:
                shutil.rmtree(path, ignore_errors=True)
                del self._users[path]

    def clear(self) -> None:
        """Remove everything, including spools of killed sweeps."""
        shutil.rmtree(self.folder, ignore_errors=True)
