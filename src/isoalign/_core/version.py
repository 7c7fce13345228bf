"""The version of isoalign."""

__all__ = ["VERSION"]

VERSION = "0.1.0"
