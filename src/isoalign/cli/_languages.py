"""Which languages two vector files are in: as the user says, else as their names suggest."""

from pathlib import Path

__all__ = ["choose_langs"]


def choose_langs(langs: str | None, source: Path, target: Path) -> tuple[str | None, str | None]:
    """Return the languages of ``"en,ja"``, or if None those in the names of the files; folders know their own."""
    if langs is None:
        from isoalign.io import guess_lang

        source_lang, target_lang = (guess_lang(path) if path.is_file() else None for path in (source, target))
    else:
        source_lang, _, target_lang = langs.partition(",")
    return source_lang or None, target_lang or None
