"""Sweeps as TOML: what is accepted, and what is said of mistakes."""

from datetime import date

import pytest

from isoalign.datasets import list_datasets
from isoalign.errors import FormatError, MissingFileError, ParameterError
from isoalign.experiments import SWEEPS, expand_cells, load_sweep, parse_config, read_config
from unit.experiments.tiny import CONFIG


def read(tmp_path, text):
    path = tmp_path / "sweep.toml"
    path.write_text(text)
    return read_config(path)


def test_the_cells_are_all_combinations(tmp_path):
    cells = expand_cells(read(tmp_path, CONFIG.replace("[settings.refine]", "seeds = [0, 1]\n[settings.refine]")))
    assert len(cells) == len(set(cells)) == 3 * 1 + 2 * 3 * (1 + 3 * 2)
    assert {cell.kind for cell in cells} == {"bli", "similarity", "conditions"}


def test_names_of_files_may_stand_in_tables(tmp_path):
    text = CONFIG.replace('"{lang}.vec"', '{ en = "a.vec", de = "b.vec", fr = "c.vec" }')
    assert [read(tmp_path, text).data.vectors_of(lang) for lang in ("en", "fr")] == ["a.vec", "c.vec"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[grid]", "[grdi]", r"sweep.toml: unknown key 'grdi'. Did you mean 'grid'\?"),
        ("normalize =", "normalise =", r"unknown key 'grid.normalise'. Did you mean 'normalize'\?"),
        ("similarity =", "limits = 3\nsimilarity =", r"unknown key 'data.limits'. Did you mean 'limit'\?"),
        ('source = "en"', "", "the key 'source' is missing"),
        ("epochs = 3", "epoch = 3", r"RCSLS has no setting 'epoch'.*Did you mean 'epochs'\?"),
        ('"refine", ', "", "settings.refine is given, but grid.methods does not name 'refine'"),
        ('"rcsls"]', '"rcls"]', r"method must be one of .* Did you mean 'rcsls'\?"),
        ('"iternorm"]', '"iternom"]', r"iternorm"),
        ('"fr"]', '"fr", "fr"]', "targets must have at least one value, and no duplicates"),
        ('targets = ["de", "fr"]', 'targets = "de"', "targets must be a list of texts"),
        ("[grid]", '[grid]\nstarts = ["similarty"]', r"start must be one of .* Did you mean 'similarity'\?"),
        ("[settings.rcsls]", "[settings.icp]", "settings.icp is given, but grid.starts does not name 'icp'"),
        ("[grid]", "[grid]\nseeds = [-1]", "grid.seeds must be a whole number of at least 0"),
        ("[grid]", '[grid]\nselect = "test"', "grid.select must be one of 'validation'"),
        ("[grid]", "lower = 1\n[grid]", "data.lower must be true or false"),
        ('"{lang}.vec"', '"{language}.vec"', r"data.vectors may contain \{lang\} and no other braces"),
        ('"{lang}.vec"', '{ en = "a.vec" }', "data.vectors has no entry for 'de'"),
        ('source = "en"', "source =", "not a TOML file"),
    ],
)
def test_mistakes_are_named_with_a_suggestion(tmp_path, old, new, message):
    with pytest.raises(FormatError, match=message):
        read(tmp_path, CONFIG.replace(old, new))


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(MissingFileError, match=r"missing\.toml"):
        read_config(tmp_path / "missing.toml")


def test_the_paper_has_351_accuracy_cells_and_three_normalisations_of_four_similarity_sets():
    cells = expand_cells(load_sweep("iternorm-acl2019"))
    kinds = [cell.kind for cell in cells]
    assert (kinds.count("bli"), kinds.count("similarity")) == (351, 12)


def test_targets_limit_and_statistics_of_a_packaged_sweep_can_be_changed():
    config = load_sweep("iternorm-acl2019", targets=["ja", "zh"], limit=1000, statistics="file")
    assert (config.targets, config.data.limit, config.data.statistics) == (("ja", "zh"), 1000, "file")


def test_every_packaged_sweep_can_be_read():
    assert [load_sweep(name).sources[0] for name in SWEEPS] == ["en", "en", "de"]


def test_xling_has_28_pairs_four_sizes_and_its_own_protocol():
    config = load_sweep("xling")
    grid = config.grid
    assert (len(config.pairs), len(config.languages), grid.sizes) == (28, 8, ("500", "1k", "3k", "5k"))
    assert len(expand_cells(config)) == 28 * 4 * len(grid.normalize) * len(grid.methods)
    assert (grid.protocol, grid.retrieval, config.data.limit, config.data.lower) == ("xling", ("nn",), 200_000, True)
    names = [config.data.lexicon_of("train", *pair, size) for pair in config.pairs for size in config.sizes]
    names += [config.data.lexicon_of("test", *pair) for pair in config.pairs]
    names += [config.data.vectors_of(lang) for lang in config.languages]
    assert all(list_datasets(name) for name in names)


def test_pairs_and_vectors_of_a_packaged_sweep_can_be_changed():
    config = load_sweep("xling", pairs=["ru-fr", "en-fr", "ru-fr"], vectors={"ru": "r", "fr": "f", "en": "e"})
    assert config.pairs == (("ru", "fr"), ("en", "fr"))
    assert config.data.vectors_of("ru") == "r"
    with pytest.raises(ParameterError, match="pairs must be one of"):
        load_sweep("xling", pairs=["fr-ru"])


PAIRS = (
    'pairs = ["en-de", "de-fr"]\n[data]\nvectors = "{lang}"\ntrain = "{size}.{source}-{target}"\ntest = "{target}"\n'
)
SIZES = '[grid]\nsizes = ["s", "l"]\nmethods = ["procrustes"]\nnormalize = ["none"]\nconditions = false\n'


def test_pairs_may_have_different_sources_and_dictionaries_of_several_sizes(tmp_path):
    cells = expand_cells(read(tmp_path, PAIRS + SIZES))
    assert [(cell.source, cell.target, cell.size) for cell in cells] == [
        ("en", "de", "s"),
        ("en", "de", "l"),
        ("de", "fr", "s"),
        ("de", "fr", "l"),
    ]


def test_cells_without_a_dictionary_have_no_size(tmp_path):
    text = PAIRS + SIZES.replace("[grid]", '[grid]\nstarts = ["dictionary", "identical"]')
    cells = expand_cells(read(tmp_path, text))
    assert [(cell.start, cell.size) for cell in cells[:3]] == [(None, "s"), (None, "l"), ("identical", None)]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("pairs =", 'source = "en"\npairs =', "as pairs, or as source and targets"),
        ('"en-de"', '"en"', "pairs must be two languages with a hyphen between them, such as en-fr. Got 'en'"),
        ('"en-de"', '"de-fr"', "pairs must have at least one value, and no duplicates"),
        ("{size}.", "", r"data.train must contain \{size\}"),
        ('sizes = ["s", "l"]', "", r"data.train may contain \{source\}, \{target\} and no other braces"),
        ("[grid]", 'similarity = ["x"]\n[grid]', "data.similarity needs one source language"),
    ],
    ids=["both", "one language", "twice", "no size", "no sizes", "similarity"],
)
def test_mistakes_in_pairs_are_named(tmp_path, old, new, message):
    with pytest.raises(FormatError, match=message):
        read(tmp_path, (PAIRS + SIZES).replace(old, new))


@pytest.mark.parametrize("name", ["../../../x", "a/b", "a\\\\b", "..", ".", "a\\u0000b", "a\\u001bb", "a\\nb"])
@pytest.mark.parametrize("key", ["source", "targets"])
def test_a_language_that_leads_elsewhere_is_refused(tmp_path, key, name):
    line = f'targets = ["{name}"]' if key == "targets" else f'source = "{name}"\ntargets = ["de"]'
    other = 'source = "en"' if key == "targets" else ""
    path = tmp_path / "sweep.toml"
    path.write_text(f'{other}\n{line}\n[data]\nvectors = "{{lang}}"\ntrain = "t"\ntest = "t"\n')
    with pytest.raises(FormatError, match="A language must be printable, contain neither / nor"):
        read_config(path)


@pytest.mark.parametrize("template", ["{lang.x}", "{lang:999999999}", "{lang!r}", "{lang[0]}", "{}", "{0}", "{", "{x}"])
def test_a_template_takes_plain_fields_only(template):
    content = {"source": "en", "targets": ["de"], "data": {"vectors": template, "train": "t", "test": "t"}}
    with pytest.raises(ParameterError, match=r"data.vectors may contain \{lang\} and no other braces"):
        parse_config(content)


@pytest.mark.parametrize("value", ["1979-05-27", "1979-05-27T07:32:00", "[1, {}]", "{a = 1}"])
def test_settings_are_single_values(tmp_path, value):
    path = tmp_path / "sweep.toml"
    path.write_text(
        'source = "en"\ntargets = ["de"]\n[data]\nvectors = "{lang}"\ntrain = "t"\ntest = "t"\n[grid]\n'
        f'methods = ["rcsls"]\n[settings.rcsls]\nlr = {value}\n'
    )
    with pytest.raises(FormatError, match=r"settings.rcsls.lr must be text, numbers, true or false"):
        read_config(path)


@pytest.mark.parametrize("key", ["limit", "lower", "statistics", "vectors"])
def test_a_date_is_no_setting(key):
    data = {"vectors": "{lang}", "train": "t", "test": "t", key: date(1979, 5, 27)}
    with pytest.raises(ParameterError, match=f"data.{key} must be"):
        parse_config({"source": "en", "targets": ["de"], "data": data})
