"""Options of ``isoalign join`` from the command line and from a TOML file."""

from pathlib import Path
from typing import Any, NamedTuple

from isoalign.cli._named_files import parse_edges, parse_named
from isoalign.errors import FormatError, ParameterError

__all__ = ["JoinPlan", "merge_join_config"]

_TABLES = ("spaces", "dictionaries", "weights")


class JoinPlan(NamedTuple):
    """Files by name, and the given options of `join`."""

    spaces: dict[str, str]
    dictionaries: dict[tuple[str, str], str]
    options: dict[str, Any]


def merge_join_config(
    path: Path | None,
    given: dict[str, Any],
    spaces: list[str] | None,
    dictionaries: list[str] | None,
    weights: list[str] | None,
    refine_pairs: list[str] | None,
    *,
    members: list[str],
) -> JoinPlan:
    """Combine the command line with a TOML file; the command line takes precedence.

    Parameters
    ----------
    path
        The file: tables ``[spaces]``, ``[dictionaries]`` and ``[weights]``, and options. Paths are relative to
        its folder.
    given
        Options of the command line; None if not given.
    spaces, dictionaries, weights, refine_pairs
        Arguments as they were typed.
    members
        Members of the existing alignment, for ``--into``.
    """
    tables, options = _read(path, [*given, "refine_pairs"])
    files = tables["spaces"] | parse_named(spaces, what="vector files")
    names = [*members, *files]
    edges = tables["dictionaries"] | parse_named(dictionaries, what="dictionaries")
    options |= {name: value for name, value in given.items() if value is not None}
    shares = tables["weights"] | parse_named(weights, what="weights")
    if shares:
        options["weights"] = {edge: _number(value) for edge, value in parse_edges(shares, names).items()}
    pairs = refine_pairs or options.pop("refine_pairs", None)
    if pairs is not None:
        options["refine_pairs"] = list(parse_edges(dict.fromkeys(pairs, ""), names))
    return JoinPlan(files, parse_edges(edges, names), options)


def _read(path: Path | None, known: list[str]) -> tuple[dict[str, dict[str, str]], dict[str, Any]]:
    from isoalign._core.validate import suggest
    from isoalign.alignment import STARTS
    from isoalign.io import read_toml

    content = {} if path is None else read_toml(path)
    tables: dict[str, dict[str, str]] = {}
    for name in _TABLES:
        table = content.pop(name, {})
        if not isinstance(table, dict):
            raise FormatError(f"{path}: {name} must be a table, [{name}]. Got {table!r}.")
        tables[name] = {key: str(value) for key, value in table.items()}
    pairs = content.get("refine_pairs", [])
    if not isinstance(pairs, list) or not all(isinstance(pair, str) for pair in pairs):
        raise FormatError(f'{path}: refine_pairs must be a list of pairs, ["en-fr"]. Got {pairs!r}.')
    for name in content:
        if name not in known:
            raise FormatError(f"{path}: unknown option {name!r}.{suggest(name, [*known, *_TABLES])}")
    if path is not None:
        for name in ("spaces", "dictionaries"):
            tables[name] = {
                key: value if value in STARTS else str(path.parent / value) for key, value in tables[name].items()
            }
    return tables, content


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ParameterError(f"A weight must be a number. Got {text!r}.") from None
