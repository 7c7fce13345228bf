"""``isoalign align``: learn a map between two vector files from a dictionary."""

from pathlib import Path
from typing import Annotated, Any

import typer

from isoalign.cli._command import command
from isoalign.cli._completion import complete_method, complete_normalization, complete_start
from isoalign.cli._console import Console
from isoalign.cli._descriptions import describe_alignment
from isoalign.cli._faults import refuse_faults
from isoalign.cli._languages import choose_langs
from isoalign.cli._names import METHOD_HELP, NORMALIZE_HELP, START_NAMES
from isoalign.cli._options import Encoding, Force, Limit, Lower, SkipBad, Swap, Unicode
from isoalign.cli._paths import check_output
from isoalign.cli._settings import Settings, merge_config, parse_settings

__all__ = ["align"]


@command(
    "isoalign align wiki.en.vec wiki.ja.vec -d en-ja.txt -o en-ja",
    "isoalign align wiki.en.vec wiki.fr.vec --start similarity -o en-fr",
    searches=True,
)
def align(
    console: Console,
    source: Annotated[Path, typer.Argument(metavar="SOURCE", help="Vectors of the source language.")],
    target: Annotated[Path, typer.Argument(metavar="TARGET", help="Vectors of the target language.")],
    lexicon: Annotated[
        str | None,
        typer.Option(
            "--seed-dictionary", "--lexicon", "--dictionary", "-d", help="Word pairs: a file, or the name of a start."
        ),
    ] = None,
    start: Annotated[
        str | None,
        typer.Option(help=f"Find the first pairs without a dictionary: {START_NAMES}.", autocompletion=complete_start),
    ] = None,
    restarts: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Learn N times from a start, and report whether the runs agree. (default: 3)"
        ),
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Folder for the alignment.")] = None,
    method: Annotated[str | None, typer.Option(help=METHOD_HELP, autocompletion=complete_method)] = None,
    then: Annotated[
        str | None,
        typer.Option(
            help="Second method, which learns from the dictionary that the first one induces.",
            autocompletion=complete_method,
        ),
    ] = None,
    normalize: Annotated[str | None, typer.Option(help=NORMALIZE_HELP, autocompletion=complete_normalization)] = None,
    select: Annotated[
        str | None,
        typer.Option(
            help="How to choose rounds and epochs: validation, unsupervised, none, test. (default: validation)"
        ),
    ] = None,
    test: Annotated[Path | None, typer.Option(help="Test dictionary, for --select test only.")] = None,
    settings: Settings = None,
    config: Annotated[
        Path | None, typer.Option(help="TOML file with these options; the command line takes precedence.")
    ] = None,
    langs: Annotated[
        str | None,
        typer.Option(help="Languages, which name the members: en,ja. (default: guessed from names like wiki.en.vec)"),
    ] = None,
    limit: Limit = None,
    lower: Lower = False,
    unicode: Unicode = None,
    encoding: Encoding = None,
    swap: Swap = False,
    allow_low_coverage: Annotated[
        bool, typer.Option("--allow-low-coverage", help="Learn even if less than 5 % of the dictionary is known.")
    ] = False,
    skip_bad: SkipBad = False,
    seed: Annotated[int, typer.Option(help="Random seed; the same as --set random_state=N.")] = 0,
    jobs: Annotated[int, typer.Option(min=1, metavar="N", help="Number of fits to run in parallel.")] = 1,
    rerank: Annotated[
        bool,
        typer.Option("--rerank", help="Learn to re-rank candidates by back-translation, frequency and more."),
    ] = False,
    spelling: Annotated[
        bool,
        typer.Option("--spelling", help="Learn which letters correspond, and use spelling as evidence."),
    ] = False,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Checkpoints of a long run; the same command resumes it after an interruption."
        ),
    ] = None,
    export: Annotated[
        Path | None,
        typer.Option(help="Folder for the mapped vectors of both languages, as .vec files; the target is searched."),
    ] = None,
    precompute: Annotated[
        bool, typer.Option("--precompute", help="Save the CSLS means, for fast translation.")
    ] = False,
    calibrate: Annotated[
        bool,
        typer.Option(
            "--calibrate", help="Measure on held-out words how far translations can be trusted; needs a second fit."
        ),
    ] = False,
    vectors: Annotated[bool, typer.Option(help="Save the vectors with the maps.")] = True,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the settings and stop.")] = False,
    force: Force = False,
) -> None:
    """Learn to map the words of one language onto those of another."""
    from isoalign.alignment import STARTS, align_files, export_spaces, resolve_method, shared_reading
    from isoalign.alignment._registry import DEFAULT_METHOD_AFTER_SELF_LEARNING, DEFAULT_METHOD_OF_FEW_PAIRS

    given = {"method": method, "normalize": normalize, "select": select}
    named, own = merge_config(config, given, parse_settings(settings))
    options: dict[str, Any] = {**named, "settings": own, "random_state": seed}
    if options.get("select") == "none":
        options["select"] = None
    chosen = resolve_method(start=lexicon if lexicon in STARTS else start, **options)
    plan = {
        "aligner": repr(chosen.aligner),
        "normalize": str(chosen.normalize),
        "select": chosen.select,
        "seed": chosen.random_state,
    }
    if dry_run:
        shown: dict[str, Any] = dict(plan)
        if options.get("method") is None and chosen.then is None:
            few = f"{DEFAULT_METHOD_OF_FEW_PAIRS}, then {DEFAULT_METHOD_AFTER_SELF_LEARNING}"
            shown["aligner"] += f" ({few}, if the dictionary is small)"
        console.result("align-plan", plan, text=console.table(shown.items()))
        return
    if start is not None:
        STARTS.resolve(start)
    faults = {
        "Give a dictionary or a start, not both.": start is not None and lexicon is not None,
        f"This method needs pairs. Give a dictionary with -d, or --start with one of {START_NAMES}.": (
            lexicon is None and chosen.start is None and chosen.aligner.needs_pairs
        ),
        "--calibrate needs a dictionary to hold out words from. Give one with -d.": (
            calibrate and (lexicon is None or lexicon in STARTS)
        ),
        "Nothing would be kept. Give --output FOLDER, --export FOLDER or both.": output is None and export is None,
    }
    refuse_faults(faults, files=[source, target, None if lexicon is None or lexicon in STARTS else Path(lexicon), test])
    check_output(output, force=force, folder=True)
    if export is not None and not export.is_dir():
        check_output(export, force=force, folder=True)
    reading = {"limit": limit, "lower": lower, "unicode": unicode, "on_bad": "skip" if skip_bad else "error"}
    reading_lexicon: dict[str, Any] = {"encoding": encoding, "swap": swap}
    options |= {
        "then": then,
        "allow_low_coverage": allow_low_coverage,
        "rerank": rerank,
        "spelling": spelling,
        "n_jobs": jobs,
    }
    with console.progress() as progress:
        model = align_files(
            source,
            target,
            lexicon,
            start=start,
            restarts=restarts,
            test=test,
            reading=reading,
            reading_lexicon=reading_lexicon,
            langs=choose_langs(langs, source, target),
            progress=progress,
            checkpoint=checkpoint,
            **options,
        )
        if calibrate and lexicon is not None:
            from isoalign.evaluation import calibrate as calibrate_model
            from isoalign.io import read_lexicon

            pairs = read_lexicon(lexicon, **shared_reading(reading, method=options.get("method")), **reading_lexicon)
            calibrate_model(model, pairs, progress=progress, **options)
        if precompute:
            model.compute_means(progress=progress)
        if output is not None:
            model.save(output, vectors=vectors, overwrite=force)
        exported = []
        if export is not None:
            exported = export_spaces(model, export, to=model.pair().target.name, overwrite=force, progress=progress)
    written = [str(path) for path in [*([output] if output else []), *exported]]
    data = {"written": written, "provenance": model.provenance, "history": model.history}
    console.result("align", data, text=describe_alignment(console, model, written))
