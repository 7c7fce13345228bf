"""The registry of data sets: entries of ``registry.toml`` with expanded templates."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from isoalign.errors import ParameterError

__all__ = ["Dataset", "find_dataset", "list_datasets"]

_REGISTRY = Path(__file__).parent / "registry.toml"


@dataclass(frozen=True)
class Dataset:
    """A file that can be fetched.

    Attributes
    ----------
    name
        File name, unique in the registry.
    url
        Address at the publisher.
    family, kind, title
        Group of files that it belongs to; the kind of data (``vectors``, ``lexicon``, ``similarity`` or ``archive``);
        and a description.
    licence
        SPDX identifier, empty if the publisher states none.
    homepage, citation
        Web page of the data, and publication to cite.
    size, sha256, sha1
        What a public source states about the bytes, or None; ``checksums_from`` names that source.
    """

    name: str
    url: str
    family: str
    kind: str
    title: str
    licence: str
    homepage: str
    citation: str
    size: int | None = None
    sha256: str | None = None
    sha1: str | None = None
    checksums_from: str = ""


def list_datasets(pattern: str = "*") -> list[Dataset]:
    """Return the files that can be fetched, in the order of the registry.

    Parameters
    ----------
    pattern
        Shell-style pattern that the name or the family must match.

    Examples
    --------
    >>> [dataset.name for dataset in list_datasets("en-ja*")]
    ['en-ja.txt', 'en-ja.0-5000.txt', 'en-ja.5000-6500.txt']
    """
    return [
        dataset
        for dataset in _datasets().values()
        if fnmatchcase(dataset.name, pattern) or fnmatchcase(dataset.family, pattern)
    ]


def find_dataset(name: str) -> Dataset:
    """Return the registry entry of a file."""
    datasets = _datasets()
    if name not in datasets:
        close = get_close_matches(name, datasets, n=3)
        hint = f" Close names: {', '.join(close)}." if close else ""
        raise ParameterError(f"There is no data set {name!r}.{hint} See isoalign data list.")
    return datasets[name]


@cache
def _datasets() -> dict[str, Dataset]:
    families = tomllib.loads(_REGISTRY.read_text("utf-8"))["family"]
    return {dataset.name: dataset for family in families for dataset in _expand(family)}


def _expand(family: dict[str, Any]) -> Iterator[Dataset]:
    fields = family.get("each", {})
    for values in product(*fields.values()):
        for template in family["urls"]:
            url = template.format(**dict(zip(fields, values, strict=True)))
            name = url.rpartition("/")[2]
            yield Dataset(
                name=name,
                url=url,
                family=family["id"],
                kind=family["kind"],
                title=family["title"],
                licence=family["licence"],
                homepage=family["homepage"],
                citation=family["citation"],
                size=family.get("size", {}).get(name),
                sha256=family.get("sha256", {}).get(name),
                sha1=family.get("sha1", {}).get(name),
                checksums_from=family.get("checksums_from", ""),
            )
