import sys

import numpy as np
import pytest
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

import isoalign as ia
from isoalign.errors import (
    FormatError,
    InvalidValueError,
    MissingExtraError,
    MissingFileError,
    ParameterError,
    ShapeError,
)
from isoalign.maps import MatrixMap
from isoalign.transfer import RULES, read_tokens, transfer_vocabulary
from token_files import SPECIAL, N, old_matrix, piece_tokenizer, planted_model, planted_tokenizers, word_tokenizer
from vector_files import FASTTEXT


@pytest.fixture(scope="module")
def model():
    return planted_model()


@pytest.fixture(scope="module")
def found(model):
    return transfer_vocabulary(model, *planted_tokenizers())


def rule(found, name):
    return RULES[found.rules[found.new.ids[name]]]


def naive_token_vector(tokenizer, token, words, X, frequencies, forms):
    total, weight = 0, 0
    for word, x, frequency in zip(words, X, frequencies, strict=True):
        for form in forms:
            if token in tokenizer.encode(form(word), add_special_tokens=False).ids:
                total, weight = total + frequency * x.astype(float), weight + frequency
    return total / weight if weight else None


def test_a_new_token_is_made_of_its_translation_first(found):
    for i in range(N):
        nearest = found.neighbors(found.new.ids[f"t{i}"])[0]
        assert nearest[0] == f"s{i}"
        assert nearest[2] == pytest.approx(1, abs=1e-5)


def test_rows_are_softmax_weighted_sums_of_the_nearest_old_tokens(model):
    found = transfer_vocabulary(model, *planted_tokenizers(), k=3, temperature=0.5)
    E = old_matrix(len(found.old))
    new = found.apply(E)
    source, target = model.space("xx"), model.space("yy")
    for i in range(N):
        cosines = source @ target[i]
        best = np.argsort(-cosines)[:3]
        weights = np.exp(cosines[best] / 0.5)
        expected = weights / weights.sum() @ E[best + len(SPECIAL)]
        np.testing.assert_allclose(new[found.new.ids[f"t{i}"]], expected, atol=1e-5)


def test_a_low_temperature_copies_the_translation(model):
    found = transfer_vocabulary(model, *planted_tokenizers(), temperature=1e-3)
    E = old_matrix(len(found.old))
    new = found.apply(E)
    for i in range(N):
        np.testing.assert_allclose(new[found.new.ids[f"t{i}"]], E[found.old.ids[f"s{i}"]], atol=1e-5)


def test_special_tokens_and_bytes_are_copied_by_name(found):
    E = old_matrix(len(found.old))
    new = found.apply(E)
    for name in SPECIAL:
        assert rule(found, name) == "name"
        np.testing.assert_array_equal(new[found.new.ids[name]], E[found.old.ids[name]])


def test_special_tokens_of_other_names_are_copied_where_that_is_said(model):
    old, _ = planted_tokenizers()
    new = word_tokenizer([f"t{i}" for i in range(N)], special=["[UNK]", "[CLS]"])
    plain = transfer_vocabulary(model, old, new)
    assert rule(plain, "[CLS]") == "random"
    said = transfer_vocabulary(model, old, new, special={"[CLS]": "<s>"})
    E = old_matrix(len(said.old))
    np.testing.assert_array_equal(said.apply(E)[said.new.ids["[CLS]"]], E[said.old.ids["<s>"]])
    with pytest.raises(ParameterError, match=r"source tokenizer has no token '<S>' among its 43"):
        transfer_vocabulary(model, old, new, special={"[CLS]": "<S>"})


def test_no_new_token_is_made_of_special_tokens_or_of_such_without_evidence(model):
    old = word_tokenizer([f"s{i}" for i in range(0, N, 2)] + ["empty"])
    found = transfer_vocabulary(model, old, planted_tokenizers()[1], k=100)
    assert found.rows.shape[1] == N // 2
    assert {name for i in range(N) for name, *_ in found.neighbors(found.new.ids[f"t{i}"])} == {
        f"s{i}" for i in range(0, N, 2)
    }


def test_tokens_without_evidence_are_drawn_around_the_mean_of_each_column(model):
    old, _ = planted_tokenizers()
    new = word_tokenizer(["t0", *(f"unknown{i}" for i in range(4000))])
    found = transfer_vocabulary(model, old, new)
    E = old_matrix(len(found.old)) * [1, 2, 3, 4, 5] + [5, 4, 3, 2, 1]
    drawn = found.apply(E)[found.rules == RULES.index("random")]
    assert len(drawn) == 4000
    np.testing.assert_allclose(drawn.mean(axis=0), E.mean(axis=0), atol=5 * E.std(axis=0).max() / 4000**0.5)
    np.testing.assert_allclose(drawn.std(axis=0), E.std(axis=0), rtol=0.06)
    np.testing.assert_array_equal(found.apply(E), found.apply(E))
    assert not np.array_equal(found.apply(E), found.apply(E, random_state=1))
    assert found.without_evidence() == [f"unknown{i}" for i in range(4000)]


def test_tokens_that_both_vocabularies_have_are_copied_only_on_request_and_without_evidence(model):
    old = word_tokenizer([*(f"s{i}" for i in range(N)), "!", "t1"])
    new = planted_tokenizers()[1]
    assert rule(transfer_vocabulary(model, old, new), "!") == "random"
    found = transfer_vocabulary(model, old, new, copy_shared=True)
    assert (rule(found, "!"), rule(found, "t1"), rule(found, "nowhere")) == ("shared", "neighbors", "random")
    E = old_matrix(len(found.old))
    np.testing.assert_array_equal(found.apply(E)[found.new.ids["!"]], E[found.old.ids["!"]])


@pytest.mark.parametrize("capitalize", [False, True])
def test_token_vectors_are_means_of_words_weighted_by_frequency(capitalize):
    words = ["a", "ab", "abc", "Ab", "bab"]
    X = np.random.default_rng(0).standard_normal((5, 4)).astype(np.float32)
    side = ia.Embeddings(words, X, lang="xx")
    model = ia.Alignment.from_matrix(np.eye(4), source=side, target=ia.Embeddings(words, X, lang="yy"))
    tokenizer = Tokenizer(
        models.BPE(
            {name: i for i, name in enumerate(["▁", "a", "b", "c", "A", "B", "ab", "▁a"])}, [("▁", "a"), ("a", "b")]
        )
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="never")
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="never")
    forms = [str, " {}".format]
    forms += [str.capitalize, lambda word: f" {word.capitalize()}"] if capitalize else []
    counts = {"a": 5.0, "ab": 3.0, "abc": 2.0, "Ab": 7.0}
    for given, frequencies in ((None, 1 / np.arange(1, 6)), (counts, [5, 3, 2, 7, 1])):
        found = transfer_vocabulary(model, tokenizer, tokenizer, counts=(given, given), capitalize=capitalize, k=8)
        vectors = [
            naive_token_vector(tokenizer, number, words, X, frequencies, forms) for number in range(len(found.old))
        ]
        known = [number for number, vector in enumerate(vectors) if vector is not None]
        V = np.array([vectors[number] / np.linalg.norm(vectors[number]) for number in known])
        for number, vector in zip(known, V, strict=True):
            by_token = dict(zip(found.rows[number].tolist(), found.cosines[number].tolist(), strict=True))
            for other, cosine in zip(known, V @ vector, strict=True):
                assert by_token[other] == pytest.approx(cosine, abs=1e-5)
        assert found.about["frequency"] == ["1/rank" if given is None else "counts"] * 2


def test_words_in_lower_case_stand_for_capitalised_tokens_too():
    side = ia.Embeddings(["cat", "dog"], np.eye(2, dtype=np.float32))
    model = ia.Alignment.from_matrix(None, source=side, target=side)
    cased = word_tokenizer(["cat", "Cat", "dog"])
    assert rule(transfer_vocabulary(model, cased, cased), "Cat") == "neighbors"
    assert rule(transfer_vocabulary(model, cased, cased, capitalize=False), "Cat") == "random"


def test_subwords_give_vectors_to_the_texts_of_tokens():
    fasttext = ia.read_vectors(FASTTEXT / "skipgram.bin")
    model = ia.Alignment.from_matrix(None, source=fasttext, target=fasttext)
    word = fasttext.index_to_key[3]
    tokenizer = piece_tokenizer([word, f"##{word}", "katoka", "##猫"])
    found = transfer_vocabulary(model, tokenizer, tokenizer, k=1, temperature=0.1)
    assert found.about["evidence"] == "subwords"
    assert found.new.texts[1:] == [word, word, "katoka", "猫"]
    assert found.without_evidence() == []
    for number in range(1, 5):
        assert found.cosines[number, 0] == pytest.approx(1, abs=1e-6)
    by_words = transfer_vocabulary(model, tokenizer, tokenizer, evidence="words")
    assert rule(by_words, "katoka") == "random"


def test_members_may_be_named_in_an_alignment_of_any_order(model):
    old, new = planted_tokenizers()
    swapped = transfer_vocabulary(model.reverse(), old, new, source="xx", target="yy")
    straight = transfer_vocabulary(model, old, new)
    np.testing.assert_array_equal(swapped.rows, straight.rows)
    np.testing.assert_array_equal(swapped.weights, straight.weights)


def test_a_query_stage_is_that_of_new_words_that_look_for_old_ones():
    base = planted_model(noise=0.3)
    turned = ia.Alignment(base.members, stages={("yy", "xx"): MatrixMap(-np.eye(base.dim))})
    found = transfer_vocabulary(turned, *planted_tokenizers(), k=1)
    cosines = base.space("xx") @ base.space("yy").T
    for i in range(N):
        assert found.neighbors(found.new.ids[f"t{i}"])[0][0] == f"s{np.argmin(cosines[:, i])}"


def test_ids_that_no_token_has_get_rows_all_the_same(model):
    old, _ = planted_tokenizers()
    new = Tokenizer(models.WordLevel({"t0": 0, "t1": 5}, unk_token="t0"))
    found = transfer_vocabulary(model, old, new)
    assert found.counts() == {"neighbors": 2, "name": 0, "shared": 0, "random": 0, "unused": 4}
    assert found.apply(old_matrix(len(found.old))).shape == (6, 5)
    assert found.apply(old_matrix(len(found.old)), pad_to=8).shape == (8, 5)


def test_rows_that_pad_the_old_matrix_count_for_nothing(found):
    E = old_matrix(len(found.old))
    padded = np.concatenate([E, np.full((9, 5), 1e6, dtype=np.float32)])
    np.testing.assert_array_equal(found.apply(padded), found.apply(E))
    with pytest.raises(ShapeError, match=r"row for each of the 43 tokens.*Got shape \(42, 5\)"):
        found.apply(E[:-1])


def test_an_output_bias_is_transferred_like_a_column(found):
    E = old_matrix(len(found.old), dim=1)
    np.testing.assert_array_equal(found.apply(E[:, 0]), found.apply(E)[:, 0])


def test_a_result_shows_itself(found):
    assert repr(found) == "VocabularyTransfer(43 → 45 tokens: 40 neighbors, 3 name, 2 random)"
    records = found.to_records()
    assert len(records) == 45
    assert records[3]["token"] == "t39"
    assert records[3]["made_of"].startswith("s39 ")
    assert len(found.to_dataframe()) == 45
    assert "t39" in found._repr_html_()
    examples = found.examples()
    assert len(examples) == 20
    assert (examples[0]["token"], examples[-1]["token"]) == ("t39", "t0")
    assert sum(one["weight"] for one in examples[0]["neighbors"]) == pytest.approx(1)


@pytest.mark.parametrize(("k", "temperature"), [(1, 0.1), (7, 0.02), (12, 5.0)])
def test_weights_are_shares_that_fall_with_the_cosine(model, k, temperature):
    found = transfer_vocabulary(model, *planted_tokenizers(), k=k, temperature=temperature)
    made = found.weights[found.rules == 0]
    assert made.shape[1] == k
    np.testing.assert_allclose(made.sum(axis=1), 1)
    assert (np.diff(made, axis=1) <= 0).all()


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"k": 0}, ParameterError, "k must be a whole number of at least 1"),
        ({"temperature": 0}, ParameterError, "temperature must be above 0"),
        ({"evidence": "letters"}, ParameterError, "evidence must be one of 'auto', 'subwords', 'words'"),
        ({"evidence": "subwords"}, ParameterError, r"fastText models \(.bin\) of both members; yy, xx"),
        ({"max_words": 0}, ParameterError, "max_words must be"),
        ({"counts": ({"s0": -1.0}, None)}, InvalidValueError, "Counts of words must be positive"),
    ],
    ids=["k", "temperature", "evidence", "subwords", "max-words", "counts"],
)
def test_wrong_settings_are_refused(model, options, error, message):
    with pytest.raises(error, match=message):
        transfer_vocabulary(model, *planted_tokenizers(), **options)


def test_a_tokenizer_of_another_language_is_noticed(model):
    with pytest.raises(InvalidValueError, match="None of the 5 tokens occurs in a word with a vector"):
        transfer_vocabulary(model, word_tokenizer(["x", "y"]), planted_tokenizers()[1])


def test_tokenizers_are_taken_as_files_folders_and_objects(tmp_path):
    tokenizer = word_tokenizer(["cat"])
    tokenizer.enable_padding(length=9)
    tokenizer.save(str(tmp_path / "tokenizer.json"))

    class Fast:
        backend_tokenizer = tokenizer

    for given_one in (tmp_path, tmp_path / "tokenizer.json", str(tmp_path), tokenizer, Fast()):
        tokens = read_tokens(given_one)
        assert tokens.names == [*SPECIAL, "cat"]
        assert [part.tolist() for part in tokens.encode(["cat", "cat cat"])] == [[3, 3, 3], [1, 2]]
    assert tokenizer.padding is not None


def test_what_is_no_tokenizer_is_refused_in_one_line(tmp_path):
    path = tmp_path / "spiece.model"
    path.write_bytes(b"\n\x0e\n\x05<unk>\x15\x00\x00")
    with pytest.raises(FormatError, match=r"spiece.model: not a tokenizer.json .*save_pretrained") as caught:
        read_tokens(path)
    assert "\n" not in str(caught.value)
    with pytest.raises(MissingFileError, match="no such file"):
        read_tokens(tmp_path / "nothing.json")
    text = word_tokenizer(["cat"]).to_str().replace('"cat":3', '"cat":4000000000')
    (tmp_path / "huge.json").write_text(text)
    with pytest.raises(FormatError, match=r"huge.json: there must be 1 to 8,388,608 token ids. Got 4,000,000,001"):
        read_tokens(tmp_path / "huge.json")
    with pytest.raises(ParameterError, match="Got int"):
        read_tokens(3)


def test_the_extra_is_named_where_the_library_is_missing(tmp_path, monkeypatch):
    word_tokenizer(["cat"]).save(str(tmp_path / "tokenizer.json"))
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(MissingExtraError, match=r"\[transfer\]"):
        read_tokens(tmp_path)
