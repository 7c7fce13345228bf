"""``isoalign align``, ``apply``, ``translate`` and ``induce`` on real files."""

import json
from pathlib import Path

import numpy as np
import pytest

import isoalign as ia

SMALL = Path(__file__).parent.parent / "reference" / "small"
FASTTEXT = Path(__file__).parent.parent / "data" / "fasttext"
FILES = [SMALL / "source.vec", SMALL / "target.vec", "--seed-dictionary", SMALL / "train.txt"]


@pytest.fixture(scope="session")
def sample_files(tmp_path_factory):
    """Write the embedded sample, English and Japanese, as a user would have it."""
    folder, sample = tmp_path_factory.mktemp("sample"), ia.load_sample()
    ia.write_vectors(sample.source.head(3000), folder / "en.vec")
    ia.write_vectors(sample.target.head(3000), folder / "ja.vec")
    ia.write_lexicon(sample.train, folder / "train.txt")
    return folder


@pytest.fixture(scope="session")
def sample_model(sample_files):
    from typer.testing import CliRunner

    from isoalign.cli import app

    files = [sample_files / name for name in ("en.vec", "ja.vec")]
    arguments = ["align", *files, "-d", sample_files / "train.txt", "-o", sample_files / "model", "--langs", "en,ja"]
    result = CliRunner().invoke(app, [*map(str, arguments), "--precompute"])
    assert result.exit_code == 0, result.stderr
    return sample_files / "model"


@pytest.fixture
def model(run, tmp_path):
    assert run("align", *FILES, "-o", tmp_path / "model").code == 0
    return tmp_path / "model"


def test_align_keeps_what_the_library_would(run, model):
    expected = ia.align(
        ia.read_vectors(SMALL / "source.vec"),
        ia.read_vectors(SMALL / "target.vec"),
        ia.read_lexicon(SMALL / "train.txt"),
    )
    np.testing.assert_array_equal(ia.Alignment.load(model)["source"].map, expected["source"].map)


def test_align_says_what_it_did(run, tmp_path):
    found = run("align", *FILES, "-o", tmp_path / "m", "--method", "refine")
    assert found.code == 0
    assert "pairs known" in found.out
    assert "by CSLS P@1 on held-out training words" in found.out
    assert f"wrote          {tmp_path / 'm'}" in found.out


def test_align_prints_json(run, tmp_path):
    found = json.loads(run("align", *FILES, "-o", tmp_path / "m", "--method", "rcsls", "--set", "lr=1", "--json").out)
    assert found["schema"] == "isoalign/align/1"
    assert found["written"] == [str(tmp_path / "m")]
    assert found["provenance"]["settings"]["lr"] == 1
    assert found["history"]["selection"]["chosen"]["epochs"] in (10, 20)
    assert len(found["history"]["residuals"]["source"]) == 5


def test_settings_normalisation_selection_and_seed_reach_the_library(run, tmp_path):
    options = ["--method", "refine", "--normalize", "unit,center", "--select", "none", "--seed", 3]
    assert (
        run("align", *FILES, "-o", tmp_path / "m", *options, "--set", "n_iter=2", "--set", "aligner=vecmap").code == 0
    )
    about = ia.Alignment.load(tmp_path / "m").provenance
    assert about["settings"]["n_iter"] == 2
    assert about["settings"]["aligner"] == "vecmap"
    assert about["normalize"] == "Chain(steps=(Unit(), Center()))"
    assert about["random_state"] == 3


def test_a_config_file_gives_what_the_command_line_does_not(run, tmp_path):
    (tmp_path / "c.toml").write_text('method = "rcsls"\nnormalize = "unit"\n[settings]\nlr = 2.0\nepochs = 3\n')
    found = run("align", *FILES, "--config", tmp_path / "c.toml", "--set", "epochs=4", "--dry-run", "--json")
    plan = json.loads(found.out)
    assert plan == {
        "schema": "isoalign/align-plan/1",
        "aligner": "RCSLS(lr=2.0, epochs=4)",
        "normalize": "unit",
        "select": "validation",
        "seed": 0,
    }


def test_a_plan_without_a_method_says_what_a_small_dictionary_changes(run):
    plan = ("align", *FILES, "--dry-run")
    few = "(self_learning, then geomm, if the dictionary is small)"
    assert f"aligner    Kernel(aligner='contrastive') {few}\n" in run(*plan).out
    assert json.loads(run(*plan, "--json").out)["aligner"] == "Kernel(aligner='contrastive')"
    for options in (("--method", "contrast-kernel"), ("--start", "similarity")):
        assert few not in run(*plan, *options).out


def test_a_setting_of_another_method_names_the_method_that_was_chosen(run):
    refused = run("align", *FILES, "--set", "patience=1", "--dry-run")
    assert refused.code == 2
    assert "the one that was chosen, contrast-kernel, has no setting 'patience'. Use --method self_learning." in (
        refused.err
    )
    refused = run("align", *FILES, "--set", "patience=1", "--method", "contrast-kernel", "--dry-run")
    assert "Kernel has no setting 'patience'" in refused.err


def test_the_seed_is_a_setting_too(run):
    for option in (("--seed", 3), ("--set", "random_state=3")):
        assert json.loads(run("align", *FILES, *option, "--dry-run", "--json").out)["seed"] == 3


def test_a_method_that_needs_pairs_says_so_before_anything_is_read(run, tmp_path):
    refused = run("align", tmp_path / "none.vec", tmp_path / "nor.vec", "-o", tmp_path / "m")
    assert (refused.code, refused.out) == (2, "")
    assert "needs pairs. Give a dictionary with -d, or --start with one of identical, numerals" in refused.err


@pytest.mark.parametrize("text", ["method = ", "speed = 3", "settings = 3", 'normalize = ["unit"]'])
def test_a_wrong_config_file_is_bad_input(run, tmp_path, text):
    (tmp_path / "c.toml").write_text(text)
    refused = run("align", *FILES, "--config", tmp_path / "c.toml", "--dry-run")
    assert refused.code == 3
    assert f"error: {tmp_path / 'c.toml'}" in refused.err


def test_export_writes_both_mapped_vocabularies(run, tmp_path):
    assert run("align", *FILES, "--export", tmp_path / "out", "--langs", "en,ja").code == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["en.vec", "ja.vec"]
    lengths = np.linalg.norm(ia.read_vectors(tmp_path / "out" / "en.vec").vectors, axis=1)
    np.testing.assert_allclose(lengths, 1, atol=1e-6)


def test_members_are_named_after_the_files_or_as_the_user_says(run, sample_files, tmp_path):
    files = [sample_files / "en.vec", sample_files / "ja.vec", "-d", sample_files / "train.txt", "--limit", 1500]
    for options, names in (((), ("en", "ja")), (("--langs", "eng,jpn"), ("eng", "jpn"))):
        assert run("align", *files, "--method", "procrustes", *options, "-o", tmp_path / names[0]).code == 0
        assert ia.Alignment.load(tmp_path / names[0]).names == names


def test_calibrate_keeps_how_far_translations_can_be_trusted(run, sample_files, tmp_path):
    files = [sample_files / "en.vec", sample_files / "ja.vec", "--method", "procrustes", "--limit", 2000]
    words = ["-d", sample_files / "train.txt"]
    assert run("align", *files, *words, "-o", tmp_path / "a", "--calibrate").code == 0
    clear, doubtful = (
        ia.Alignment.load(tmp_path / "a").provenance["confidence"][0]["rates"][level] for level in ("clear", "doubtful")
    )
    assert clear["right"] / clear["n"] > doubtful["right"] / doubtful["n"]
    refused = run("align", *files, "--start", "similarity", "-o", tmp_path / "b", "--calibrate")
    assert refused.code == 2
    assert "--calibrate needs a dictionary" in refused.err


def test_precompute_keeps_the_means_and_no_vectors_keeps_the_maps_alone(run, tmp_path):
    assert run("align", *FILES, "-o", tmp_path / "a", "--precompute").code == 0
    means = ia.Alignment.load(tmp_path / "a").means
    assert {pair: found.k for pair, found in means.items()} == {("source", "target"): 10, ("target", "source"): 10}
    assert run("align", *FILES, "-o", tmp_path / "b", "--no-vectors").code == 0
    refused = run("translate", tmp_path / "b", "s000")
    assert (refused.code, refused.out) == (2, "")
    assert "saved without the vectors of 'source'. Load it with them" in refused.err
    given = ["--source", SMALL / "source.vec", "--target", SMALL / "target.vec"]
    assert run("translate", tmp_path / "b", "s000", *given).out == run("translate", tmp_path / "a", "s000").out
    assert run("induce", tmp_path / "b", *given).out == run("induce", tmp_path / "a").out


def test_selecting_on_test_words_prints_that_it_saw_them(run, tmp_path):
    options = ["--method", "refine", "--select", "test", "--test", SMALL / "test.txt"]
    found = run("align", *FILES, "-o", tmp_path / "m", *options)
    assert found.code == 0
    assert "warning: --select test used the test words" in found.err
    assert "the TEST words" in found.out


def test_seeds_without_a_dictionary(run, tmp_path):
    for name in ("a", "b"):
        rows = np.random.default_rng(0).standard_normal((60, 4))
        words = [str(i) for i in range(30)] + [f"w{i}" for i in range(30)]
        ia.write_vectors(ia.Embeddings(words, rows), tmp_path / f"{name}.vec")
    quick = ["--restarts", "1", "--set", "patience=2"]
    for kind, pairs in (("identical", 60), ("numerals", 30)):
        for option in ("--seed-dictionary", "--start"):
            files = [tmp_path / "a.vec", tmp_path / "b.vec", option, kind, "-o", tmp_path / f"{kind}{option}"]
            about = json.loads(run("align", *files, *quick, "--json").out)["provenance"]
            assert (about["start"], about["pairs"], about["lexicon"]) == (kind, pairs, None)
    files = [tmp_path / "a.vec", tmp_path / "b.vec", "--start", "numerals", "--force", "-o", tmp_path / kind]
    shown = run("align", *files, *quick).out
    assert "30 pairs found by numerals" in shown
    assert "60 pairs by self_learning" in shown
    shown = run("align", *files, "--restarts", "3", "--then", "procrustes", "--set", "patience=3").out
    assert "found (restarts agree on" in shown
    assert "procrustes" in shown


def test_a_checkpoint_keeps_the_run_and_refuses_methods_that_have_none(run, tmp_path):
    options = ["--method", "self_learning", "--set", "max_iter=2", "--checkpoint", tmp_path / "c"]
    for name in ("m", "again"):
        assert run("align", *FILES, *options, "-o", tmp_path / name).code == 0
    assert len(list((tmp_path / "c").iterdir())) == 1
    refused = run("align", *FILES, "--method", "refine", "--checkpoint", tmp_path / "c", "-o", tmp_path / "r")
    assert refused.code == 2
    assert "refine cannot resume from a checkpoint" in refused.err


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--start", "identical"], 2, "not both"),
        (["--start", "identicle"], 2, "Did you mean 'identical'?"),
        (["--method", "procrustse"], 2, "Did you mean 'procrustes'?"),
        (["--method", "muse-supervise"], 2, "Did you mean 'muse-supervised'?"),
        (["--set", "speed=3"], 2, "no setting 'speed'"),
        (["--set", "lr"], 2, "--set takes NAME=VALUE"),
        (["--select", "best"], 2, "select must be one of"),
        (["--method", "refine", "--select", "test"], 2, "needs the test dictionary"),
        (["--normalize", "untit"], 2, "Did you mean 'unit'?"),
        (["--method", "refine", "--set", "aligner__lr=3"], 2, "Procrustes has no setting 'lr'"),
        (["--limit", 0], 2, "limit"),
        (["--test", "nowhere.txt"], 5, "nowhere.txt"),
    ],
)
def test_wrong_usage_has_its_exit_code_and_writes_nothing(run, tmp_path, arguments, code, message):
    refused = run("align", *FILES, "-o", tmp_path / "m", *arguments)
    assert refused.code == code
    assert message in refused.err
    assert refused.out == ""
    assert list(tmp_path.iterdir()) == []


def test_bad_data_missing_files_and_existing_output_have_their_exit_codes(run, tmp_path):
    (tmp_path / "d.txt").write_text("no such\n")
    (tmp_path / "v.vec").write_text("2 3\na 1 2 3\nb 1 x 3\n")
    (tmp_path / "m").mkdir()
    out = ["-o", tmp_path / "new"]
    cases = [
        (
            run("align", SMALL / "source.vec", SMALL / "target.vec", "-d", tmp_path / "d.txt", *out),
            3,
            "No dictionary pair",
        ),
        (run("align", tmp_path / "v.vec", SMALL / "target.vec", "-d", SMALL / "train.txt", *out), 3, "v.vec:3"),
        (run("align", tmp_path / "w.vec", SMALL / "target.vec", "-d", SMALL / "train.txt", *out), 5, "w.vec"),
        (run("align", *FILES, "-o", tmp_path / "m"), 2, "exists already"),
        (run("align", *FILES), 2, "Nothing would be kept"),
    ]
    for refused, code, message in cases:
        assert refused.code == code
        assert refused.err.startswith("error: ")
        assert refused.err.count("\n") == 1
        assert message in refused.err
    assert run("align", *FILES, "-o", tmp_path / "m", "--force").code == 0


def test_bad_lines_of_a_dictionary_stop_or_are_left_out_and_counted(run, model, tmp_path):
    (tmp_path / "d.txt").write_text("alone\n" + (SMALL / "train.txt").read_text())
    files = [SMALL / "source.vec", SMALL / "target.vec", "-d", tmp_path / "d.txt", "-o", tmp_path / "m"]
    refused = run("align", *files)
    assert (refused.code, "d.txt:1: " in refused.err) == (3, True)
    taken = run("align", *files, "--skip-bad")
    assert taken.code == 0, taken.err
    assert "1 bad lines were skipped" in taken.err
    found, expected = (ia.Alignment.load(path)["source"].map for path in (tmp_path / "m", model))
    np.testing.assert_array_equal(found, expected)


@pytest.mark.slow
def test_few_pairs_are_noted_on_standard_error(run, tmp_path):
    (tmp_path / "d.txt").write_text("".join((SMALL / "train.txt").read_text().splitlines(keepends=True)[:5]))
    found = run("align", SMALL / "source.vec", SMALL / "target.vec", "-d", tmp_path / "d.txt", "-o", tmp_path / "m")
    assert found.code == 0
    assert found.err.count("warning:") == 1
    assert "5 known words are too few for a plain map: self_learning is used" in found.err


def test_apply_sends_any_file_through_the_map(run, model, tmp_path):
    found = run("apply", model, SMALL / "target.vec", tmp_path / "o.vec", "--member", "target", "--unit", "--json")
    assert json.loads(found.out) == {
        "schema": "isoalign/apply/1",
        "path": str(tmp_path / "o.vec"),
        "member": "target",
        "to": None,
    }
    np.testing.assert_allclose(
        ia.read_vectors(tmp_path / "o.vec").vectors, ia.Alignment.load(model).space("target"), atol=1e-6
    )


def test_apply_reads_standard_input_and_writes_standard_output(run, model):
    found = run("apply", model, "-", "-", "--limit", 2, stdin=(SMALL / "source.vec").read_bytes())
    lines = found.out.split("\n")
    assert lines[0] == "2 20"
    assert [line.partition(" ")[0] for line in lines[1:]] == ["s000", "s001", ""]


def test_apply_has_its_exit_codes(run, model, tmp_path):
    assert run("apply", model, SMALL / "source.vec", tmp_path / "o.vec", "--member", "left").code == 2
    assert run("apply", model, tmp_path / "none.vec", tmp_path / "o.vec").code == 5
    assert run("apply", tmp_path / "none", SMALL / "source.vec", tmp_path / "o.vec").code == 5
    assert run("apply", SMALL, SMALL / "source.vec", tmp_path / "o.vec").code == 3
    assert run("apply", model, FASTTEXT / "skipgram.bin", tmp_path / "o.vec").code == 3
    assert run("apply", model, FASTTEXT / "skipgram.bin", tmp_path / "o.bin").code == 2
    assert not (tmp_path / "o.vec").exists()


def test_translate_finds_translations_of_real_words(run, sample_model):
    found = json.loads(run("translate", sample_model, "cat", "river", "-k", 5, "--json").out)
    assert found["schema"] == "isoalign/translate/1"
    answers = {entry["word"]: [best["word"] for best in entry["best"]] for entry in found["translations"]}
    assert "川" in answers["river"]
    assert len(answers["cat"]) == 5
    back = run("translate", sample_model, "川", "--reverse", "-k", 3).out
    assert "river" in back
    assert len(back.strip().split("\n")) == 3


def test_translate_reads_words_from_standard_input(run, sample_model):
    found = run("translate", sample_model, "-k", 1, stdin="river\r\n\n  cat\n")
    assert [line.split()[0] for line in found.out.strip().split("\n")] == ["river", "cat"]
    assert run("translate", sample_model, "-", "-k", 1, stdin="river\ncat\n").out == found.out


def test_translate_makes_vectors_of_unseen_words_from_subwords(run, tmp_path):
    raw = ia.read_vectors(FASTTEXT / "skipgram.bin")
    ia.write_vectors(ia.Embeddings([f"t{i}" for i in range(len(raw))], raw.vectors), tmp_path / "t.vec")
    ia.write_lexicon(ia.Lexicon((word, f"t{i}") for i, word in enumerate(raw.index_to_key)), tmp_path / "d.txt")
    files = [FASTTEXT / "skipgram.bin", tmp_path / "t.vec", "-d", tmp_path / "d.txt", "-o", tmp_path / "m"]
    assert run("align", *files, "--normalize", "none").code == 0
    unseen = raw.index_to_key[0] + raw.index_to_key[1]
    assert run("translate", tmp_path / "m", unseen).code == 5
    assert run("translate", tmp_path / "m", unseen, "--source", FASTTEXT / "skipgram.bin").code == 0


def test_induce_writes_a_dictionary(run, model, tmp_path):
    found = run("induce", model, "-o", tmp_path / "lexicon.tsv", "--json")
    lexicon = ia.read_lexicon(tmp_path / "lexicon.tsv")
    assert json.loads(found.out)["n"] == len(lexicon) > 300
    expected = ia.induce_lexicon(ia.Alignment.load(model))
    assert lexicon.pairs == expected.pairs
    printed = run("induce", model, "--top", 3, "--no-mutual").out.strip().split("\n")
    assert [len(line.split("\t")) for line in printed] == [3, 3, 3]
    assert run("induce", "nowhere", "-o", tmp_path / "lexicon.tsv").code == 2
    assert len(json.loads(run("induce", model, "--max-rank", 50, "--min-score", 0, "--json").out)["pairs"]) <= 50


def test_spelling_is_named_in_what_is_learned_and_measured(run, tmp_path):
    made = run("align", *FILES, "--method", "procrustes", "--spelling", "-o", tmp_path / "m")
    assert "spelling" in made.out
    weights = ia.Alignment.load(tmp_path / "m").provenance["rerank"]
    assert set(weights) == {"source→target", "target→source"}


def test_check_dictionary_lists_planted_mistakes(run, tmp_path):
    pairs = list(ia.read_lexicon(SMALL / "train.txt"))
    wrong = {word: pairs[(place + 50) % len(pairs)][1] for place, (word, _) in enumerate(pairs) if place % 20 == 0}
    ia.write_lexicon(ia.Lexicon((word, wrong.get(word, answer)) for word, answer in pairs), tmp_path / "d.txt")
    files = [*FILES[:2], "-d", tmp_path / "d.txt", "--folds", 3]
    top = 2 * len(wrong)
    found = json.loads(run("check-dictionary", *files, "--top", top, "--json", "-o", tmp_path / "all.tsv").out)
    assert len(found["suspects"]) == top
    assert len({one["source"] for one in found["suspects"]} & set(wrong)) > 0.6 * len(wrong)
    lines = (tmp_path / "all.tsv").read_text(encoding="utf-8").splitlines()
    assert lines[0].split("\t") == ["source", "target", "suspicion", "rank", "reverse rank", "suggestions"]
    assert len(lines) == 1 + found["known_pairs"]
    shown = run("check-dictionary", *files, "--top", 3).out
    assert "suspicion" in shown
    assert f"of {found['n_pairs']} pairs are in the vocabularies." in shown
