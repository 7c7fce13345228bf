"""Import optional dependencies, with the install command in the error."""

import shlex
from importlib import import_module
from pathlib import Path
from types import ModuleType

from isoalign.errors import MissingExtraError

__all__ = ["import_extra", "install_command"]

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
