"""Align embedding spaces: normalise, map, translate and measure, with nothing imported before it is used."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from isoalign import errors as errors
    from isoalign.io import open_vectors as open_vectors
    from isoalign.io import read_lexicon as read_lexicon
    from isoalign.io import read_similarity as read_similarity
    from isoalign.io import read_vectors as read_vectors
    from isoalign.io import write_lexicon as write_lexicon
    from isoalign.io import write_vectors as write_vectors
    from isoalign.lexicon import Lexicon as Lexicon
    from isoalign.vectors import Embeddings as Embeddings

__version__ = "0.1.0.dev0"

_PUBLIC = {
    "Embeddings": "isoalign.vectors",
    "Lexicon": "isoalign.lexicon",
    "open_vectors": "isoalign.io",
    "read_lexicon": "isoalign.io",
    "read_similarity": "isoalign.io",
    "read_vectors": "isoalign.io",
    "write_lexicon": "isoalign.io",
    "write_vectors": "isoalign.io",
}

__all__ = ["__version__", "errors", *_PUBLIC]


def __getattr__(name: str) -> Any:
    if name == "errors":
        return import_module("isoalign.errors")
    if name in _PUBLIC:
        return getattr(import_module(_PUBLIC[name]), name)
    raise AttributeError(f"module 'isoalign' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
