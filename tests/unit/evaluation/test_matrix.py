"""Every direction between the members of an alignment."""

import pytest

import isoalign as ia
from isoalign.errors import InvalidValueError, ParameterError
from isoalign.evaluation import align_pairs, evaluate_pairs, triangulate, triangulate_tests
from many_languages import STAR, dictionaries, pairs_of, planted_languages


@pytest.fixture(scope="module")
def model():
    return ia.join(planted_languages(noise=0.4), dictionaries(STAR), pivot="en")


def test_triangulation_pairs_translations_of_the_same_word_once():
    a = ia.Lexicon([("cat", "chat"), ("dog", "chien"), ("hound", "chien"), ("sun", "soleil")])
    b = ia.Lexicon([("dog", "犬"), ("hound", "犬"), ("cat", "猫"), ("cat", "ネコ")])
    assert triangulate(a, b).pairs == [("chat", "猫"), ("chat", "ネコ"), ("chien", "犬")]


def test_triangulated_tests_say_so_in_their_names():
    tests = {("en", "fr"): pairs_of("en", "fr", 5), ("ja", "en"): pairs_of("ja", "en", 5)}
    made = triangulate_tests(tests, "en")
    assert {pair: test.name for pair, test in made.items()} == {
        ("fr", "ja"): "fr-ja through en",
        ("ja", "fr"): "ja-fr through en",
    }
    assert made["ja", "fr"].lexicon == pairs_of("ja", "fr", 5)


def test_scores_are_those_of_each_direction_alone(model):
    tests = {("en", "fr"): pairs_of("en", "fr", 150), ("fr", "ja"): pairs_of("fr", "ja", 150)}
    found = evaluate_pairs(model, tests, n_resamples=50)
    assert [score.test for score in found.scores] == ["en-fr", "fr-ja", "en-fr inverted", "fr-ja inverted"]
    alone = ia.evaluate_bli(model, pairs_of("ja", "fr", 150), source="ja", target="fr", n_resamples=50)
    assert found["ja", "fr"].result.precision == alone.precision
    assert found["ja", "fr"].result.ci95 == alone.ci95
    matrix = found.matrix()
    assert matrix[2][1] == alone.precision[1]
    assert matrix[0][2] is None
    with pytest.raises(ParameterError, match="no score"):
        found["ru", "en"]
    assert len(evaluate_pairs(model, tests, inverse=False, n_resamples=10).scores) == 2


def test_training_words_are_not_asked_in_any_direction(model):
    train = {("fr", "ja"): pairs_of("fr", "ja", 100)}
    tests = {("ja", "fr"): pairs_of("ja", "fr", 150), ("en", "fr"): pairs_of("en", "fr", 150)}
    found = evaluate_pairs(model, tests, train=train, n_resamples=10)
    for pair in (("fr", "ja"), ("ja", "fr")):
        assert (found[pair].result.n, found[pair].left_out) == (50, 100)
    assert (found["fr", "en"].result.n, found["fr", "en"].left_out) == (150, 0)
    with pytest.raises(InvalidValueError, match="are training words"):
        evaluate_pairs(model, {("fr", "ja"): pairs_of("fr", "ja", 100)}, train=train)


def test_triangulated_pairs_have_at_most_one_leg_in_training():
    train = {("en", "fr"): ia.Lexicon([("a", "fa"), ("b", "fb")]), ("en", "ja"): ia.Lexicon([("a", "ja"), ("c", "jc")])}
    tests = {("en", "fr"): ia.Lexicon([("c", "fc"), ("d", "fd")]), ("en", "ja"): ia.Lexicon([("b", "jb"), ("d", "jd")])}
    made = triangulate_tests(tests, "en", train=train)
    assert set(made["fr", "ja"].lexicon) == {("fb", "jb"), ("fc", "jc"), ("fd", "jd")}
    assert set(triangulate_tests(tests, "en")["fr", "ja"].lexicon) == {("fd", "jd")}


def test_a_direct_pair_of_a_star_is_its_own_bilingual_map(model):
    train = dictionaries(STAR[:1])
    own = align_pairs(model, train, method="procrustes")
    tests = {("fr", "en"): pairs_of("fr", "en", 150), ("fr", "ja"): pairs_of("fr", "ja", 150)}
    found = evaluate_pairs(model, tests, bilingual=own, n_resamples=50)
    assert found["fr", "en"].bilingual.value == 0
    assert found["fr", "ja"].bilingual is None
    assert found.to_dict()["scores"][0]["bilingual"]["only_a"] == 0


def test_unknown_members_are_refused(model):
    with pytest.raises(ParameterError, match="must be one of"):
        evaluate_pairs(model, {("en", "de"): pairs_of("en", "de", 5)})
