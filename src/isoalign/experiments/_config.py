"""A sweep as its author writes it: a TOML file, read into frozen dataclasses and checked to the last key."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from string import Formatter
from typing import Any

from isoalign._core.types import PathName
from isoalign._core.validate import check_choice, check_count, suggest
from isoalign.alignment import ALIGNERS, RECIPES, STARTS, make_start, resolve_method
from isoalign.errors import FormatError, ParameterError
from isoalign.evaluation import PROTOCOLS
from isoalign.io import read_toml
from isoalign.neighbors import RETRIEVERS
from isoalign.normalization import make_normalizer

__all__ = ["DICTIONARY", "OWN_NORMALIZATION", "DataConfig", "GridConfig", "SweepConfig", "parse_config", "read_config"]

SELECTIONS = ("validation", "unsupervised", "none")
STATISTICS = ("rows", "file")
OWN_NORMALIZATION = "default"
"""In ``grid.normalize``: what the method itself takes by default, or the recipe prescribes."""
DICTIONARY = "dictionary"
"""In ``grid.starts``: learn from the training dictionary."""


@dataclass(frozen=True)
class DataConfig:
    """Table ``[data]``: which files, and how they are read.

    A file is a path relative to the TOML file, a name of ``isoalign data list``, or ``sample:en``, ``sample:ja``,
    ``sample:train``, ``sample:test`` for the sample inside the package.

    Attributes
    ----------
    vectors
        One name with ``{lang}`` in it, or a table from language to name.
    train, test
        Dictionaries: one name with ``{target}`` (and ``{source}``) in it, or a table from target language to name.
    similarity
        Word-similarity sets of the source language.
    limit, lower
        As in `read_vectors`.
    statistics
        ``"rows"``: normalisers see the rows that are read; ``"file"``: all rows of the file, as the authors' script.
    fetch
        Whether names of ``isoalign data list`` may be downloaded.
    """

    vectors: str | Mapping[str, str]
    train: str | Mapping[str, str]
    test: str | Mapping[str, str]
    similarity: tuple[str, ...] = ()
    limit: int | None = None
    lower: bool = False
    statistics: str = "rows"
    fetch: bool = False

    @property
    def rows_needed(self) -> int | None:
        """How many rows of a vector file the sweep looks at; None where normalisers see all of them."""
        return self.limit if self.statistics == "rows" else None

    def vectors_of(self, lang: str) -> str:
        """Return the name of a language's vector file."""
        return _fill("data.vectors", self.vectors, lang, lang=lang)

    def lexicon_of(self, role: str, source: str, target: str) -> str:
        """Return the name of a pair's ``train`` or ``test`` dictionary."""
        return _fill(f"data.{role}", getattr(self, role), target, source=source, target=target)


@dataclass(frozen=True)
class GridConfig:
    """Table ``[grid]``: every combination of these is a cell.

    Attributes
    ----------
    normalize, methods, retrieval, seeds
        The four axes. Methods may be recipes; ``"default"`` is the normalisation that a method or recipe has by
        default. Seeds are those of everything random, the validation split included.
    starts
        What methods learn from: ``"dictionary"``, or starts without one, such as ``"similarity"``.
    select
        How rounds and step lengths that a method leaves open are chosen, never by the test words; recipes have a rule
        of their own.
    protocol
        How test questions are counted.
    conditions
        Whether lengths and means of both sides are recorded too.
    """

    normalize: tuple[str, ...] = ("none", "center_length", "iternorm")
    methods: tuple[str, ...] = ("procrustes", "refine", "rcsls")
    retrieval: tuple[str, ...] = ("csls",)
    seeds: tuple[int, ...] = (0,)
    starts: tuple[str, ...] = (DICTIONARY,)
    select: str = "validation"
    protocol: str = "muse"
    conditions: bool = True


@dataclass(frozen=True)
class SweepConfig:
    """A sweep: one source language, its targets, the data and the grid.

    Attributes
    ----------
    source, targets
        Language codes.
    data, grid
        See there.
    settings
        Settings by method or start: table ``[settings.rcsls]`` with ``lr = 10``, ….
    folder
        Where relative names of files begin.
    """

    source: str
    targets: tuple[str, ...]
    data: DataConfig
    grid: GridConfig = field(default_factory=GridConfig)
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    folder: Path = Path()

    def __post_init__(self) -> None:
        _check_values(self)


def read_config(path: PathName) -> SweepConfig:
    """Read a sweep from a TOML file."""
    path = Path(path)
    content = read_toml(path)
    try:
        return parse_config(content, folder=path.parent)
    except ParameterError as error:
        raise FormatError(f"{path}: {error}") from error


def parse_config(content: Mapping[str, Any], *, folder: Path = Path()) -> SweepConfig:
    """Turn the content of a TOML file into a checked sweep."""
    known = {f.name for f in fields(SweepConfig)} - {"folder"}
    _check_keys("", content, known, required={"source", "targets", "data"})
    return SweepConfig(
        source=_text("source", content["source"]),
        targets=_texts("targets", content["targets"]),
        data=DataConfig(**_read_table("data", content["data"], DataConfig, required={"vectors", "train", "test"})),
        grid=GridConfig(**_read_table("grid", content.get("grid", {}), GridConfig)),
        settings=_tables("settings", content.get("settings", {})),
        folder=folder,
    )


def _read_table(name: str, table: Any, kind: type, required: Iterable[str] = ()) -> dict[str, Any]:
    checked = _table(name, table)
    _check_keys(f"{name}.", checked, {f.name for f in fields(kind)}, required=required)
    return {key: _READERS[f"{name}.{key}"](f"{name}.{key}", value) for key, value in checked.items()}


def _check_keys(prefix: str, table: Mapping[str, Any], known: Iterable[str], *, required: Iterable[str]) -> None:
    known = sorted(known)
    for key in table:
        if key not in known:
            hint = suggest(key, known) or f" Known keys: {', '.join(known)}."
            raise ParameterError(f"unknown key '{prefix}{key}'.{hint}")
    for key in required:
        if key not in table:
            raise ParameterError(f"the key '{prefix}{key}' is missing.")


def _check_values(config: SweepConfig) -> None:
    grid, data = config.grid, config.data
    for name in grid.methods:
        resolve_method(name, settings=config.settings.get(name))
    for name in grid.starts:
        if name != DICTIONARY:
            make_start(name, config.settings.get(name))
    for name in config.settings:
        check_choice(name, [*ALIGNERS, *RECIPES, *STARTS], name="A table of [settings]")
        if name not in (*grid.methods, *grid.starts):
            axis = "starts" if name in STARTS else "methods"
            raise ParameterError(f"settings.{name} is given, but grid.{axis} does not name {name!r}.")
    for chain in grid.normalize:
        if chain != OWN_NORMALIZATION:
            make_normalizer(chain)
    for name in grid.retrieval:
        check_choice(name, RETRIEVERS, name="grid.retrieval")
    check_choice(grid.select, SELECTIONS, name="grid.select")
    check_choice(grid.protocol, PROTOCOLS, name="grid.protocol")
    check_choice(data.statistics, STATISTICS, name="data.statistics")
    for where, values in (("targets", config.targets), *((f"grid.{name}", getattr(grid, name)) for name in _AXES)):
        if not values or len(set(values)) != len(values):
            raise ParameterError(f"{where} must name at least one value, none of them twice. Got {list(values)!r}.")
    for lang in (config.source, *config.targets):
        _check_language(lang)
        data.vectors_of(lang)
    for target in config.targets:
        data.lexicon_of("train", config.source, target)
        data.lexicon_of("test", config.source, target)


def _check_language(lang: str) -> None:
    """Refuse a name that could lead out of the folder of the results, where languages name folders."""
    if lang in ("", ".", "..") or not lang.isprintable() or set(lang) & set("/\\"):
        raise ParameterError(f"A language must be printable and hold neither / nor \\, nor be '..'. Got {lang!r}.")


_AXES = ("normalize", "methods", "retrieval", "seeds", "starts")


def _fill(where: str, names: str | Mapping[str, str], key: str, **values: str) -> str:
    if not isinstance(names, str):
        if key not in names:
            raise ParameterError(f"{where} has no entry for {key!r}.{suggest(key, names)}")
        return names[key]
    try:
        used = list(Formatter().parse(names))
    except ValueError:
        used = [("", "", None, None)]
    # Attributes, items and formats of a field would reach into Python, or ask for gigabytes of spaces.
    if any(name is not None and (name not in values or spec or conversion) for _, name, spec, conversion in used):
        fields_ = ", ".join(f"{{{name}}}" for name in values)
        raise ParameterError(f"{where} may hold {fields_} and no other braces. Got {names[:200]!r}.")
    return names.format(**values)


def _show(value: Any) -> str:
    try:
        return repr(value)[:200]
    except RecursionError:  # TOML may nest as deeply as Python can
        return "a value nested too deeply"


def _text(where: str, value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ParameterError(f"{where} must be text. Got {_show(value)}.")
    return value


def _texts(where: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ParameterError(f"{where} must be a list of texts. Got {_show(value)}.")
    return tuple(_text(where, item) for item in value)


def _counts(where: str, value: Any) -> tuple[int, ...]:
    if not isinstance(value, list):
        raise ParameterError(f"{where} must be a list of whole numbers. Got {_show(value)}.")
    return tuple(check_count(item, name=where, minimum=0) for item in value)


def _count(where: str, value: Any) -> int:
    return check_count(value, name=where)


def _flag(where: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise ParameterError(f"{where} must be true or false. Got {_show(value)}.")
    return value


def _table(where: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ParameterError(f"{where} must be a table. Got {_show(value)}.")
    return value


def _tables(where: str, value: Any) -> dict[str, dict[str, Any]]:
    tables = {name: dict(_table(f"{where}.{name}", inner)) for name, inner in _table(where, value).items()}
    for name, table in tables.items():
        for key, setting in table.items():
            values = setting if isinstance(setting, list) else [setting]
            if not all(isinstance(value, str | int | float | bool) for value in values):
                raise ParameterError(
                    f"{where}.{name}.{key} must be text, numbers, true or false. Got {_show(setting)}."
                )
    return tables


def _names(where: str, value: Any) -> str | dict[str, str]:
    if isinstance(value, str):
        return value
    return {key: _text(f"{where}.{key}", name) for key, name in _table(where, value).items()}


_READERS: dict[str, Callable[[str, Any], Any]] = {
    "data.vectors": _names,
    "data.train": _names,
    "data.test": _names,
    "data.similarity": _texts,
    "data.limit": _count,
    "data.lower": _flag,
    "data.statistics": _text,
    "data.fetch": _flag,
    "grid.normalize": _texts,
    "grid.methods": _texts,
    "grid.retrieval": _texts,
    "grid.seeds": _counts,
    "grid.starts": _texts,
    "grid.select": _text,
    "grid.protocol": _text,
    "grid.conditions": _flag,
}
