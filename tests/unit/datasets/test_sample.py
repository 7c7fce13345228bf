from pathlib import Path

import numpy as np
import pytest

import isoalign as ia
from isoalign import datasets
from isoalign.datasets import sample_credits

FOLDER = Path(datasets.__file__).parent / "sample"


@pytest.fixture(scope="module")
def sample():
    return ia.load_sample()


def test_the_sample_has_two_languages_of_8000_different_words(sample):
    for side, lang in ((sample.source, "en"), (sample.target, "ja")):
        assert side.lang == lang
        assert side.vectors.shape == (8000, 300)
        assert side.vectors.dtype == np.float32
        assert len(side.key_to_index) == 8000
        assert all(word == word.lower() for word in side.index_to_key)


def test_the_words_of_the_papers_first_figure_are_in(sample):
    assert all(word in sample.target for word in ("少女", "猫", "美少女"))
    assert "girl" in sample.source


def test_vectors_keep_their_unequal_lengths_and_means(sample):
    for side, length, mean in ((sample.source, 49.25, 16.48), (sample.target, 3.565, 1.347)):
        np.testing.assert_allclose(np.linalg.norm(side.vectors, axis=1).mean(), length, rtol=1e-3)
        np.testing.assert_allclose(np.linalg.norm(side.vectors.mean(axis=0)), mean, rtol=1e-3)


@pytest.mark.parametrize(("side", "file"), [("source", "en.spacymd300.vec.gz"), ("target", "ja.chive300.vec.gz")])
def test_words_and_vectors_are_those_of_an_independent_extraction(sample, shared_data, side, file):
    stored, expected = getattr(sample, side), ia.read_vectors(shared_data / "data" / file, limit=8000)
    assert stored.index_to_key == expected.index_to_key
    half_a_step = np.abs(expected.vectors).max(axis=1, keepdims=True) / 127 / 2
    assert (np.abs(stored.vectors - expected.vectors) <= 1.001 * half_a_step).all()


def test_the_dictionaries_are_large_known_and_share_no_source_word(sample):
    for lexicon, least in ((sample.train, 1500), (sample.test, 400)):
        coverage = lexicon.coverage(sample.source, sample.target)
        assert coverage.known_pairs == coverage.n_pairs == len(set(lexicon))
        assert coverage.known_sources >= least
    assert set(sample.train.sources).isdisjoint(sample.test.sources)


def test_every_file_of_the_sample_has_a_credit_and_its_licence_text(sample):
    credited = {name for credit in sample.about for name in credit.files}
    assert credited == {file.name for file in FOLDER.iterdir() if file.is_file()} - {"about.toml"}
    for credit in sample_credits():
        assert (FOLDER / "licenses" / f"{credit.licence}.txt").stat().st_size > 1000
    assert any(
        "Electronic Dictionary Research and Development Group" in credit.acknowledgement for credit in sample.about
    )


def test_the_package_stays_under_ten_megabytes():
    package = Path(ia.__file__).parent
    files = [file for file in package.rglob("*") if file.is_file() and "__pycache__" not in file.parts]
    assert sum(file.stat().st_size for file in files) < 10_000_000
