"""Errors and warnings of isoalign.

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
    """Base class of all errors of isoalign."""


class ParameterError(IsoalignError, ValueError):
    """A setting has an invalid value."""


class ShapeError(IsoalignError, ValueError):
    """The shapes of arrays do not match each other or the operation."""


class InvalidValueError(IsoalignError, ValueError):
    """A vector contains NaN or infinity, or the data are unsuitable for the computation."""


class FormatError(IsoalignError, ValueError):
    """A file does not follow its format; the message names the file and line."""


class FileAccessError(IsoalignError, OSError):
    """A file cannot be read or written: missing permission, a folder of the same name, a full disk."""


class MissingFileError(FileAccessError, FileNotFoundError):
    """A file does not exist."""


class OutputExistsError(FileAccessError, FileExistsError):
    """The output already exists and must not be replaced."""


class ChecksumError(IsoalignError, ValueError):
    """The checksum of a file differs from the published or recorded one."""


class DownloadError(IsoalignError, OSError):
    """A file cannot be downloaded: no network, or a server that rejects, interrupts or endlessly redirects requests."""


class UnknownWordError(IsoalignError, KeyError):
    """A word is not in the vocabulary and has no subword vector."""

    __str__ = Exception.__str__  # KeyError would print the message's repr


class MissingExtraError(IsoalignError, ImportError):
    """An optional dependency is not installed; the message contains the pip command."""


class NotFittedError(IsoalignError, ValueError, AttributeError):
    """An estimator is used before ``fit``."""


class IsoalignWarning(UserWarning):
    """A result is usable but suspicious; raised once per call, with a count."""
