"""Repeat experiments: settings in TOML, one pure run, a sweep over any executor, an append-only store."""

from isoalign.experiments._records import Cell, Record

__all__ = ["Cell", "Record"]
