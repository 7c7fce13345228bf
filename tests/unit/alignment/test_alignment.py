import numpy as np
import pytest

import isoalign as ia
from isoalign.errors import InvalidValueError, ParameterError, ShapeError
from planted import planted_embeddings, random_rotation


@pytest.fixture(scope="module")
def model():
    return ia.align(*planted_embeddings(n=80, dim=6, noise=0.3, n_pairs=40), method="vecmap")


def test_a_space_is_the_normalised_and_mapped_vocabulary_at_length_one(model):
    for name in ("xx", "yy"):
        mapped = model.apply(model.raw(name).vectors, name)
        np.testing.assert_allclose(model.space(name), mapped / np.linalg.norm(mapped, axis=1, keepdims=True), atol=1e-6)
        assert model.space(name) is model.space(name)
        assert model.space(name).dtype == np.float32


def test_apply_replays_the_normalisation_on_words_it_never_saw(model):
    new = np.random.default_rng(1).standard_normal((7, 6)).astype(np.float32)
    expected = model["yy"].normalizer.transform(new) @ np.asarray(model["yy"].map)
    np.testing.assert_allclose(model.apply(new, "yy"), expected, atol=1e-6)
    assert not np.allclose(np.linalg.norm(expected, axis=1), 1, atol=1e-3)  # lengths stay as they come


def test_apply_returns_embeddings_for_embeddings_and_leaves_them_alone(model):
    source = model.raw("xx")
    before = source.vectors.copy()
    found = model.apply(source)
    assert found.index_to_key == source.index_to_key
    assert found.lang == "xx"
    np.testing.assert_array_equal(found.vectors, model.apply(source.vectors))
    np.testing.assert_array_equal(source.vectors, before)


def test_aligned_vectors_are_one_call_away(model):
    aligned = model.aligned("yy")
    assert aligned.index_to_key == model.raw("yy").index_to_key
    np.testing.assert_array_equal(aligned.vectors, model.space("yy"))
    np.testing.assert_array_equal(model.aligned().vectors, model.space("xx"))


def test_apply_carries_subwords_into_the_shared_space(model):
    class Subwords:
        def vector(self, word):
            return None if word == "?" else np.full(6, len(word), dtype=np.float32)

    found = model.apply(ia.Embeddings(["a"], np.ones((1, 6), dtype=np.float32), subwords=Subwords()))
    np.testing.assert_array_equal(found.get_vector("abc"), model.apply(np.full((1, 6), 3.0))[0])
    assert found.subwords.vector("?") is None


def test_the_reverse_is_the_same_two_spaces_swapped(model):
    model.compute_means()
    back = model.reverse()
    assert back.names == ("yy", "xx")
    assert back.space() is model.space("yy")
    assert back.means["yy", "xx"] is model.means["yy", "xx"]
    new = np.ones((1, 6), dtype=np.float32)
    np.testing.assert_array_equal(back.apply(new), model.apply(new, "yy"))
    np.testing.assert_array_equal(back.reverse().apply(new), model.apply(new))


def test_means_belong_to_a_direction_and_are_computed_once_for_each_k(model):
    model.compute_means()
    first = model.means["xx", "yy"]
    np.testing.assert_allclose(first.values, naive_means(model.space("yy"), model.space("xx"), 10), atol=1e-6)
    np.testing.assert_allclose(
        model.means["yy", "xx"].values, naive_means(model.space("xx"), model.space("yy"), 10), atol=1e-6
    )
    model.compute_means()
    assert model.means["xx", "yy"] is first
    model.compute_means(k=3)
    assert model.means["xx", "yy"].k == 3
    assert model.pair().means(10) is None


def naive_means(rows, others, k):
    return np.sort(rows.astype(np.float64) @ others.T.astype(np.float64), axis=1)[:, -k:].mean(axis=1)


def test_unknown_members_and_wrong_dimensions_are_refused(model):
    with pytest.raises(ParameterError, match="member must be one of 'xx', 'yy'"):
        model.space("left")
    with pytest.raises(ParameterError, match="member must be one of"):
        model.apply(np.ones((1, 6)), "left")
    with pytest.raises(ParameterError, match="different members"):
        model.pair("xx", "xx")
    with pytest.raises(ShapeError, match="is expecting 6 features"):
        model.apply(np.ones((1, 7)))
    with pytest.raises(InvalidValueError, match="Row 0"):
        model.apply(np.full((1, 6), np.nan))


def test_a_map_of_another_tool_is_wrapped():
    source, target, _ = planted_embeddings(n=40, dim=5)
    W = random_rotation(5, seed=1)
    model = ia.Alignment.from_matrix(W, source=source, target=target)
    np.testing.assert_allclose(model.space("xx"), model.space("yy"), atol=1e-5)
    alone = ia.Alignment.from_matrix(W)
    np.testing.assert_array_equal(alone.apply(source.vectors), model.apply(source.vectors))
    centred = ia.Alignment.from_matrix(W, source=source, target=target, normalize="center")
    np.testing.assert_allclose(centred.apply(source.vectors).mean(axis=0), 0, atol=1e-5)


def test_vectors_that_are_aligned_already_need_no_map():
    source, _, _ = planted_embeddings(n=40, dim=5)
    model = ia.Alignment.from_matrix(None, source=source, target=source)
    assert ia.Translator(model, retrieval="nn").translate("s3", k=1)[0].word == "s3"


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"W": np.eye(4)}, ShapeError, "'xx' needs vectors of 4 columns. Got 5"),
        ({"W": np.ones((5, 3))}, ShapeError, "'yy' needs vectors of 3 columns. Got 5"),
        ({"W": np.ones((5, 3)), "target_map": np.eye(5)}, ShapeError, "same output dimension. Got {'xx': 3, 'yy': 5}"),
        ({"W": np.ones(5)}, ShapeError, "finite matrix"),
        ({"W": np.full((5, 5), np.inf)}, ShapeError, "finite matrix"),
        ({"W": None, "source": None}, ParameterError, "Pass source="),
        ({"W": np.eye(5), "target": None, "normalize": "center"}, ParameterError, "Pass target="),
    ],
)
def test_maps_that_do_not_fit_are_refused(arguments, error, message):
    source, target, _ = planted_embeddings(n=40, dim=5)
    with pytest.raises(error, match=message):
        ia.Alignment.from_matrix(**{"source": source, "target": target, **arguments})
