import signal
import subprocess
import sys

import pytest
from typer.testing import CliRunner

import isoalign as ia
from isoalign._core.optional import install_command
from isoalign.cli import app
from isoalign.errors import ParameterError
from isoalign.web import open_models
from isoalign.web._dictionaries import DictionaryStore
from isoalign.web._lookup import translate_words
from isoalign.web._models import Model
from isoalign.web._parameters import RequestError
from web.conftest import make_model
from web.serving import Server


def run(*arguments):
    result = CliRunner().invoke(app, ["serve", *map(str, arguments)])
    return result.exit_code, result.stderr


def test_without_a_model_it_says_what_to_do():
    code, err = run()
    assert code == 2
    assert "--sample" in err


def test_a_missing_folder_is_not_found(tmp_path):
    assert run(tmp_path / "nothing")[0] == 5


def test_a_model_without_vectors_is_refused_with_advice(tmp_path, planted):
    planted.save(tmp_path / "maps", vectors=False)
    code, err = run(tmp_path / "maps")
    assert code == 2
    assert "vectors" in err


def test_vectors_without_words_are_refused(tmp_path, planted):
    en = planted.raw("en")
    numbered = ia.Embeddings(None, en.vectors)
    model = ia.align(en, numbered, [(word, row) for row, word in enumerate(en.index_to_key)])
    model.compute_means()
    model.save(tmp_path / "numbers")
    code, err = run(tmp_path / "numbers")
    assert code == 2
    assert "needs words" in err


def test_an_alignment_of_one_member_is_refused(tmp_path, planted):
    planted.select(["en"]).save(tmp_path / "alone")
    code, err = run(tmp_path / "alone")
    assert code == 2
    assert "two members" in err


def test_a_token_that_no_header_can_carry_is_refused(folders):
    assert run(folders[1], "--token", "open sesame")[0] == 2


def test_a_taken_port_is_named(folders, server):
    code, err = run(folders[1], "--port", server.url.rpartition(":")[2])
    assert code == 2
    assert "--port 0" in err


def test_without_the_extra_it_prints_the_pip_line(folders, monkeypatch):
    monkeypatch.setitem(sys.modules, "starlette", None)
    code, err = run(folders[1])
    assert code == 4
    assert install_command("web") in err


def test_help_imports_no_server():
    code = "import sys; from isoalign.cli import app; assert not {'starlette', 'uvicorn', 'numpy'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_server_starts_without_what_only_learning_needs():
    code = "import sys, isoalign.web._models, isoalign.web._server; "
    code += "assert not {'scipy.optimize', 'scipy.linalg', 'isoalign.evaluation', 'isoalign.drift'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_missing_means_are_computed_and_the_person_is_told(tmp_path):
    model = make_model(size=40)
    model.means = {}
    model.save(tmp_path / "bare")
    told = []
    models = open_models([tmp_path / "bare", tmp_path / "bare"], tell=told.append)
    assert [model.name for model in models] == ["bare", "bare-2"]
    assert all(means.k == 10 for model in models for means in model.alignment.means.values())
    assert all(set(model.alignment.means) == {("en", "he"), ("he", "en")} for model in models)
    assert ["--precompute" in sentence for sentence in told] == [True, True]


def test_a_large_model_without_means_opens_before_they_are_known_and_answers_the_same(planted):
    bare = ia.Alignment(planted.members, provenance=planted.provenance)
    with pytest.raises(ParameterError, match="compute_means"):
        Model("small", bare)
    large, known = Model("large", bare, most_products=100), Model("known", planted)
    (way, back), (known_way, _) = large.first_directions(), known.first_directions()
    assert not way.is_prepared
    assert large.examples["en"]
    way.prepare()
    assert way.is_prepared
    assert back.is_prepared
    assert not bare.means
    words = ["girl", "tokyo", "word7"]
    assert translate_words(way, 3, True, words) == translate_words(known_way, 3, True, words)
    with pytest.raises(RequestError, match="--precompute"):
        DictionaryStore(10).get(way, False)


@pytest.fixture(scope="module")
def sample_server():
    server = Server("--sample")
    yield server
    log = server.stop(signal.SIGINT)
    assert server.process.returncode == 130
    assert "Traceback" not in log


def test_the_sample_is_served_with_its_acknowledgements(sample_server):
    model = sample_server.get("/api/models").json["models"][0]
    assert model["name"] == "sample"
    assert any("Electronic Dictionary Research and Development Group" in c["acknowledgement"] for c in model["credits"])
    words = [entry["word"] for entry in sample_server.get("/api/translate", word="cat").json["translations"]]
    assert "猫" in words


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have one loopback address unless told otherwise")
def test_any_loopback_address_answers_to_its_own_name(folders):
    server = Server(folders[1], "--host", "127.0.0.2")
    try:
        assert "127.0.0.2" in server.url
        assert server.get("/health").status == 200
    finally:
        server.stop()
