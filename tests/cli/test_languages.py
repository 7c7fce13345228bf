"""Languages from the names of files."""

from pathlib import Path

import pytest

from isoalign.cli._languages import choose_langs
from isoalign.io import guess_lang


@pytest.mark.parametrize(
    ("name", "lang"),
    [
        ("wiki.en.vec", "en"),
        ("wiki.multi.fr.vec", "fr"),
        ("wiki.de.align.vec", "de"),
        ("wiki.zh_yue.vec", "zh_yue"),
        ("wiki.ceb.vec.gz", "ceb"),
        ("cc.ja.300.bin", "ja"),
        ("cc.ja.300.vec.gz", "ja"),
        ("en.vec", "en"),
        ("en.txt.zst", "en"),
        ("a.vec", None),
        ("new.vec", None),
        ("crawl-300d-2M.vec", None),
        ("glove.6B.300d.txt", None),
        ("GoogleNews-vectors-negative300.bin.gz", None),
        ("en", None),
    ],
)
def test_names_of_well_known_files_tell_their_language(name, lang):
    assert guess_lang(Path("folder.ja") / name) == guess_lang(f"folder.ja/{name}") == lang


def test_align_asks_for_languages_that_it_cannot_guess(run, small_files, tmp_path):
    source, target, lexicon = small_files
    asked = run("align", source, target, "-d", lexicon, "-o", tmp_path / "a", "--method", "procrustes")
    assert "--langs en,ja names them" in asked.out
    options = ("-o", tmp_path / "b", "--method", "procrustes", "--langs", "en,de")
    assert "--langs" not in run("align", source, target, "-d", lexicon, *options).out


def test_what_the_user_says_wins_and_folders_know_their_own_language(tmp_path):
    source, target = tmp_path / "wiki.en.vec", tmp_path / "wiki.ja.vec"
    source.touch()
    target.mkdir()
    assert choose_langs(None, source, target) == ("en", None)
    assert choose_langs("fr,de", source, target) == ("fr", "de")
    assert choose_langs("fr", source, target) == ("fr", None)
