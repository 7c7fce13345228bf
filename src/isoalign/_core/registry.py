"""Registries of named objects, which are imported when first used.

A built-in entry holds an import path, ``"module:name"``. Other packages add entries with an entry point in the
registry's group (``isoalign.methods``, ``isoalign.normalizers``, …) or with `register`.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

__all__ = ["KINDS", "Entry", "Registry", "Setting", "lazy_attributes", "load_object", "register"]

KINDS = {
    "method": "isoalign.alignment._registry:ALIGNERS",
    "join": "isoalign.alignment._registry:JOINT_METHODS",
    "start": "isoalign.alignment._registry:STARTS",
    "map": "isoalign.maps._registry:MAPS",
    "adapter": "isoalign.migration._registry:ADAPTERS",
    "format": "isoalign.io._formats:FORMAT_ENTRIES",
    "normalizer": "isoalign.normalization._registry:NORMALIZERS",
    "retrieval": "isoalign.neighbors._registry:RETRIEVERS",
}
"""Import path of the registry of each kind."""


def load_object(place: str) -> Any:
    """Import the object at ``"module:name"``."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


@dataclass(frozen=True)
class Setting:
    """A setting of an entry: its name, its type as written in the signature, its default."""

    name: str
    type: str
    default: Any


@dataclass(frozen=True)
class Entry:
    """One registered object.

    Attributes
    ----------
    name
        What users type.
    place
        Import path, ``"module:name"``.
    label
        Name in tables and figures.
    about
        One-line description.
    thing
        The object itself, if it was registered at run time.
    """

    name: str
    place: str
    label: str
    about: str
    thing: Any = None

    def load(self) -> Any:
        """Return the object, imported if necessary."""
        return load_object(self.place) if self.thing is None else self.thing

    def describe(self) -> str:
        """Return the description; for an entry point of another package, the first line of its docstring."""
        foreign = self.thing is None and not self.place.startswith("isoalign.")
        return (foreign and _first_line(self.load())) or self.about

    def settings(self) -> list[Setting]:
        """Return the settings of the object with their types and defaults."""
        return [
            Setting(name, _type_name(parameter.annotation), parameter.default)
            for name, parameter in inspect.signature(self.load()).parameters.items()
            if parameter.default is not inspect.Parameter.empty
        ]


class Registry(Mapping[str, Entry]):
    """The entries of one kind, in the order of registration, built-in ones first.

    Parameters
    ----------
    kind
        What an entry is, for error messages: ``"method"``, ``"normalization"``, ….
    entries
        The built-in entries.
    group
        Entry-point group for entries of other packages.
    aliases
        Other names for entries, in lower case.
    """

    def __init__(
        self, kind: str, entries: Iterable[Entry], *, group: str, aliases: Mapping[str, str] | None = None
    ) -> None:
        self.kind = kind
        self.group = group
        self.aliases = dict(aliases or {})
        self._entries = {entry.name: entry for entry in entries}
        self._builtin = frozenset(self._entries)
        self._discovered = False

    def register(self, name: str, thing: Any, *, label: str | None = None, about: str | None = None) -> None:
        """Add an object, or replace one that another package registered; built-in names are errors."""
        if name in self._builtin:
            from isoalign.errors import ParameterError

            raise ParameterError(f"{name!r} is a built-in {self.kind}. Register yours under another name.")
        place = f"{thing.__module__}:{getattr(thing, '__qualname__', name)}"
        self._entries[name] = Entry(name, place, label or name, about or _first_line(thing), thing)

    def unregister(self, name: str) -> None:
        """Remove an object that `register` added."""
        if name not in self._builtin:
            self._entries.pop(name, None)

    def __getitem__(self, name: str) -> Entry:
        if name not in self._entries:
            self._discover()
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        self._discover()
        return iter(self._entries)

    def __len__(self) -> int:
        self._discover()
        return len(self._entries)

    def resolve(self, name: str) -> str:
        """Return the registered name for a name or an alias; the error for unknown names contains a suggestion."""
        if name in self:
            return name
        word = name.strip().lower() if isinstance(name, str) else name
        word = self.aliases.get(word, word)
        if word not in self:
            from isoalign._core.validate import check_choice

            check_choice(word, [*self, *self.aliases], name=self.kind)
        return word

    def load(self, name: str) -> Any:
        """Return the object with a name."""
        return self[self.resolve(name)].load()

    def make(self, name: str, settings: Mapping[str, Any] | None = None) -> Any:
        """Return a new instance of the estimator with a name; unknown settings are errors."""
        return self.load(name)().set_params(**(settings or {}))

    def name_of(self, kind: type) -> str | None:
        """Return the name under which a class is registered, or None."""
        place = f"{kind.__module__}:{kind.__qualname__}"
        known = {entry.place: entry.name for entry in self._entries.values()}
        if place in known:
            return known[place]
        self._discover()
        # An entry point may name a class by another module of its package, which imports it.
        package = kind.__module__.partition(".")[0]
        own = (entry for entry in self._entries.values() if entry.place.partition(":")[0].partition(".")[0] == package)
        return next((entry.name for entry in own if entry.name not in self._builtin and entry.load() is kind), None)

    def label(self, name: str) -> str:
        """Return the label of an entry, or the name itself if it is not registered."""
        return self[name].label if name in self else name

    def _discover(self) -> None:
        """Add the entry points of other packages, once."""
        if self._discovered:
            return
        self._discovered = True
        for point in _all_points().select(group=self.group):
            place, about = f"{point.module}:{point.attr}", f"from {point.module}"
            self._entries.setdefault(point.name, Entry(point.name, place, point.name, about))


def register(kind: str, name: str, thing: Any, *, label: str | None = None, about: str | None = None) -> None:
    """Add your own class to a registry, so that its name can be used like a built-in name.

    Parameters
    ----------
    kind
        ``"method"``, ``"normalizer"``, ``"retrieval"``, ``"start"``, ``"map"``, ``"join"``, ``"adapter"`` or
        ``"format"``.
    name
        What users will type.
    thing
        The class; the function of an adapter or of a method of `join`; the `isoalign.io.Format` of a file format.
    label
        Name in tables and figures; the name itself if None.
    about
        One-line description; the first line of the docstring if None.

    Examples
    --------
    >>> import isoalign as ia
    >>> ia.register("method", "mine", MyAligner)  # doctest: +SKIP
    """
    from isoalign._core.validate import check_choice

    load_object(KINDS[check_choice(kind, KINDS, name="kind")]).register(name, thing, label=label, about=about)


def lazy_attributes(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a ``__getattr__`` (PEP 562) that imports a public name from its module when it is first used.

    Parameters
    ----------
    package
        ``__name__`` of the package.
    modules
        The module inside the package that each public name comes from, or a whole path of another package.
    """

    def get_attribute(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = modules[name]
        return load_object(f"{module}:{name}" if module.startswith("isoalign.") else f"{package}.{module}:{name}")

    return get_attribute


@cache
def _all_points() -> Any:
    """Return the entry points of all packages, read once for all registries."""
    return entry_points()


def _first_line(thing: Any) -> str:
    return (inspect.getdoc(thing) or "").partition("\n")[0]


def _type_name(annotation: Any) -> str:
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
