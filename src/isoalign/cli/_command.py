"""Give every command the same options, and turn errors into a one-line message and an exit code."""

import inspect
import logging
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import wraps
from threading import current_thread, main_thread
from typing import Annotated, Any

import typer

from isoalign import errors
from isoalign.cli._console import Console
from isoalign.cli._streams import describe_unwritable
from isoalign.cli._terminal import TerminalFormatter
from isoalign.cli._wording import list_options

__all__ = ["command"]

_SHARED: dict[str, tuple[Any, Any]] = {
    "json": (
        Annotated[bool, typer.Option("--json", help="Print the result as JSON.", rich_help_panel="Output")],
        False,
    ),
    "quiet": (
        Annotated[
            bool,
            typer.Option(
                "--quiet",
                "-q",
                help="Show no progress, notes or warnings, except before an error.",
                rich_help_panel="Output",
            ),
        ],
        False,
    ),
    "verbose": (
        Annotated[
            int,
            typer.Option(
                "--verbose",
                "-v",
                count=True,
                show_default=False,
                help="Log more; -vv adds tracebacks to errors.",
                rich_help_panel="Output",
            ),
        ],
        0,
    ),
    "threads": (
        Annotated[
            int | None, typer.Option("--threads", min=1, help="Use at most N threads.", rich_help_panel="Output")
        ],
        None,
    ),
}
_DEVICE: dict[str, tuple[Any, Any]] = {
    "device": (
        Annotated[
            str,
            typer.Option(
                "--device",
                metavar="NAME",
                help="Search on cpu, or on a PyTorch device: cuda, cuda:1, mps. The answers are the same.",
                rich_help_panel="Output",
            ),
        ],
        "cpu",
    ),
}
_EXIT_CODES: list[tuple[type[BaseException], int]] = [
    (errors.MissingFileError, 5),
    (errors.UnknownWordError, 5),
    (errors.OutputExistsError, 2),
    (errors.ParameterError, 2),
    (errors.MissingExtraError, 4),
    (errors.ChecksumError, 3),
    (errors.FormatError, 3),
    (errors.FileAccessError, 3),
    (errors.InvalidValueError, 3),
    (errors.ShapeError, 3),
    (errors.IsoalignError, 1),
]


def command(*examples: str, searches: bool = False) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Wrap a command function whose first parameter is the `Console`; its help ends with the examples.

    A command that searches whole vocabularies also has the option ``--device``.
    """

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        run = _wrap(function, {**_DEVICE, **_SHARED} if searches else _SHARED)
        run.examples = examples  # type: ignore[attr-defined]
        return run

    return decorate


def _wrap(function: Callable[..., None], options_of_all: dict[str, tuple[Any, Any]]) -> Callable[..., None]:
    """Add the shared options and error handling to a function."""
    signature = inspect.signature(function, eval_str=True)
    own = list(signature.parameters.values())[1:]
    for parameter in own:
        for setting in getattr(parameter.annotation, "__metadata__", ()):
            setting.readable = False  # a file without permission is bad input (3), not wrong usage (2)
    shared = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for name, (annotation, default) in options_of_all.items()
    ]

    options = list_options(own)

    @wraps(function)
    def run(**arguments: Any) -> None:
        settings = {name: arguments.pop(name) for name in options_of_all}
        threads, device = settings.pop("threads"), settings.pop("device", "cpu")
        _run(function, Console(**settings, options=options), threads, device, arguments)

    as_keywords = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own]
    run.__signature__ = inspect.Signature([*as_keywords, *shared])  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in [*own, *shared]}
    return run


@contextmanager
def _tidy_termination() -> Iterator[None]:
    """Raise an exception when a batch system terminates the process, so that temporary files are removed."""
    if current_thread() is not main_thread():  # Python handles signals in the main thread only
        yield
        return

    def leave(number: int, _frame: object) -> None:
        sys.exit(128 + number)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _on_device(device: str) -> AbstractContextManager[None]:
    """Return a context in which searches are computed on a device."""
    if device.lower() == "cpu":
        return nullcontext()
    from isoalign.neighbors import use_device

    return use_device(device)


def _run(
    function: Callable[..., None], console: Console, threads: int | None, device: str, arguments: dict[str, Any]
) -> None:
    from isoalign._core.threads import limit_threads

    _start_logging(console.verbose)
    try:
        with warnings.catch_warnings(), limit_threads(threads), _tidy_termination(), _on_device(device):
            warnings.simplefilter("always", errors.IsoalignWarning)
            warnings.showwarning = lambda message, *_args, **_kwargs: console.warn(str(message))
            function(console, **arguments)
            sys.stdout.flush()
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    except BrokenPipeError:
        # The reader closed the pipe; keep Python from complaining about it at exit.
        sys.stdout = None
        raise typer.Exit(0) from None
    except (errors.IsoalignError, MemoryError) as error:
        code = next((code for kind, code in _EXIT_CODES if isinstance(error, kind)), 1)
        raise _fail(console, str(error) or "out of memory", code) from None
    except OSError as error:  # from standard input or output, or the folder for temporary files
        place = error.filename or "standard input or output"
        raise _fail(console, f"{place}: {error.strerror or error}.", 3) from None
    except UnicodeEncodeError as error:
        raise _fail(console, describe_unwritable(error), 1) from None
    except Exception as error:  # noqa: BLE001  (the last line of defence says where to look)
        raise _fail(console, f"{type(error).__name__}: {error}. This is a bug; -vv shows where.", 1) from None


def _fail(console: Console, message: str, code: int) -> typer.Exit:
    console.fail(message)
    return typer.Exit(code)


def _start_logging(verbose: int) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(TerminalFormatter(with_names=verbose > 1))
    level = [logging.WARNING, logging.INFO, logging.DEBUG][min(verbose, 2)]
    if not verbose:
        handler.addFilter(_is_for_users)
    logging.basicConfig(handlers=[handler], level=level, force=True)
    logging.getLogger("matplotlib").setLevel(logging.WARNING)  # it would list every font of the machine
    if verbose < 2:  # read at import, here and in the workers that Dask starts
        os.environ.setdefault("DASK_LOGGING__DISTRIBUTED", "warning" if verbose else "critical")


def _is_for_users(record: logging.LogRecord) -> bool:
    """Return whether a record does not come from inside Dask, which logs tracebacks beside the errors it raises."""
    library = record.name.partition(".")[0]
    return library not in {"distributed", "tornado"} and not (library == "asyncio" and "distributed" in sys.modules)
