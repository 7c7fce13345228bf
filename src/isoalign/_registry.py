"""Registries hold import paths, ``"module:name"``; here is how these are followed, when somebody asks."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["lazy_attributes", "load_object", "registered_name"]


def load_object(place: str) -> Any:
    """Import what ``"module:name"`` names."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def registered_name(kind: type, registry: Mapping[str, str]) -> str | None:
    """Return the name under which a class is registered, or None."""
    place = f"{kind.__module__}:{kind.__qualname__}"
    return next((name for name, registered in registry.items() if registered == place), None)


def lazy_attributes(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a ``__getattr__`` (PEP 562) that imports a public name from its module at the first look.

    Parameters
    ----------
    package
        ``__name__`` of the package.
    modules
        The module inside the package that each public name comes from.
    """

    def get_attribute(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return load_object(f"{package}.{modules[name]}:{name}")

    return get_attribute
