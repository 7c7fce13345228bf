"""Describe the environment: versions, BLAS, threads, installed extras."""

import os
import platform
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from isoalign._core.threads import blas_libraries, thread_count
from isoalign._core.version import VERSION

__all__ = ["describe_environment"]

_CORE = ("numpy", "numba", "scipy", "threadpoolctl", "platformdirs", "rich", "typer")
_EXTRAS = {
    "plot": "matplotlib",
    "gensim": "gensim",
    "spacy": "spacy",
    "sklearn": "sklearn",
    "pandas": "pandas",
    "web": "starlette",
    "dask": "distributed",
    "ot": "ot",
    "parquet": "pyarrow",
    "hdf5": "h5py",
    "pgvector": "psycopg",
    "sqlite": "sqlite_vec",
    "transfer": "tokenizers",
    "torch": "torch",
}
_DISTRIBUTIONS = {"sklearn": "scikit-learn", "ot": "pot", "sqlite_vec": "sqlite-vec"}


def describe_environment() -> dict[str, Any]:
    """Return versions, BLAS, threads and extras, for reports and bug reports."""
    return {
        "isoalign": VERSION,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "threads": thread_count(),
        "blas": [
            {key: library.get(key) for key in ("internal_api", "version", "num_threads", "architecture")}
            for library in blas_libraries()
        ],
        "dependencies": {name: metadata.version(name) for name in _CORE},
        "extras": {extra: _version(module) for extra, module in _EXTRAS.items()},
    }


def _version(module: str) -> str | None:
    return metadata.version(_DISTRIBUTIONS.get(module, module)) if find_spec(module) else None


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text(encoding="utf-8").split("\n") if cpuinfo.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
