"""Languages of two vector files: given by the user, or guessed from the file names."""

from pathlib import Path

__all__ = ["choose_langs"]


def choose_langs(langs: str | None, source: Path, target: Path) -> tuple[str | None, str | None]:
    """Split ``"en,ja"`` into languages; if None, guess from file names. Native folders store their language."""
    if langs is None:
        from isoalign.io import guess_lang

        source_lang, target_lang = (guess_lang(path) if path.is_file() else None for path in (source, target))
    else:
        source_lang, _, target_lang = langs.partition(",")
    return source_lang or None, target_lang or None
