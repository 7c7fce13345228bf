from pathlib import Path

import numpy as np
import pytest

import isoalign as ia
from isoalign.errors import ParameterError, UnknownWordError
from isoalign.translation import fit_retriever
from planted import planted_embeddings

FASTTEXT = Path(__file__).parent.parent / "data" / "fasttext"


@pytest.fixture(scope="module")
def model():
    return ia.align(*planted_embeddings(n=120, dim=8, noise=0.6, n_pairs=60), method="procrustes")


def naive_csls(S, T, k=10):
    cosines = S.astype(float) @ T.T.astype(float)
    r_source = np.sort(cosines, axis=1)[:, -k:].mean(axis=1)
    return 2 * cosines - r_source[:, None] - np.sort(cosines, axis=0)[-k:].mean(axis=0)


def test_translations_are_the_best_by_csls_in_both_directions(model):
    scores = naive_csls(model.space("xx"), model.space("yy"))
    translator = ia.Translator(model)
    for reverse, matrix, names in ((False, scores, "st"), (True, scores.T, "ts")):
        found = translator.translate([f"{names[0]}{i}" for i in range(120)], k=3, reverse=reverse)
        for row, best in zip(matrix, found, strict=True):
            expected = np.argsort(-row)[:3]
            assert [entry.word for entry in best] == [f"{names[1]}{j}" for j in expected]
            np.testing.assert_allclose([entry.score for entry in best], row[expected], atol=1e-5)


def test_one_word_gives_one_list_and_several_give_several(model):
    translator = ia.Translator(model)
    one = translator.translate("s5", k=2)
    assert translator.translate(["s5", "s5"], k=2) == [one, one]
    assert translator.translate((word for word in ["s5"]), k=2) == [one]
    assert translator.translate([]) == []


def test_stored_means_change_nothing_but_the_time(model):
    expected = ia.Translator(model).translate(["s1", "s2"])
    kept = ia.align(*planted_embeddings(n=120, dim=8, noise=0.6, n_pairs=60), method="procrustes")
    kept.compute_means()
    assert fit_retriever(kept.pair()).engine_ == "given"
    assert ia.Translator(kept).translate(["s1", "s2"]) == expected
    assert ia.Translator(kept).translate("t1", reverse=True) == ia.Translator(model).translate("t1", reverse=True)


def test_means_of_another_k_are_not_used(model):
    kept = ia.align(*planted_embeddings(n=120, dim=8, noise=0.6, n_pairs=60), method="procrustes")
    kept.compute_means(k=3)
    assert ia.Translator(kept).translate("s1") == ia.Translator(model).translate("s1")


def test_cosines_are_an_alternative(model):
    best = ia.Translator(model).translate("s7", k=1, retrieval="nn")[0]
    cosines = model.space("xx")[7] @ model.space("yy").T
    assert best.score == pytest.approx(cosines.max(), abs=1e-6)
    assert ia.Translator(model, retrieval="nn").translate("s7", k=1)[0] == best
    with pytest.raises(ParameterError, match="retrieval must be one of"):
        ia.Translator(model, retrieval="best").translate("s7")


def test_unknown_words_are_refused_with_close_spellings_or_skipped(model):
    translator = ia.Translator(model)
    with pytest.raises(UnknownWordError, match=r"'s1x' is not among the 120 xx words. Close spellings: s1"):
        translator.translate(["s1", "s1x"])
    found = translator.translate(["s1x", "s1"], unknown="skip")
    assert found == [[], translator.translate("s1")]
    assert translator.translate("s1x", unknown="skip") == []
    with pytest.raises(ParameterError, match="unknown must be one of"):
        translator.translate("s1", unknown="drop")


def test_unknown_words_go_through_their_subwords():
    source = ia.read_vectors(FASTTEXT / "skipgram.bin")
    target = ia.Embeddings([f"t{i}" for i in range(len(source))], source.vectors)
    train = [(word, f"t{i}") for i, word in enumerate(source.index_to_key)]
    model = ia.align(source, target, train, method="procrustes", normalize="unit")
    word = source.index_to_key[0] + source.index_to_key[1]
    assert word not in source
    vector = model.apply(source.get_vector(word)[None])[0]
    cosines = model.space("target") @ (vector / np.linalg.norm(vector))
    found = ia.Translator(model, retrieval="nn").translate([word, source.index_to_key[2]], k=1)
    assert found[0][0].word == f"t{cosines.argmax()}"
    assert found[1][0].word == "t2"


def test_a_mutual_lexicon_holds_pairs_that_choose_each_other(model):
    scores = naive_csls(model.space("xx"), model.space("yy"))
    forward, backward = scores.argmax(axis=1), scores.argmax(axis=0)
    mutual = [(f"s{i}", f"t{j}") for i, j in enumerate(forward) if backward[j] == i]
    found = ia.induce_lexicon(model)
    assert found.pairs == mutual
    one_way = ia.induce_lexicon(model, mutual=False)
    assert one_way.pairs == [(f"s{i}", f"t{j}") for i, j in enumerate(forward)]
    np.testing.assert_allclose(one_way.scores, scores.max(axis=1), atol=1e-5)


def test_a_lexicon_can_be_cut_by_score_number_and_rank(model):
    whole = ia.induce_lexicon(model)
    best = sorted(whole.scores, reverse=True)
    top = ia.induce_lexicon(model, top=5)
    assert top.scores == best[:5]
    assert ia.induce_lexicon(model, min_score=best[9]).scores == [s for s in whole.scores if s >= best[9]]
    assert len(ia.induce_lexicon(model, min_score=99.0)) == 0
    ranked = ia.induce_lexicon(model, max_rank=20, mutual=False)
    every = ia.induce_lexicon(model, mutual=False)
    assert ranked.pairs == [(a, b) for a, b in every if int(a[1:]) < 20 and int(b[1:]) < 20]
    clear = ia.induce_lexicon(model, min_margin=0.1)
    assert 0 < len(clear) < len(whole)
    assert set(clear) <= set(whole)
    for wrong in (0, -1):
        with pytest.raises(ParameterError, match="max_rank must be a whole number of at least 1"):
            ia.induce_lexicon(model, max_rank=wrong)


def test_neighbors_in_the_own_language_leave_the_word_out(model):
    near = ia.most_similar(model.raw(), "s3", k=4)
    unit = model.raw().vectors / np.linalg.norm(model.raw().vectors, axis=1, keepdims=True)
    cosines = unit @ unit[3]
    expected = [i for i in np.argsort(-cosines) if i != 3][:4]
    assert [entry.word for entry in near] == [f"s{i}" for i in expected]
    assert ia.most_similar(model.raw(), ["s3"], k=4) == [near]
    assert ia.most_similar(model.raw(), []) == []
