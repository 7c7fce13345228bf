"""A web page and a JSON interface to alignments; needs the extra ``web``."""

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from isoalign._core.optional import import_extra

if TYPE_CHECKING:
    from isoalign.web._addresses import is_loopback as is_loopback
    from isoalign.web._models import Model as Model
    from isoalign.web._models import open_models as open_models
    from isoalign.web._models import open_sample as open_sample

_PUBLIC = {"Model": "_models", "is_loopback": "_addresses", "open_models": "_models", "open_sample": "_models"}

__all__ = [*_PUBLIC, "make_app", "require_extra", "serve"]


def require_extra() -> None:
    """Raise `MissingExtraError` with the pip command unless Starlette and uvicorn are installed."""
    for module in ("starlette", "uvicorn"):
        import_extra(module, extra="web")


def make_app(models: "Sequence[Model]", **settings: Any) -> Any:
    """Return the ASGI application for some models; see `isoalign.web._app.make_app` for the settings."""
    require_extra()
    from isoalign.web._app import make_app

    return make_app(models, **settings)


def serve(models: "Sequence[Model]", **settings: Any) -> None:
    """Answer requests until interrupted; see `isoalign.web._server.serve` for the settings."""
    require_extra()
    from isoalign.web._server import serve

    serve(models, **settings)


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        return getattr(import_module(f"{__name__}.{_PUBLIC[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
