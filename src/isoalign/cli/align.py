"""``isoalign align``: learn a map between two vector files from a dictionary."""

from pathlib import Path
from typing import Annotated, Any

import typer

from isoalign.cli._command import command
from isoalign.cli._console import Console
from isoalign.cli._options import Force, Limit, Lower, SkipBad
from isoalign.cli._paths import check_output
from isoalign.cli._settings import Settings, merge_config, parse_settings
from isoalign.errors import ParameterError

__all__ = ["align"]


@command
def align(
    console: Console,
    source: Annotated[Path, typer.Argument(metavar="SOURCE", help="Vectors of the source language.")],
    target: Annotated[Path, typer.Argument(metavar="TARGET", help="Vectors of the target language.")],
    lexicon: Annotated[
        str, typer.Option("--seed-dictionary", "--lexicon", "-d", help="Word pairs: a file, identical, or numerals.")
    ],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Folder to keep the alignment in.")] = None,
    method: Annotated[
        str | None,
        typer.Option(
            help="procrustes, least_squares, refine, rcsls, vecmap, or a recipe such as muse-supervised. "
            "[default: procrustes]"
        ),
    ] = None,
    normalize: Annotated[
        str | None, typer.Option(help="iternorm, none, unit, center_length, unit,center,unit, … [default: iternorm]")
    ] = None,
    select: Annotated[
        str | None,
        typer.Option(help="Choose rounds and epochs by: validation, unsupervised, none, test. [default: validation]"),
    ] = None,
    test: Annotated[Path | None, typer.Option(help="Test dictionary, for --select test only.")] = None,
    settings: Settings = None,
    config: Annotated[Path | None, typer.Option(help="TOML file with these options; the command line wins.")] = None,
    langs: Annotated[str | None, typer.Option(help="Language codes to remember, such as en,ja.")] = None,
    limit: Limit = None,
    lower: Lower = False,
    skip_bad: SkipBad = False,
    seed: Annotated[int, typer.Option(help="Seed of the validation split.")] = 0,
    jobs: Annotated[int, typer.Option(min=1, help="Descents to run side by side.")] = 1,
    export: Annotated[Path | None, typer.Option(help="Also write both mapped vocabularies there, as .vec.")] = None,
    precompute: Annotated[bool, typer.Option("--precompute", help="Keep the CSLS means: fast translation.")] = False,
    vectors: Annotated[bool, typer.Option(help="Keep the vectors with the maps.")] = True,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the settings and stop.")] = False,
    force: Force = False,
) -> None:
    """Learn to map the words of one language onto those of another."""
    from isoalign.alignment import align_files, export_spaces, resolve_method

    given = {"method": method, "normalize": normalize, "select": select, **parse_settings(settings)}
    options = {"method": "procrustes", **merge_config(config, given, allowed={"method", "normalize", "select"})}
    if options.get("select") == "none":
        options["select"] = None
    aligner, normalizer, selection = resolve_method(**options)
    plan = {"aligner": repr(aligner), "normalize": str(normalizer), "select": selection, "seed": seed}
    if dry_run:
        console.result("align-plan", plan, text=console.table(plan.items()))
        return
    if output is None and export is None:
        raise ParameterError("Nothing would be kept. Give --output FOLDER, --export FOLDER or both.")
    check_output(output, force=force, folder=True)
    if export is not None and not export.is_dir():
        check_output(export, force=force, folder=True)
    source_lang, _, target_lang = (langs or "").partition(",")
    with console.progress() as progress:
        model = align_files(
            source,
            target,
            lexicon,
            test=test,
            reading={"limit": limit, "lower": lower, "on_bad": "skip" if skip_bad else "error"},
            source_lang=source_lang or None,
            target_lang=target_lang or None,
            random_state=seed,
            n_jobs=jobs,
            progress=progress,
            **options,
        )
        if precompute:
            model.compute_means(progress=progress)
        if output is not None:
            model.save(output, vectors=vectors, overwrite=force)
        exported = [] if export is None else export_spaces(model, export, overwrite=force, progress=progress)
    written = [str(path) for path in [*([output] if output else []), *exported]]
    data = {"written": written, "provenance": model.provenance, "history": model.history}
    console.result("align", data, text=_describe(console, model, written))


def _describe(console: Console, model: Any, written: list[str]) -> str:
    about, selection = model.provenance, model.history["selection"]
    lexicon = about["lexicon"]
    rows = [
        ("spaces", f"{model.source!r} → {model.target!r}"),
        ("dictionary", f"{lexicon['known_pairs']} of {lexicon['pairs']} pairs known, {lexicon['known_sources']} words"),
        ("normalisation", about["normalize"]),
        ("method", f"{about['method']} {about['settings']}"),
    ]
    if selection:
        best = max(candidate["score"] for candidate in selection["candidates"])
        words = f" ({selection['n_words']} words)" if selection["n_words"] else ""
        rows.append(("chosen", f"{selection['chosen']} by {selection['about']}: {best:.4f}{words}"))
    return console.table([*rows, *(("wrote", path) for path in written)])
