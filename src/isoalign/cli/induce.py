"""``isoalign induce``: a dictionary from a kept alignment."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from isoalign.cli._command import command
from isoalign.cli._console import Console
from isoalign.cli._options import Force, ModelFolder

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
    force: Force = False,
) -> None:
    """Induce a dictionary: source word, target word and CSLS score, by tabs."""
    from isoalign.alignment import Alignment
    from isoalign.io import write_lexicon
    from isoalign.translation import induce_lexicon

    with console.progress() as progress:
        lexicon = induce_lexicon(
            Alignment.load(model), mutual=mutual, threshold=threshold, top=top, max_rank=max_rank, progress=progress
        )
    if str(output) == "-" and not console.json:
        scores = lexicon.scores or []
        sys.stdout.writelines(f"{a}\t{b}\t{score:.6g}\n" for (a, b), score in zip(lexicon, scores, strict=True))
        return
    if str(output) != "-":
        write_lexicon(lexicon, output, overwrite=force)
    pairs = [{"source": a, "target": b, "score": s} for (a, b), s in zip(lexicon, lexicon.scores or [], strict=True)]
    data = {"n": len(lexicon), "pairs": pairs} if str(output) == "-" else {"n": len(lexicon), "path": str(output)}
    console.result("induce", data, text=f"wrote {output}: {len(lexicon)} pairs")
