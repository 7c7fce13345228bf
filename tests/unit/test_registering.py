"""What other packages register works everywhere, without a change in the library."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import isoalign as ia
from isoalign._core.registry import KINDS, load_object
from isoalign.alignment import ALIGNERS, STARTS
from isoalign.errors import FormatError, ParameterError
from isoalign.io import Format, detect_format
from isoalign.testing import METHOD_CHECKS, check_map, check_start, planted_embeddings
from isoalign.testing._methods import declares_randomness
from toys import METHODS, BentMap, Halved, Plain, SameRow, Shifted

TESTS = Path(__file__).parent.parent


@pytest.fixture(autouse=True)
def registered():
    added = [("map", "toy_bent", BentMap), ("start", "toy_rows", SameRow), ("normalizer", "toy_halved", Halved)]
    added += [("retrieval", "toy_plain", Plain), *(("method", *entry) for entry in METHODS.items())]
    for kind, name, thing in added:
        ia.register(kind, name, thing)
    yield
    for kind, name, _ in added:
        load_object(KINDS[kind]).unregister(name)


@pytest.mark.parametrize("check", METHOD_CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", METHODS)
def test_a_method_from_outside_keeps_the_contract_without_a_change_in_the_library(name, check):
    check(name)


class Noisy(Shifted):
    """Direct: a rotation of pairs drawn at random."""

    def _solve(self, problem):
        chosen = problem.rng().permutation(len(problem.known_pairs))[:20]
        return super()._solve(problem.with_pairs(problem.known_pairs[chosen]))


def test_a_method_must_say_that_it_is_random():
    ia.register("method", "toy_noisy", Noisy)
    try:
        with pytest.raises(AssertionError, match="set is_random = True"):
            declares_randomness("toy_noisy")
        Noisy.is_random = True
        declares_randomness("toy_noisy")
    finally:
        ALIGNERS.unregister("toy_noisy")


def test_a_map_and_a_start_from_outside_keep_theirs():
    check_map(BentMap(np.eye(3)))
    check_start("toy_rows")
    source, target, _ = planted_embeddings(60, 5)
    model = ia.align(source, target, start="toy_rows", method="procrustes")
    assert model.provenance["start"] == "toy_rows"


def test_normalisers_and_retrievals_from_outside_work_by_name(tmp_path):
    source, target, train = planted_embeddings(60, 5)
    ia.align(source, target, train, normalize="toy_halved,unit").save(tmp_path / "m")
    model = ia.Alignment.load(tmp_path / "m")
    found = ia.Translator(model, retrieval="toy_plain").translate("s3")
    assert [word for word, _ in found] == [word for word, _ in ia.Translator(model, retrieval="nn").translate("s3")]


def test_an_entry_knows_itself():
    entry = ALIGNERS["toy_iterative"]
    assert entry.about.startswith("Iterative: begin at least squares")
    assert [(setting.name, setting.default) for setting in entry.settings()] == [("n_iter", 3)]
    lr = next(setting for setting in ALIGNERS["rcsls"].settings() if setting.name == "lr")
    assert (lr.type, lr.default) == ("float | None", None)


def test_built_in_names_and_unknown_kinds_are_refused():
    with pytest.raises(ParameterError, match="'procrustes' is a built-in method"):
        ia.register("method", "procrustes", Shifted)
    with pytest.raises(ParameterError, match="kind must be one of"):
        ia.register("methods", "mine", Shifted)


def test_a_saved_model_whose_map_is_not_registered_says_so(tmp_path):
    source, target, train = planted_embeddings(60, 5)
    ia.align(source, target, train, method="toy_nonlinear").save(tmp_path / "m")
    load_object(KINDS["map"]).unregister("toy_bent")
    with pytest.raises(FormatError, match=r"no map is registered under the name 'toy_bent'\. Is the package"):
        ia.Alignment.load(tmp_path / "m")


def test_a_query_stage_belongs_to_one_direction():
    source, target, train = planted_embeddings(60, 5)
    model = ia.align(source, target, train, method="toy_staged")
    assert not np.allclose(model.space("xx", to="yy"), model.space("xx"), atol=1e-3)
    assert model.space("yy", to="xx") is model.space("yy")
    new = np.random.default_rng(1).standard_normal((3, 5)).astype(np.float32)
    plain = model.apply(new, "xx")
    unit = plain / np.linalg.norm(plain, axis=1, keepdims=True)
    np.testing.assert_allclose(model.apply(new, "xx", to="yy"), unit + 3 * np.tanh(unit), atol=1e-6)
    model.compute_means()
    for a, b in (("xx", "yy"), ("yy", "xx")):
        queries, targets = model.space(a, to=b), model.space(b)
        expected = np.sort(targets @ queries.T, axis=1)[:, -10:].mean(axis=1)
        np.testing.assert_allclose(model.means[a, b].values, expected, atol=1e-6)
    back = model.reverse()
    assert back.pair().names == ("yy", "xx")
    np.testing.assert_array_equal(back.space("xx", to="yy"), model.space("xx", to="yy"))


def test_a_dictionary_is_induced_with_the_stage_of_each_direction():
    source, target, train = planted_embeddings(60, 5, noise=1.0)
    model = ia.align(source, target, train, method="toy_staged")

    def csls(queries, targets):
        cosines = queries.astype(float) @ targets.T.astype(float)
        own = np.sort(cosines, axis=1)[:, -10:].mean(axis=1)
        return 2 * cosines - own[:, None] - np.sort(cosines, axis=0)[-10:].mean(axis=0)

    forward = csls(model.space("xx", to="yy"), model.space("yy")).argmax(axis=1)
    backward = csls(model.space("yy"), model.space("xx")).argmax(axis=1)
    expected = [(f"s{i}", f"t{j}") for i, j in enumerate(forward) if backward[j] == i]
    assert ia.induce_lexicon(model).pairs == expected


_ROUNDED = """
import toys

class RoundMap(toys.BentMap):
    pass

class Rounding(toys.Bent):
    def _solve(self, problem):
        source, target = super()._solve(problem)[:2]
        return toys.Maps(*(RoundMap(one.matrix, one.strength) for one in (source, target)))
"""


def test_entry_points_of_installed_packages_are_found(tmp_path):
    info = tmp_path / "toys-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toys\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[isoalign.methods]\ntoy_direct = toys:Shifted\nround = rounded:Rounding\n"
        "[isoalign.maps]\nround = rounded:RoundMap\n"
    )
    package = tmp_path / "rounded"
    package.mkdir()
    (package / "__init__.py").write_text("from rounded._inner import Rounding, RoundMap\n")
    (package / "_inner.py").write_text(_ROUNDED)
    code = (
        "from isoalign.testing import check_method; from isoalign.alignment import ALIGNERS; "
        "assert ALIGNERS['toy_direct'].load().__name__ == 'Shifted'; check_method('toy_direct'); "
        "assert ALIGNERS['toy_direct'].describe().startswith('Direct: rotate, then move'); "
        "check_method('round'); print('kept')"
    )
    path = os.pathsep.join([str(tmp_path), str(TESTS), *sys.path])
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == "kept\n", done.stderr
    assert "toy_direct" not in STARTS


def test_a_file_format_from_outside_is_written_and_read(tmp_path):
    toy = Format(
        "toy_lines",
        "text with another ending",
        "isoalign.io.text._reader:open_stream",
        "isoalign.io.text._output:write_stream",
        (".toy",),
        detector="toys:looks_like_toy",
        needs_count=True,
    )
    ia.register("format", "toy_lines", toy)
    try:
        source, *_ = planted_embeddings(20, 3)
        ia.write_vectors(source, tmp_path / "x.toy")
        assert detect_format(tmp_path / "x.toy") is toy
        np.testing.assert_array_equal(ia.read_vectors(tmp_path / "x.toy").vectors, source.vectors)
        assert ia.read_vectors(tmp_path / "x.toy", format="toy_lines").index_to_key == source.index_to_key
    finally:
        load_object(KINDS["format"]).unregister("toy_lines")
    with pytest.raises(ParameterError, match="format must be one of"):
        ia.read_vectors(tmp_path / "x.toy", format="toy_lines")
