"""What goes wrong on the command line is told in its own words: options, and what to type."""

import pytest

import isoalign as ia

VECTORS = "3 2\n{} 1 0\n{} 0 1\n{} 1 1\n"


@pytest.fixture
def files(tmp_path):
    def write(pairs, *, encoding="utf-8"):
        (tmp_path / "a.vec").write_text(VECTORS.format("cat", "dog", "café"))
        (tmp_path / "b.vec").write_text(VECTORS.format("猫", "犬", "喫茶店"))
        (tmp_path / "d.txt").write_text("".join(f"{a}\t{b}\n" for a, b in pairs), encoding=encoding)
        return [tmp_path / "a.vec", tmp_path / "b.vec", "-d", tmp_path / "d.txt", "-o", tmp_path / "model"]

    return write


def test_lower_counts_for_the_dictionary_too(run, files):
    arguments = files([("Cat", "猫"), ("DOG", "犬")])
    refused = run("align", *arguments)
    assert refused.code == 3
    assert "2 more after lower-casing (--lower)" in refused.err
    assert "2 of 2 pairs known" in run("align", *arguments, "--lower").out


def test_messages_name_options(run, files, tmp_path):
    (tmp_path / "wide.vec").write_text("1 3\n猫 1 2 3\n")
    arguments = files([("cat", "猫")])
    found = run("align", arguments[0], tmp_path / "wide.vec", *arguments[2:], "--method", "procrustes")
    assert "Use --method least_squares or " in found.err
    assert run("align", *arguments, "--select", "test", "--method", "refine").err.endswith("Pass --test ….\n")


def test_a_misspelt_start_is_suggested(run, files):
    arguments = files([("cat", "猫")])
    arguments[3] = "identcal"
    refused = run("align", *arguments)
    assert refused.code == 5
    assert "identcal: no such file, and no start has this name. Did you mean 'identical'?" in refused.err


def test_one_pair_is_counted_as_one(run, files):
    found = run("align", *files([("cat", "猫")]), "--method", "procrustes", "--allow-low-coverage")
    assert "1 known pair (1 source word) for 2 dimensions" in found.err


def test_unicode_forms_count_for_the_dictionary_too(run, files):
    arguments = files([("cafe\u0301", "喫茶店")])
    assert "1 more after Unicode normalisation (--unicode NFC)" in run("align", *arguments).err
    assert run("align", *arguments, "--unicode", "NFC").code == 0


def test_swapped_columns_are_noticed_and_swapped(run, files):
    arguments = files([("猫", "cat"), ("犬", "dog"), ("喫茶店", "café")])
    refused = run("align", *arguments)
    assert refused.code == 3
    assert "the columns seem swapped, since 3 of 3 pairs match the other way round" in refused.err
    assert "Read the dictionary the other way round: with --swap, or without it if it was given." in refused.err
    assert "3 of 3 pairs known" in run("align", *arguments, "--swap").out


def test_the_advice_on_swapped_columns_is_true_if_they_were_swapped_by_mistake(run, files):
    arguments = files([("cat", "猫"), ("dog", "犬"), ("café", "喫茶店")])
    assert "with --swap, or without it if it was given." in run("align", *arguments, "--swap").err
    assert "3 of 3 pairs known" in run("align", *arguments).out


def test_a_dictionary_in_another_encoding_is_named_and_read(run, files):
    arguments = files([("cat", "猫"), ("dog", "犬")], encoding="utf-16")
    assert "looks like UTF-16: read it with --encoding utf-16" in run("align", *arguments).err
    assert "2 of 2 pairs known" in run("align", *arguments, "--encoding", "utf-16").out


def test_an_error_shows_the_warnings_that_quiet_withheld(run, files):
    arguments = files([("chat", "été"), ("chien", "garçon à")], encoding="latin-1")
    loud, quiet = run("align", *arguments), run("align", *arguments, "-q")
    assert quiet.code == loud.code == 3
    assert "looks like Latin-1: read it with --encoding latin-1, or convert it: iconv -f ISO-8859-1" in quiet.err
    assert quiet.err == loud.err
    known = files([("cat", "猫"), ("dog", "犬"), ("x", "é")], encoding="utf-8")
    known[3].write_bytes(known[3].read_bytes() + b"y\t\xe9\n")
    assert "warning: " in run("align", *known).err
    assert run("align", *known, "--force", "-q").err == ""


def test_next_to_no_known_pair_is_an_error_unless_allowed(run, files):
    arguments = files([("cat", "猫"), *((f"x{i}", f"y{i}") for i in range(30))])
    refused = run("align", *arguments)
    assert refused.code == 3
    assert "Fewer than 5% of the dictionary are known. 1 of 31 dictionary pairs are in" in refused.err
    assert "Pass --allow-low-coverage to continue anyway." in refused.err
    assert run("align", *arguments, "--allow-low-coverage").code == 0


def test_python_is_told_of_arguments(files):
    source, target, _, lexicon, *_ = files([("cat", "猫"), *((f"x{i}", f"y{i}") for i in range(30))])
    with pytest.raises(ia.errors.InvalidValueError, match="Pass allow_low_coverage=True"):
        ia.align(ia.read_vectors(source), ia.read_vectors(target), ia.read_lexicon(lexicon))


def test_all_that_is_wrong_is_said_at_once(run, tmp_path):
    found = run("align", tmp_path / "a.vec", tmp_path / "b.vec")
    assert found.code == 2
    for part in ("This method needs pairs.", "Nothing would be kept.", "a.vec: no such file.", "b.vec: no such file."):
        assert part in found.err
    found = run("align", tmp_path / "a.vec", tmp_path / "b.vec", "-d", tmp_path / "d.txt", "--start", "identical")
    assert "Give a dictionary or a start, not both. Nothing would be kept." in found.err
    assert "d.txt: no such file." in found.err
    joined = run("join")
    assert joined.code == 2
    assert joined.err.count(".vec") == 1
    for part in ("Nothing would be kept.", "Name vector files by member", "Give dictionaries that connect them"):
        assert part in joined.err


def test_a_dictionary_option_that_does_not_exist_is_guessed(run):
    for command in (["align", "a", "b"], ["evaluate", "bli", "m"], ["join", "a=b"], ["compare", "a", "b"]):
        assert "--dictionary" in run(*command, "--dict", "x").err
    assert "(Possible options: --dictionary, -d)" in run("align", "a", "b", "--dict", "x").err
