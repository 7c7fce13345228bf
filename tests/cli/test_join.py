"""``isoalign join``, ``export`` and ``evaluate matrix`` on files."""

import json

import numpy as np
import pytest
from gensim.models import KeyedVectors

import isoalign as ia
from many_languages import LANGUAGES, STAR, pairs_of, planted_languages


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Write four languages, a dictionary with English for each of the others, and test words."""
    folder = tmp_path_factory.mktemp("languages")
    for name, side in planted_languages(noise=0.2).items():
        ia.write_vectors(side, folder / f"{name}.vec")
    for a, b in STAR:
        ia.write_lexicon(pairs_of(a, b, 60), folder / f"{a}-{b}.txt")
        ia.write_lexicon(ia.Lexicon((f"{a}{i}", f"{b}{i}") for i in range(60, 120)), folder / f"{a}-{b}.test.txt")
    return folder


def arguments(files, names=LANGUAGES):
    spaces = [f"{name}={files / name}.vec" for name in names]
    options = [part for a, b in STAR if b in names for part in ("-d", f"{a}-{b}={files / f'{a}-{b}.txt'}")]
    return [*spaces, *options]


@pytest.fixture(scope="module")
def joined(files):
    from typer.testing import CliRunner

    from isoalign.cli import app

    result = CliRunner().invoke(app, ["join", *arguments(files), "-o", str(files / "model"), "--pivot", "en"])
    assert result.exit_code == 0, result.stderr
    return files / "model"


def test_join_keeps_what_the_library_would(joined, files):
    spaces = {name: ia.read_vectors(files / f"{name}.vec", lang=name) for name in LANGUAGES}
    words = {(a, b): ia.read_lexicon(files / f"{a}-{b}.txt") for a, b in STAR}
    expected, model = ia.join(spaces, words, pivot="en"), ia.Alignment.load(joined)
    assert model.names == LANGUAGES
    for name in LANGUAGES:
        np.testing.assert_array_equal(model.space(name), expected.space(name))


def test_join_says_what_it_did(run, files, tmp_path):
    options = ["--refine", 1, "--refine-pair", "fr-ja", "--weight", "en-fr=2", "--reweight", "--middle", "--json"]
    found = json.loads(run("join", *arguments(files), "-o", tmp_path / "m", *options).out)
    assert found["schema"] == "isoalign/join/1"
    assert found["members"] == list(LANGUAGES)
    assert found["provenance"]["dictionaries"]["en-fr"]["weight"] == 2
    assert found["provenance"]["settings"]["reweight"]
    assert "fr-ja" in found["history"]["steps"][1]["dictionary_sizes"]
    text = run("join", *arguments(files), "-o", tmp_path / "n").out
    assert "60 of 60 pairs known" in text
    assert "chosen" not in text


def test_join_chooses_what_is_open(run, files, tmp_path):
    options = ["--select", "validation", "--refine", 0, "--no-reweight"]
    text = run("join", *arguments(files), "-o", tmp_path / "m", *options).out
    assert "chosen      {'refine': 0, 'reweight': False, 'middle': " in text
    assert len(ia.Alignment.load(tmp_path / "m").history["selection"]["candidates"]) == 2
    assert run("join", *arguments(files), "-o", tmp_path / "n", "--select", "none").code == 0
    refused = run("join", *arguments(files), "-o", tmp_path / "x", "--select", "test")
    assert (refused.code, "select must be one of 'validation'" in refused.err) == (2, True)


def test_join_prints_the_verdict_of_a_start(run, files, tmp_path, monkeypatch):
    from isoalign.alignment import SelfLearning

    monkeypatch.setattr("isoalign.alignment._unsupervised.make_aligner", lambda _: SelfLearning(patience=3))
    spaces = [f"{name}={files / name}.vec" for name in ("en", "fr")]
    found = run("join", *spaces, "-d", "en-fr=similarity", "--restarts", 2, "-o", tmp_path / "m", "-q")
    assert "pairs found by similarity, " in found.out
    assert "restarts agree on" in found.out


def test_join_reads_a_config(run, files, tmp_path, joined):
    lines = ['pivot = "en"', "[spaces]", *(f'{name} = "{name}.vec"' for name in LANGUAGES), "[dictionaries]"]
    (files / "join.toml").write_text("\n".join([*lines, *(f'{a}-{b} = "{a}-{b}.txt"' for a, b in STAR)]) + "\n")
    assert run("join", "--config", files / "join.toml", "-o", tmp_path / "m").code == 0
    np.testing.assert_array_equal(ia.Alignment.load(tmp_path / "m").space("ru"), ia.Alignment.load(joined).space("ru"))
    (files / "wrong.toml").write_text("pivto = 'en'\n")
    found = run("join", "--config", files / "wrong.toml", "-o", tmp_path / "n")
    assert found.code == 3
    assert "Did you mean 'pivot'" in found.err


def test_a_language_is_added_and_the_others_stay(run, files, tmp_path):
    assert run("join", *arguments(files, ("en", "fr", "ja")), "-o", tmp_path / "old").code == 0
    words = f"en-ru={files / 'en-ru.txt'}"
    added = run("join", f"ru={files / 'ru.vec'}", "--into", tmp_path / "old", "-d", words, "-o", tmp_path / "new")
    assert added.code == 0, added.err
    old, new = (ia.Alignment.load(tmp_path / name) for name in ("old", "new"))
    assert new.names == ("en", "fr", "ja", "ru")
    for name in old:
        assert old.space(name).tobytes() == new.space(name).tobytes()
        state = [tmp_path / model / "members" / name / "state.safetensors" for model in ("old", "new")]
        assert state[0].read_bytes() == state[1].read_bytes()
    refused = run(
        "join", f"ru={files / 'ru.vec'}", "--into", tmp_path / "old", "-d", words, "-o", tmp_path / "x", "--middle"
    )
    assert refused.code == 2
    assert "--middle would change the members" in refused.err


@pytest.mark.parametrize(
    ("extra", "code", "what"),
    [
        (["it"], 2, "NAME=FILE"),
        (["en=again.vec"], 2, "'en' twice"),
        (["-d", "en-it=x.txt"], 2, "must be two of the members"),
        (["--weight", "en-fr=much"], 2, "must be a number"),
        (["--pivot", "it"], 2, "pivot must be one of"),
        (["-d", "fr-ja=nosuch.txt"], 5, "nosuch.txt"),
    ],
)
def test_wrong_usage_is_explained(run, files, tmp_path, extra, code, what):
    found = run("join", *arguments(files), "-o", tmp_path / "m", *extra)
    assert found.code == code
    assert what in found.err


def test_an_unconnected_language_is_named(run, files, tmp_path):
    found = run("join", *arguments(files)[:-2], "-o", tmp_path / "m")
    assert found.code == 2
    assert "connects 'ru' with 'en', 'fr', 'ja'" in found.err
    assert "Add one, such as -d en-ru=FILE." in found.err


def test_export_writes_a_file_per_member_or_one_with_prefixes(run, joined, tmp_path):
    model = ia.Alignment.load(joined)
    assert run("export", joined, "-o", tmp_path / "out").code == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["en.vec", "fr.vec", "ja.vec", "ru.vec"]
    np.testing.assert_array_equal(ia.read_vectors(tmp_path / "out" / "ja.vec").vectors, model.space("ja"))
    options = ["--prefixed", "-m", "ja", "-m", "en"]
    assert run("export", joined, "-o", tmp_path / "all.vec", *options).code == 0
    written = ia.read_vectors(tmp_path / "all.vec")
    assert written.index_to_key[:4] == ["ja:ja0", "en:en0", "ja:ja1", "en:en1"]
    assert len(written) == 400
    np.testing.assert_array_equal(written["en:en7"], model.space("en")[7])
    assert run("export", joined, "-o", tmp_path / "all.vec", *options).code == 2


def test_matrix_scores_every_direction(run, joined, files):
    tests = [part for a, b in STAR[:2] for part in ("-t", f"{a}-{b}={files / f'{a}-{b}.test.txt'}")]
    train = [part for a, b in STAR[:2] for part in ("--train", f"{a}-{b}={files / f'{a}-{b}.txt'}")]
    found = json.loads(
        run("evaluate", "matrix", joined, *tests, *train, "--through", "en", "--bilingual", "--json").out
    )
    by_pair = {(score["source"], score["target"]): score for score in found["scores"]}
    assert set(by_pair) == {(a, b) for a in ("en", "fr", "ja") for b in ("en", "fr", "ja") if a != b}
    assert by_pair["fr", "ja"]["test"] == "fr-ja through en"
    assert by_pair["fr", "en"]["test"] == "en-fr inverted"
    assert by_pair["en", "fr"]["bilingual"]["value"] == 0.0
    assert by_pair["fr", "ja"]["bilingual"] is None
    assert "minus bilingual" in run("evaluate", "matrix", joined, *tests).out
    refused = run("evaluate", "matrix", joined, *tests, "--bilingual")
    assert refused.code == 2


def test_a_prefixed_file_is_what_ofa_takes(run, tmp_path):
    """KeyedVectors of words after three letters and a colon, of which a word holds no second one."""
    vectors = np.eye(3, dtype=np.float32)
    eng = ia.Embeddings(["cat", "10:30", "dog"], vectors, lang="eng")
    jpn = ia.Embeddings(["猫", "犬", "川"], vectors, lang="jpn")
    ia.Alignment.from_matrix(None, source=eng, target=jpn).save(tmp_path / "model")
    output = tmp_path / "all.vec"
    assert run("export", tmp_path / "model", "-o", output, "--prefixed", "--drop-ambiguous").code == 0
    found = KeyedVectors.load_word2vec_format(output)
    assert found.index_to_key == ["eng:cat", "jpn:猫", "jpn:犬", "eng:dog", "jpn:川"]
    for word in found.index_to_key:
        lang, text = word.split(":")
        assert (lang in ("eng", "jpn"), len(text) > 0) == (True, True)
    np.testing.assert_allclose(found["eng:dog"], [0, 0, 1])
