"""Run the examples of the gallery and write ``docs/gallery.md`` with what they print: ``python -m tools.gallery``."""

import subprocess
import sys
import tempfile
from pathlib import Path

__all__ = ["EXAMPLES", "PAGE", "make_section"]

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "gallery.md"
HEAD = """# Gallery

Five things people do with aligned embeddings. Every example is one short script in `examples/` that runs on the
embedded sample without a download; most take files of your own, too. The output below is real: `python -m
tools.gallery` runs the scripts and writes this page. Last digits may differ on another machine.

"""
EXAMPLES = {
    "dictionary_for_a_small_language": (
        "A dictionary for a small language",
        (
            "A word list of 500 words becomes a dictionary of more than a thousand entries, and held-out words say how "
            "far to trust it. With fewer words, or none, see [no dictionary](how-to/no-dictionary.md)."
        ),
    ),
    "search_across_languages": (
        "Search across languages",
        "English queries find Japanese sentences: once words share a space, so do texts.",
    ),
    "change_embedding_model": (
        "Change an embedding model",
        (
            "Keep the index that the old model filled, and map its vectors into the space of the new model. How much "
            "of the neighbourhoods survives is measured before anything changes. On real models and whole databases: "
            "[change the embedding model](how-to/change-embedding-model.md)."
        ),
    ),
    "reproduce_the_table": (
        "Reproduce the paper's table on the sample",
        (
            "Three normalisations by four maps, each P@1 with its 95 % confidence interval, and differences measured "
            "on the same words. About half a minute. With the paper's own data: "
            "[reproduce the paper](how-to/reproduce-the-paper.md)."
        ),
    ),
    "many_languages": (
        "Many languages in one space",
        (
            "Two dictionaries connect three languages, and words travel between the two that share none. More: "
            "[many languages](how-to/many-languages.md)."
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
    """Return what an example prints."""
    script = ROOT / "examples" / f"{name}.py"
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(
            [sys.executable, script], cwd=folder, check=True, capture_output=True, encoding="utf-8"
        ).stdout


def main() -> None:
    """Write the page again."""
    sections = [make_section(name, run_example(name)) for name in EXAMPLES]
    PAGE.write_text(HEAD + "".join(sections).rstrip("\n") + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
