"""Import optional dependencies, with the install command in the error, or let a package do without them."""

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from threading import get_ident
from types import ModuleType
from typing import Any

from isoalign.errors import MissingExtraError

__all__ = ["hide_modules", "import_extra", "install_command"]

_PACKAGE = Path(__file__).parent.parent


def import_extra(module: str, *, extra: str) -> ModuleType:
    """Import a module that only an extra of isoalign installs.

    Parameters
    ----------
    module
        Dotted name, such as ``"gensim.models"``.
    extra
        The extra that installs it.

    Raises
    ------
    MissingExtraError
        With the exact ``pip install`` line.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != module.partition(".")[0]:
            raise
        raise MissingExtraError(
            f"This needs {module.partition('.')[0]}, which is not installed. Run: {install_command(extra)}"
        ) from None


def install_command(extra: str) -> str:
    """Return the command that installs an extra, from the checkout if isoalign runs from one, else from the index."""
    checkout = _PACKAGE.parent.parent
    if _PACKAGE.parent.name == "src" and (checkout / "pyproject.toml").is_file():
        return f"pip install -e {shlex.quote(f'{checkout}[{extra}]')}"
    return f"pip install 'isoalign[{extra}]'"


@contextmanager
def hide_modules(*names: str) -> Iterator[None]:
    """Let imports of this thread fail for modules that are not imported yet, as if they were not installed."""
    finder: Any = _HiddenModules(names)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class _HiddenModules:
    def __init__(self, names: tuple[str, ...]) -> None:
        self.names, self.thread = names, get_ident()

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> None:
        """Raise the error of a missing module, or return None to let others find it."""
        if name in self.names and get_ident() == self.thread:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
