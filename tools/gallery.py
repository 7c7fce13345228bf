"""Run the examples of the gallery and write their output to ``docs/gallery.md``: ``python -m tools.gallery``."""

import subprocess
import sys
import tempfile
from pathlib import Path

__all__ = ["EXAMPLES", "PAGE", "make_section"]

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "gallery.md"
HEAD = """# Gallery

Five things to do with aligned embeddings. Every example is a short script in `examples/` that runs on the embedded
sample without a download; most of them accept your own files as well. The output below is real: `python -m
tools.gallery` runs the scripts and writes this page. The last digits may differ on another machine.

"""
EXAMPLES = {
    "dictionary_for_a_small_language": (
        "A dictionary for a small language",
        (
            "A list of 500 words becomes a dictionary of more than two thousand entries, and held-out words show how "
            "far it can be trusted. If you have fewer words, or none, see [no dictionary](how-to/no-dictionary.md)."
        ),
    ),
    "search_across_languages": (
        "Search across languages",
        "English queries find Japanese sentences: once words share a space, so do texts.",
    ),
    "change_embedding_model": (
        "Change an embedding model",
        (
            "Keep the index of the old model, and map its vectors into the space of the new model. Before anything "
            "changes, measure how many of the nearest neighbours are preserved. For real models and whole databases "
            "see [change the embedding model](how-to/change-embedding-model.md)."
        ),
    ),
    "reproduce_the_table": (
        "Reproduce the paper's table on the sample",
        (
            "Three normalisations and four maps, each P@1 with its 95 % confidence interval, and differences measured "
            "on the same words. This takes about half a minute. To use the paper's own data, see "
            "[reproduce the paper](how-to/reproduce-the-paper.md)."
        ),
    ),
    "many_languages": (
        "Many languages in one space",
        (
            "Two dictionaries connect three languages, and words can be translated between the two that share none. "
            "For more see [many languages](how-to/many-languages.md)."
        ),
    ),
}


def make_section(name: str, printed: str) -> str:
    """Return the section of an example."""
    title, about = EXAMPLES[name]
    code = (ROOT / "examples" / f"{name}.py").read_text(encoding="utf-8")
    return (
        f"## {title}\n\n{about}\n\n```console\n$ python examples/{name}.py\n{printed.strip()}\n```\n\n"
        f"<details>\n<summary>The code</summary>\n\n```py\n{code}```\n\n</details>\n\n"
    )


def run_example(name: str) -> str:
    """Return the output of an example."""
    script = ROOT / "examples" / f"{name}.py"
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(
            [sys.executable, script], cwd=folder, check=True, capture_output=True, encoding="utf-8"
        ).stdout


def main() -> None:
    """Rewrite the page."""
    sections = [make_section(name, run_example(name)) for name in EXAMPLES]
    PAGE.write_text(HEAD + "".join(sections).rstrip("\n") + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
