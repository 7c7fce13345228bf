"""The version of isoalign, said once."""

__all__ = ["VERSION"]

VERSION = "0.1.0"
