"""``isoalign info``: describe a vector file."""

from isoalign.cli._command import command
from isoalign.cli._console import Console
from isoalign.cli._options import InputFile, Limit, SkipBad
from isoalign.cli._paths import readable_path

__all__ = ["info"]


@command(
    "isoalign info wiki.en.vec",
    "isoalign info cc.ja.300.bin --limit 10000 --json",
)
def info(console: Console, file: InputFile, limit: Limit = None, skip_bad: SkipBad = False) -> None:
    """Describe a vector file: shape, format, duplicates, lengths, mean, first words."""
    from isoalign.io import guess_lang, summarize_file

    with readable_path(file) as path, console.progress() as progress:
        summary = summarize_file(path, limit=limit, on_bad="skip" if skip_bad else "error", progress=progress)
    lang = summary.lang or guess_lang(file)
    rows = [
        ("file", file),
        ("format", summary.format + (f", {summary.compression}" if summary.compression else "")),
        ("words × dimensions", f"{summary.n_words} × {summary.dim}"),
        ("language", lang),
        ("vectors for unseen words", "yes, from subwords" if summary.subwords else "no"),
        ("duplicate words", summary.duplicates),
        ("zero vectors", summary.zero_rows),
        ("lengths (" + ", ".join(summary.lengths) + ")", "  ".join(f"{q:.4g}" for q in summary.lengths.values())),
        ("length of the mean", f"{summary.mean_norm:.4g}"),
        ("first words", "  ".join(_show(word) for word in summary.first_words)),
    ]
    console.result("info", {**summary.to_dict(), "lang": lang, "path": str(file)}, text=console.table(rows))


def _show(word: str) -> str:
    """Return the word with escapes for invisible and control characters."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in word)
