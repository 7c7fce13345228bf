"""``isoalign plot``: single figures, as SVG, PNG or PDF."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from isoalign.cli._command import command
from isoalign.cli._completion import complete_normalization
from isoalign.cli._console import Console
from isoalign.cli._help import make_group, register
from isoalign.cli._options import Encoding, Force, Limit, Lower, ModelFolder

if TYPE_CHECKING:
    from isoalign.lexicon import Lexicon
    from isoalign.vectors import Embeddings

__all__ = ["plot"]

plot = make_group(
    "plot",
    "Draw a single figure.",
    "isoalign plot neighbors girl 少女 -o girl.svg",
    "isoalign plot spaces en-ja -d en-ja.txt -o spaces.svg",
)

Figure = Annotated[Path, typer.Option("--output", "-o", help="Figure to write: .svg, .png or .pdf.")]


@command(
    "isoalign plot neighbors girl 少女 -o girl.svg",
    "isoalign plot neighbors girl --source en.vec --normalize unit -o girl.png",
)
def neighbors(
    console: Console,
    word: Annotated[str, typer.Argument(help="A source word.")],
    translation: Annotated[str | None, typer.Argument(help="A target word, drawn below it.")] = None,
    output: Figure = Path("neighbors.svg"),
    source: Annotated[Path | None, typer.Option(help="Source vectors. (default: English words of the sample)")] = None,
    target: Annotated[Path | None, typer.Option(help="Target vectors. (default: Japanese words of the sample)")] = None,
    normalize: Annotated[
        list[str] | None,
        typer.Option(
            help="Normalisation; repeatable. (default: none, iternorm)", autocompletion=complete_normalization
        ),
    ] = None,
    lexicon: Annotated[
        Path | None,
        typer.Option(
            "--lexicon", "--dictionary", "-d", help="Dictionary for glosses of target words. (default: the sample)"
        ),
    ] = None,
    k: Annotated[int, typer.Option("-k", min=1, help="Number of neighbours.")] = 8,
    limit: Limit = None,
    lower: Lower = False,
    encoding: Encoding = None,
    force: Force = False,
) -> None:
    """Draw the nearest neighbours of a word, and of its translation, before and after normalisation."""
    from isoalign.reporting import check_figure, find_glosses, find_neighborhoods, plot_neighborhoods, save_figure

    check_figure(output, overwrite=force)
    wanted = [(source, word), *([(target, translation)] if translation is not None else [])]
    methods = normalize or ["none", "iternorm"]
    found = [
        find_neighborhoods(_vectors(side, file, limit, lower), own, methods=methods, k=k)
        for side, (file, own) in enumerate(wanted)
    ]
    glosses = find_glosses(found, *_lexicons(lexicon, encoding, sample=target is None))
    save_figure(plot_neighborhoods(found, glosses=glosses), output, overwrite=force)
    hoods = [hood for row in found for hood in row]
    rows = [(hood.word, hood.normalize, "  ".join(f"{w} {s:.2f}" for w, s in hood.neighbors)) for hood in hoods]
    data = {"written": str(output), "neighborhoods": [vars(hood) for hood in hoods]}
    console.result("plot-neighbors", data, text=f"{console.table(rows)}\nwrote {output}")


@command(
    "isoalign plot convergence en.vec ja.vec -o convergence.svg",
    "isoalign plot convergence wiki.en.vec --limit 20000 -o en.pdf",
)
def convergence(
    console: Console,
    files: Annotated[list[Path], typer.Argument(metavar="IN...", help="Vector files, one curve each.")],
    output: Figure = Path("convergence.svg"),
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of Iterative Normalization.")] = 5,
    limit: Limit = None,
    lower: Lower = False,
    force: Force = False,
) -> None:
    """Draw how the rounds of Iterative Normalization converge to both conditions."""
    from isoalign.io import read_vectors
    from isoalign.normalization import IterNorm
    from isoalign.reporting import check_figure, plot_convergence, save_figure

    check_figure(output, overwrite=force)
    with console.progress() as progress:
        fitted = {
            file.name: IterNorm(n_iter=rounds).fit(
                read_vectors(file, limit=limit, lower=lower, progress=progress).vectors
            )
            for file in files
        }
    save_figure(plot_convergence(fitted), output, overwrite=force)
    residuals = {name: [entry._asdict() for entry in normalizer.history_] for name, normalizer in fitted.items()}
    console.result("plot-convergence", {"written": str(output), "rounds": residuals}, text=f"wrote {output}")


@command(
    "isoalign plot spaces en-ja -d test.txt -o spaces.svg",
    "isoalign plot spaces en-ja -d test.txt --pairs 20 -o spaces.pdf",
)
def spaces(
    console: Console,
    model: ModelFolder,
    lexicon: Annotated[
        Path,
        typer.Option("--lexicon", "--dictionary", "-d", help="Dictionary from which evenly spaced pairs are drawn."),
    ],
    output: Figure = Path("spaces.svg"),
    pairs: Annotated[int, typer.Option("--pairs", "-n", min=2, help="Number of pairs to draw.")] = 10,
    encoding: Encoding = None,
    force: Force = False,
) -> None:
    """Draw both languages in two dimensions before and after alignment, with lines between translations."""
    from isoalign.alignment import Alignment
    from isoalign.io import read_lexicon
    from isoalign.reporting import check_figure, choose_pairs, plot_spaces, save_figure

    check_figure(output, overwrite=force)
    alignment = Alignment.load(model)
    chosen = choose_pairs(alignment, read_lexicon(lexicon, encoding=encoding), n=pairs)
    save_figure(plot_spaces(alignment, chosen), output, overwrite=force)
    text = f"{console.table(chosen)}\nwrote {output}"
    console.result("plot-spaces", {"written": str(output), "pairs": chosen}, text=text)


def _vectors(side: int, file: Path | None, limit: int | None, lower: bool) -> "Embeddings":
    from isoalign.datasets import load_sample
    from isoalign.io import read_vectors

    if file is not None:
        return read_vectors(file, limit=limit, lower=lower)
    sample = load_sample()
    embeddings = (sample.source, sample.target)[side]
    return embeddings if limit is None else embeddings.head(limit)


def _lexicons(file: Path | None, encoding: str | None, *, sample: bool) -> "list[Lexicon]":
    from isoalign.datasets import load_sample
    from isoalign.io import read_lexicon

    if file is not None:
        return [read_lexicon(file, encoding=encoding)]
    return [load_sample().train, load_sample().test] if sample else []


register(plot, (neighbors, convergence, spaces))
