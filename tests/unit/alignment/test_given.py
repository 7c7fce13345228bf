"""What may be passed where embeddings, dictionaries and progress callbacks are expected."""

import numpy as np
import pytest

import isoalign as ia
from isoalign._core.progress import as_progress, ignore_progress
from isoalign.errors import InvalidValueError, MissingFileError, ParameterError
from isoalign.evaluation import triangulate, triangulate_tests
from planted import planted_embeddings


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    source, target, lexicon = planted_embeddings(n=120, dim=8, noise=0.6, n_pairs=60)
    ia.write_vectors(source, folder / "wiki.en.vec")
    ia.write_vectors(target, folder / "wiki.ja.vec")
    ia.write_lexicon(lexicon, folder / "d.txt")
    return folder / "wiki.en.vec", folder / "wiki.ja.vec", folder / "d.txt"


def test_paths_are_read_and_name_the_members(files):
    model = ia.align(*map(str, files))
    assert model.names == ("en", "ja")
    expected = ia.align(ia.read_vectors(files[0]), ia.read_vectors(files[1]), ia.read_lexicon(files[2]))
    np.testing.assert_array_equal(model.space("en"), expected.space("source"))
    score = ia.evaluate_bli(model, files[2]).precision
    assert score == ia.evaluate_bli(model, ia.read_lexicon(files[2])).precision


def test_paths_serve_every_function_that_takes_embeddings(files):
    en, ja, lexicon = files
    assert ia.join({"a": en, "b": ja}, {("a", "b"): lexicon}).names == ("a", "b")
    assert ia.normalize(en, "unit").lang == "en"
    assert len(ia.most_similar(en, "s1", k=3)) == 3
    assert ia.evaluate_isomorphism(en, ja, lexicon, normalize=None).n_words > 2
    assert ia.Alignment.from_matrix(None, source=en, target=ja).names == ("en", "ja")


def test_paths_serve_every_function_that_takes_dictionaries(files):
    model, pairs = ia.align(*files), ia.read_lexicon(files[2])
    tests = {("en", "ja"): files[2]}
    assert ia.evaluate_pairs(model, tests).matrix() == ia.evaluate_pairs(model, {("en", "ja"): pairs}).matrix()
    with pytest.raises(InvalidValueError, match="are training words"):
        ia.evaluate_pairs(model, tests, train=tests)
    assert list(triangulate(files[2], files[2])) == [(target, target) for _, target in pairs]
    assert triangulate_tests({("en", "a"): files[2], ("en", "b"): files[2]}, "en")["a", "b"].lexicon
    assert not len(ia.seed_lexicon(*files[:2]))


def test_paths_serve_similarity_and_adapters(files, tmp_path):
    en, vectors = ia.read_vectors(files[0]), tmp_path / "x.npy"
    (tmp_path / "human.txt").write_text("s1\ts2\t3\ns3\ts4\t5\ns5\ts6\t4\n")
    human = ia.read_similarity(tmp_path / "human.txt")
    assert ia.evaluate_similarity(files[0], tmp_path / "human.txt") == ia.evaluate_similarity(en, human)
    np.save(vectors, en.vectors)
    by_row, by_key = (ia.fit_adapter(some, some, method="ridge") for some in (vectors, files[0]))
    np.testing.assert_allclose(by_row.transform(en.vectors), by_key.transform(en.vectors), atol=1e-5)


def test_a_mapping_can_be_written(tmp_path):
    ia.write_lexicon({"dog": ["犬", "イヌ"]}, tmp_path / "d.csv")
    assert list(ia.read_lexicon(tmp_path / "d.csv")) == [("dog", "犬"), ("dog", "イヌ")]


def test_a_mapping_is_a_dictionary(files):
    pairs = ia.read_lexicon(files[2])
    model = ia.align(*files[:2], dict(pairs))
    np.testing.assert_array_equal(model.space("en"), ia.align(*files).space("en"))


def test_a_name_is_a_start_or_a_file(files):
    with pytest.raises(MissingFileError, match=r"nowhere.txt: no such file"):
        ia.align(*files[:2], "nowhere.txt")
    with pytest.raises(ParameterError, match="Did you mean 'similarity'"):
        ia.align(*files[:2], "simillarity")


def test_true_draws_a_bar(files, capsys):
    ia.read_vectors(files[0], progress=True)
    err = capsys.readouterr().err
    assert err.startswith("\rreading wiki.en.vec")
    assert err.endswith("120 of 120\n")
    assert as_progress(False) is ignore_progress
    ia.align(*files, progress=True)
    assert "reading wiki.ja.vec" in capsys.readouterr().err


def test_figures_are_drawn_behind_the_bar_and_erased_after_it(capsys):
    bar = as_progress(True)
    bar("learning: keep 0.1", 1, 2)
    bar("learning", 2, 2)
    first, last = capsys.readouterr().err.split("\r")[1:]
    assert first.endswith("1 of 2 keep 0.1")
    assert len(last) == len(first) + 1
    assert last.rstrip().endswith("2 of 2")
