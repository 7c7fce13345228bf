"""Configuration of a sweep: a TOML file, parsed into frozen dataclasses and fully validated."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from isoalign._core.types import PathName
from isoalign._core.validate import check_choice, suggest
from isoalign.alignment import ALIGNERS, RECIPES, STARTS, make_start, resolve_method
from isoalign.errors import FormatError, ParameterError
from isoalign.evaluation import PROTOCOLS
from isoalign.experiments._config_values import (
    LanguagePair,
    fill_name,
    read_count,
    read_counts,
    read_flag,
    read_names,
    read_table,
    read_tables,
    read_text,
    read_texts,
    split_pair,
)
from isoalign.io import read_toml
from isoalign.neighbors import DEFAULT_RETRIEVAL, RETRIEVERS
from isoalign.normalization import make_normalizer

__all__ = [
    "DICTIONARY",
    "OWN_NORMALIZATION",
    "DataConfig",
    "GridConfig",
    "SweepConfig",
    "parse_config",
    "read_config",
    "split_pair",
]

SELECTIONS = ("validation", "unsupervised", "none")
STATISTICS = ("rows", "file")
OWN_NORMALIZATION = "default"
"""In ``grid.normalize``: the default normalisation of the method or recipe."""
DICTIONARY = "dictionary"
"""In ``grid.starts``: learn from the training dictionary."""


@dataclass(frozen=True)
class DataConfig:
    """Table ``[data]``: the files, and how they are read.

    A file is a path relative to the TOML file, a name of ``isoalign data list``, or ``sample:en``, ``sample:ja``,
    ``sample:train``, ``sample:test`` for the sample inside the package.

    Attributes
    ----------
    vectors
        One name with ``{lang}`` in it, or a table from language to name.
    train, test
        Dictionaries: one name with ``{target}`` (and ``{source}``) in it, or a table from target language, or from pair
        such as ``en-fr``, to name. If the grid has sizes, ``train`` contains ``{size}``.
    similarity
        Word-similarity sets of the source language.
    limit, lower
        As in `read_vectors`.
    statistics
        ``"rows"``: normalisers are fitted to the rows that are read; ``"file"``: to all rows of the file, as in the
        authors' script.
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
        """Number of rows of a vector file that the sweep uses; None if normalisers are fitted to all of them."""
        return self.limit if self.statistics == "rows" else None

    def vectors_of(self, lang: str) -> str:
        """Return the name of a language's vector file."""
        return fill_name("data.vectors", self.vectors, lang, lang=lang)

    def lexicon_of(self, role: str, source: str, target: str, size: str | None = None) -> str:
        """Return the name of a pair's ``train`` or ``test`` dictionary."""
        names = getattr(self, role)
        pair = f"{source}-{target}"
        key = pair if not isinstance(names, str) and pair in names else target
        values = {"source": source, "target": target} | ({} if size is None else {"size": size})
        return fill_name(f"data.{role}", names, key, **values)


@dataclass(frozen=True)
class GridConfig:
    """Table ``[grid]``: every combination of these is a cell.

    Attributes
    ----------
    normalize, methods, retrieval, seeds
        The four axes. Methods may be recipes; ``"default"`` is the normalisation that a method or recipe has by
        default. Seeds apply to all random choices, including the validation split.
    starts
        Where first pairs come from: ``"dictionary"``, or starts such as ``"similarity"``.
    sizes
        Values of ``{size}`` in the names of training dictionaries; empty if there is only one dictionary.
    select
        How open settings such as rounds and step lengths are chosen, never on test words; recipes have their own rule.
    protocol
        Evaluation protocol.
    conditions
        Whether lengths and means of both sides are recorded too.
    """

    normalize: tuple[str, ...] = ("none", "center_length", "iternorm")
    methods: tuple[str, ...] = ("procrustes", "refine", "rcsls")
    retrieval: tuple[str, ...] = (DEFAULT_RETRIEVAL,)
    seeds: tuple[int, ...] = (0,)
    starts: tuple[str, ...] = (DICTIONARY,)
    sizes: tuple[str, ...] = ()
    select: str = "validation"
    protocol: str = "muse"
    conditions: bool = True


@dataclass(frozen=True)
class SweepConfig:
    """A sweep: pairs of languages, the data and the grid.

    Attributes
    ----------
    pairs
        Codes of source and target languages. A file has ``pairs = ["en-fr", …]``, or one ``source`` and its
        ``targets``.
    data, grid
        See `DataConfig` and `GridConfig`.
    settings
        Settings by method or start: table ``[settings.rcsls]`` with ``lr = 10``, ….
    folder
        Folder that relative file names refer to.
    """

    pairs: tuple[LanguagePair, ...]
    data: DataConfig
    grid: GridConfig = field(default_factory=GridConfig)
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    folder: Path = Path()

    def __post_init__(self) -> None:
        _check_values(self)

    @property
    def sources(self) -> tuple[str, ...]:
        """Source languages, each once."""
        return tuple(dict.fromkeys(source for source, _ in self.pairs))

    @property
    def targets(self) -> tuple[str, ...]:
        """Target languages, each once."""
        return tuple(dict.fromkeys(target for _, target in self.pairs))

    @property
    def languages(self) -> tuple[str, ...]:
        """All languages, each once."""
        return tuple(dict.fromkeys(lang for pair in self.pairs for lang in pair))

    @property
    def sizes(self) -> tuple[str | None, ...]:
        """Sizes of training dictionaries; only None if there is a single dictionary."""
        return self.grid.sizes or (None,)


def read_config(path: PathName) -> SweepConfig:
    """Read a sweep from a TOML file."""
    path = Path(path)
    content = read_toml(path)
    try:
        return parse_config(content, folder=path.parent)
    except ParameterError as error:
        raise FormatError(f"{path}: {error}") from error


def parse_config(content: Mapping[str, Any], *, folder: Path = Path()) -> SweepConfig:
    """Create a validated sweep from the contents of a TOML file."""
    known = {f.name for f in fields(SweepConfig)} - {"folder"} | {"source", "targets"}
    named = {"pairs"} if "pairs" in content else {"source", "targets"}
    _check_keys("", content, known, required={*named, "data"})
    return SweepConfig(
        pairs=_read_pairs(content),
        data=DataConfig(**_read_table("data", content["data"], DataConfig, required={"vectors", "train", "test"})),
        grid=GridConfig(**_read_table("grid", content.get("grid", {}), GridConfig)),
        settings=read_tables("settings", content.get("settings", {})),
        folder=folder,
    )


def _read_pairs(content: Mapping[str, Any]) -> tuple[LanguagePair, ...]:
    if "pairs" not in content:
        source, targets = read_text("source", content["source"]), read_texts("targets", content["targets"])
        _check_distinct("targets", targets)
        return tuple((source, target) for target in targets)
    if {"source", "targets"} & content.keys():
        raise ParameterError("languages are given either as pairs, or as source and targets. Omit one of them.")
    return tuple(split_pair(pair) for pair in read_texts("pairs", content["pairs"]))


def _check_distinct(where: str, values: Sequence[object]) -> None:
    if not values or len(set(values)) != len(values):
        raise ParameterError(f"{where} must have at least one value, and no duplicates. Got {list(values)!r}.")


def _read_table(name: str, table: Any, kind: type, required: Iterable[str] = ()) -> dict[str, Any]:
    checked = read_table(name, table)
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
    _check_distinct("pairs", config.pairs)
    for name in _AXES:
        _check_distinct(f"grid.{name}", getattr(grid, name))
    if grid.sizes:
        _check_distinct("grid.sizes", grid.sizes)
    if data.similarity and len(config.sources) > 1:
        raise ParameterError(f"data.similarity needs one source language. Got {', '.join(config.sources)}.")
    for lang in config.languages:
        _check_language(lang)
        data.vectors_of(lang)
    for pair in config.pairs:
        data.lexicon_of("test", *pair)
        names = [data.lexicon_of("train", *pair, size) for size in config.sizes]
        if len(set(names)) < len(names):
            raise ParameterError(f"data.train must contain {{size}}, since grid.sizes is given. Got {data.train!r}.")


def _check_language(lang: str) -> None:
    """Raise an error for a name that could refer to a path outside the results folder."""
    if lang in ("", ".", "..") or not lang.isprintable() or set(lang) & set("/\\"):
        raise ParameterError(f"A language must be printable, contain neither / nor \\, and not be '..'. Got {lang!r}.")


_AXES = ("normalize", "methods", "retrieval", "seeds", "starts")


_READERS: dict[str, Callable[[str, Any], Any]] = {
    "data.vectors": read_names,
    "data.train": read_names,
    "data.test": read_names,
    "data.similarity": read_texts,
    "data.limit": read_count,
    "data.lower": read_flag,
    "data.statistics": read_text,
    "data.fetch": read_flag,
    "grid.normalize": read_texts,
    "grid.methods": read_texts,
    "grid.retrieval": read_texts,
    "grid.seeds": read_counts,
    "grid.starts": read_texts,
    "grid.sizes": read_texts,
    "grid.select": read_text,
    "grid.protocol": read_text,
    "grid.conditions": read_flag,
}
