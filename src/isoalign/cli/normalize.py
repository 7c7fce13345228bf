"""``isoalign normalize``: Iterative Normalization of a vector file."""

from pathlib import Path
from typing import Annotated, Any

import typer

from isoalign.cli._clusters import DaskParts, connect
from isoalign.cli._command import command
from isoalign.cli._completion import complete_normalization
from isoalign.cli._console import Console
from isoalign.cli._costs import DryRun, count_parts, print_work
from isoalign.cli._names import NORMALIZATIONS
from isoalign.cli._options import Force, InputFile, Limit, Lower, OutputFile, OutputFormat, SkipBad
from isoalign.cli._paths import readable_path, writable_path
from isoalign.cli._settings import Settings, parse_settings
from isoalign.errors import ParameterError
from isoalign.normalization import DEFAULT_NORMALIZATION

__all__ = ["normalize"]


@command(
    "isoalign normalize wiki.en.vec en.norm.vec",
    "isoalign normalize en.vec en.unit.vec --method unit,center,unit",
)
def normalize(
    console: Console,
    source: InputFile,
    target: OutputFile,
    method: Annotated[
        str,
        typer.Option(
            "--method",
            "--normalize",
            help=f"{NORMALIZATIONS}.",
            autocompletion=complete_normalization,
        ),
    ] = DEFAULT_NORMALIZATION,
    rounds: Annotated[
        int | None, typer.Option(min=1, help="Rounds of iternorm; 5 if neither this nor --tol is given.")
    ] = None,
    tol: Annotated[float | None, typer.Option(help="Iterate until both residuals are at most this, e.g. 1e-6.")] = None,
    settings: Settings = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the residuals per round: .svg, .pdf or .png.")] = None,
    limit: Limit = None,
    lower: Lower = False,
    skip_bad: SkipBad = False,
    output_format: OutputFormat = None,
    dask: DaskParts = None,
    dry_run: DryRun = False,
    force: Force = False,
) -> None:
    """Give every vector unit length and make the mean zero, with constant memory.

    Use --set for further settings of a method: zero=keep, max_iter=500, n=2 (remove_top).
    """
    from isoalign.normalization import make_normalizer, normalize_file
    from isoalign.reporting import check_plottable, save_convergence

    if rounds is not None and tol is not None:
        raise ParameterError("Give --rounds or --tol, not both. --set max_iter=N limits the rounds of --tol.")
    if dry_run:
        from isoalign.experiments import normalize_work

        if method != DEFAULT_NORMALIZATION or tol is not None or settings:
            raise ParameterError(
                f"--dry-run estimates {DEFAULT_NORMALIZATION} with --rounds only. Omit --method, --tol and --set."
            )
        n, dim, parts = count_parts(source, limit)
        print_work(console, "normalize", normalize_work(n, dim, rounds=rounds or 5, parts=parts))
        return
    own = {name: value for name, value in {"n_iter": rounds, "tol": tol}.items() if value is not None}
    normalizer = make_normalizer(method, **(own | parse_settings(settings)))
    if plot is not None:
        check_plottable(normalizer, plot, overwrite=force)
    with (
        readable_path(source) as path,
        writable_path(target, suffix=".vec") as out,
        console.progress() as progress,
        connect(dask) as executor,
    ):
        normalize_file(
            path,
            out,
            normalizer,
            format=output_format,
            overwrite=force,
            reading={
                "limit": limit,
                "lower": lower,
                "duplicates": "first" if lower else "keep",
                "on_bad": "skip" if skip_bad else "error",
            },
            executor=executor,
            progress=progress,
        )
    if plot is not None:
        save_convergence(normalizer, plot, label=source.name, overwrite=force)
    data, text = _describe(console, normalizer)
    if str(target) == "-":
        console.note(text)
    else:
        console.result("normalize", {"path": str(target), **data}, text=f"{text}\nwrote {target}".lstrip())


def _describe(console: Console, normalizer: Any) -> tuple[dict[str, Any], str]:
    data: dict[str, Any] = {"method": repr(normalizer)}
    if not hasattr(normalizer, "history_"):
        return data, ""
    data |= {
        "rounds": [residuals._asdict() for residuals in normalizer.history_],
        "mean_norm": normalizer.mean_norm_,
        "contraction": normalizer.contraction_,
        "predicted_rounds": normalizer.predicted_rounds_,
        "converged": normalizer.converged_,
    }
    rows = [(number, f"{mean:.3e}", f"{error:.3e}") for number, (mean, error) in enumerate(normalizer.history_, 1)]
    table = console.table(rows, header=("round", "mean after unit", "length error after center"))
    return data, (
        f"{table}\nresult: unit lengths, mean {normalizer.mean_norm_:.3e}\n"
        f"contraction per round λ = {normalizer.contraction_:.4g}; "
        f"rounds predicted for {normalizer.tol or 1e-6:g}: {normalizer.predicted_rounds_ or 'never'}"
    )
