"""Published values of the paper's experiment, and of others on XLING."""

import csv
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from isoalign.experiments import Cell

__all__ = ["ALL_XLING", "SOURCE", "XLING_SOURCE", "Published", "find_published", "list_xling"]

SOURCE = "Zhang et al., ACL 2019 (https://aclanthology.org/P19-1307/)"

XLING_SOURCE = "FIPP (Sachidananda, Yang, Zhu, ICLR 2021), from its authors’ own result files"
ALL_XLING = "average"
"""Stands for the average of all 28 pairs of XLING."""

_FOLDER = Path(__file__).parent / "published"
_METHODS = {"procrustes_refine": "refine"}
_SIMILARITY_COLUMNS = {"none": "before", "iternorm": "after"}


@dataclass(frozen=True)
class Published:
    """A published value in per cent.

    Attributes
    ----------
    value
        Value in the appendix, which has all languages; for similarity, in Table 2.
    table1
        Value in Table 1 if it differs.
    """

    value: float
    table1: float | None = None

    def __str__(self) -> str:
        return f"{self.value:.1f}" + (f" (Table 1: {self.table1:.1f})" if self.table1 is not None else "")


def find_published(cell: Cell) -> Published | None:
    """Return the published value of a cell, or None if there is none."""
    if cell.source != "en" or cell.size is not None:
        return None
    if cell.kind == "similarity" and cell.target is None:
        return _similarity().get((_plain_name(cell.dataset or ""), cell.normalize))
    if cell.kind != "bli" or cell.retrieval not in ("csls", None):
        return None
    key = (cell.target or "", cell.system, cell.normalize)
    appendix, table1 = _accuracy("appendix"), _accuracy("table1")
    if key not in appendix:
        return None
    other = table1.get(key)
    return Published(appendix[key], None if other == appendix[key] else other)


@cache
def list_xling(size: str | None) -> dict[str, float]:
    """Return MAP × 100 of `XLING_SOURCE` with training dictionaries of one size, by pair or for `ALL_XLING`."""
    return {row["pair"]: 100 * float(row["map"]) for row in _read("xling_fipp.csv") if row["size"] == size}


@cache
def _accuracy(name: str) -> dict[tuple[str, str, str], float]:
    return {
        (row["target"], _METHODS.get(row["method"], row["method"]), row["normalization"]): float(row["p_at_1"])
        for row in _read(f"{name}_accuracy.csv")
    }


@cache
def _similarity() -> dict[tuple[str, str], Published]:
    return {
        (row["dataset"], normalize): Published(float(row[column]))
        for row in _read("table2_similarity.csv")
        for normalize, column in _SIMILARITY_COLUMNS.items()
    }


def _plain_name(dataset: str) -> str:
    """Reduce ``EN-WS-353-ALL.txt`` and ``ws353`` to the same name."""
    return re.sub(r"^en|all$", "", re.sub(r"[^a-z0-9]", "", dataset.lower().removesuffix(".txt")))


def _read(name: str) -> list[dict[str, str]]:
    with (_FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
