"""Import optional dependencies, with the install command in the error."""

from importlib import import_module
from types import ModuleType

from isoalign.errors import MissingExtraError

__all__ = ["import_extra"]


def import_extra(module: str, *, extra: str) -> ModuleType:
    """Import a module that only an extra of isoalign installs.

    Parameters
    ----------
    module
        Dotted name, such as ``"gensim.models"``.
    extra
        The extra that brings it.

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
            f"This needs {module.partition('.')[0]}, which is not installed. Run: pip install 'isoalign[{extra}]'"
        ) from None
