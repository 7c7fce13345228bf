"""``isoalign serve``: a web page to look up words."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from isoalign.cli._command import command
from isoalign.cli._console import Console

if TYPE_CHECKING:
    from isoalign.drift import Drift

__all__ = ["serve"]


@command(
    "isoalign serve --sample",
    "isoalign serve en-ja en-fr --port 8080",
    searches=True,
)
def serve(
    console: Console,
    models: Annotated[
        list[Path] | None, typer.Argument(metavar="MODEL", help="Folders written by isoalign align.")
    ] = None,
    sample: Annotated[bool, typer.Option("--sample", help="Serve the embedded English–Japanese sample.")] = False,
    drift: Annotated[
        Path | None, typer.Option(help="Also show change of meaning: JSON file written by isoalign drift -o.")
    ] = None,
    host: Annotated[str, typer.Option(help="Address to listen on; by default, this machine only.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 chooses a free one.")] = 8017,
    token: Annotated[
        str | None, typer.Option(envvar="ISOALIGN_TOKEN", help="Secret that requests for data must include.")
    ] = None,
    max_rank: Annotated[
        int,
        typer.Option(
            min=1,
            help="Restrict induced dictionaries to the most frequent words of each member; time grows with the square.",
        ),
    ] = 10_000,
) -> None:
    """Serve a web page and a JSON interface for looking up words, until Ctrl-C."""
    from isoalign.errors import ParameterError
    from isoalign.web import is_loopback, open_models, open_sample, require_extra, serve

    require_extra()
    if not models and not sample and drift is None:
        raise ParameterError("Give a folder written by isoalign align, or pass --sample or --drift.")
    if token is not None and (not token or not token.isascii() or not token.isprintable() or " " in token):
        raise ParameterError("A token must be printable ASCII without spaces.")
    steps: Sequence[Drift] = ()
    if drift is not None:
        from isoalign.drift import list_steps, read_drift

        steps = list_steps(read_drift(drift))
    with console.progress() as progress:
        opened = [*open_models(models or [], tell=console.note, progress=progress)]
        if sample:
            opened.append(open_sample(progress=progress))
    for credit in (credit for model in opened for credit in model.credits):
        console.note(credit.acknowledgement)
    if not is_loopback(host):
        console.note(
            f"warning: with --host {host} everybody who can reach this machine over the network can look up words "
            f"in these models and download their dictionaries, unencrypted{'' if token else ', without a --token'}."
        )

    def announce(url: str) -> None:
        names = [model.name for model in opened]
        shown = [*names, *(["change of meaning at /drift"] if steps else [])]
        console.result(
            "serve", {"url": url, "models": names}, text=f"{url}  ({', '.join(shown)}; press Ctrl-C to stop)"
        )
        sys.stdout.flush()

    serve(
        opened,
        drift=steps,
        host=host,
        port=port,
        token=token,
        max_rank=max_rank,
        announce=announce,
        access_log=console.verbose > 0,
    )
