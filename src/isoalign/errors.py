"""Every error and warning that isoalign raises on purpose.

Each error is also the built-in that a caller would expect, so ``except ValueError`` and ``except OSError`` work.
"""

__all__ = [
    "ChecksumError",
    "DownloadError",
    "FileAccessError",
    "FormatError",
    "InvalidValueError",
    "IsoalignError",
    "IsoalignWarning",
    "MissingExtraError",
    "MissingFileError",
    "NotFittedError",
    "OutputExistsError",
    "ParameterError",
    "ShapeError",
    "UnknownWordError",
]


class IsoalignError(Exception):
    """Everything that isoalign raises on purpose."""


class ParameterError(IsoalignError, ValueError):
    """A setting has a value that it cannot have."""


class ShapeError(IsoalignError, ValueError):
    """Arrays do not fit each other or the operation."""


class InvalidValueError(IsoalignError, ValueError):
    """A vector holds NaN or infinity, or data cannot carry the computation."""


class FormatError(IsoalignError, ValueError):
    """A file is not what its format demands; the message names file and line."""


class FileAccessError(IsoalignError, OSError):
    """A file cannot be read or written: permission, a folder in its place, a full disk."""


class MissingFileError(FileAccessError, FileNotFoundError):
    """There is no file of that name."""


class OutputExistsError(FileAccessError, FileExistsError):
    """The output exists, and replacing it was not allowed."""


class ChecksumError(IsoalignError, ValueError):
    """A file's bytes are not those that were published or recorded."""


class DownloadError(IsoalignError, OSError):
    """A file cannot be fetched: no network, a server that refuses, breaks off or sends us round in circles."""


class UnknownWordError(IsoalignError, KeyError):
    """A word is not in the vocabulary and has no subword vector."""

    __str__ = Exception.__str__  # KeyError would print the message's repr


class MissingExtraError(IsoalignError, ImportError):
    """An optional dependency is not installed; the message has the pip line."""


class NotFittedError(IsoalignError, ValueError, AttributeError):
    """An estimator is used before ``fit``."""


class IsoalignWarning(UserWarning):
    """A result is usable but suspicious; raised once per call, with a count."""
