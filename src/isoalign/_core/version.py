"""The version of isoalign."""

__all__ = ["VERSION"]

VERSION = "0.2.0.dev0"
