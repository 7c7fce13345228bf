"""Write and read results: tables for spreadsheets, JSON for the report and the page."""

import json
from pathlib import Path
from typing import Any

from isoalign._core.types import PathName
from isoalign.drift._results import Drift, DriftSeries
from isoalign.errors import FormatError
from isoalign.io import bare_name, create_binary, open_binary, replacing_file, write_rows

__all__ = ["SCHEMA", "read_drift", "write_drift"]

SCHEMA = "isoalign/drift/1"


def write_drift(found: Drift | DriftSeries, path: PathName, *, overwrite: bool = True) -> None:
    """Write a result: everything as JSON (``.json``), else one row per word, separated by commas (``.csv``) or tabs."""
    if Path(bare_name(path)).suffix.lower() == ".json":
        text = json.dumps({"schema": SCHEMA, **found.to_dict()}, ensure_ascii=False)
        with replacing_file(path, overwrite=overwrite) as temporary, create_binary(temporary, named=path) as file:
            file.write(text.encode())
        return
    records = found.to_records()
    header = list(records[0])
    write_rows([header, *([_cell(value) for value in row.values()] for row in records)], path, overwrite=overwrite)


def read_drift(path: PathName) -> Drift | DriftSeries:
    """Read JSON written by `write_drift` or ``isoalign drift --json``."""
    with open_binary(path) as file:
        content = file.read()
    try:
        data = json.loads(content)
        if data.pop("schema") != SCHEMA:
            raise ValueError("another schema")
        names = ("steps",) if "steps" in data else ("old", "new", "measures", "words", "n_common", "provenance")
        kind = DriftSeries if "steps" in data else Drift
        return kind.from_dict({name: data[name] for name in names})
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise FormatError(f"{path}: not a result of 'isoalign drift' as JSON ({error!r}).") from error


def _cell(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
