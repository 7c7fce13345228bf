"""``isoalign induce``: a dictionary from a kept alignment."""

from pathlib import Path
from typing import Annotated

import typer

from isoalign.cli._command import command
from isoalign.cli._console import Console
from isoalign.cli._options import Force, ModelFolder, SourceVectors, TargetVectors
from isoalign.cli._paths import check_output

__all__ = ["induce"]


@command
def induce(
    console: Console,
    model: ModelFolder,
    output: Annotated[Path, typer.Option("--output", "-o", help="TSV file; - is standard output.")] = Path("-"),
    mutual: Annotated[bool, typer.Option(help="Only pairs in which each word is the other's best.")] = True,
    threshold: Annotated[float | None, typer.Option(help="Least CSLS score.")] = None,
    top: Annotated[int | None, typer.Option(min=1, help="Keep only so many pairs, the best.")] = None,
    max_rank: Annotated[int | None, typer.Option(min=1, help="Only the first N words of each side.")] = None,
    source: SourceVectors = None,
    target: TargetVectors = None,
    force: Force = False,
) -> None:
    """Induce a dictionary: source word, target word and CSLS score, by tabs."""
    from isoalign.alignment import load_with_files
    from isoalign.io import write_lexicon
    from isoalign.translation import induce_lexicon

    check_output(output, force=force)
    with console.progress() as progress:
        lexicon = induce_lexicon(
            load_with_files(model, source, target, progress=progress),
            mutual=mutual,
            threshold=threshold,
            top=top,
            max_rank=max_rank,
            progress=progress,
        )
    pairs = [
        {"source": a, "target": b, "score": score} for (a, b), score in zip(lexicon, lexicon.scores or [], strict=True)
    ]
    if str(output) == "-":
        lines = (f"{pair['source']}\t{pair['target']}\t{pair['score']:.6g}" for pair in pairs)
        console.result("induce", {"n": len(pairs), "pairs": pairs}, text="\n".join(lines))
    else:
        write_lexicon(lexicon, output, overwrite=force)
        console.result("induce", {"n": len(pairs), "path": str(output)}, text=f"wrote {output}: {len(pairs)} pairs")
