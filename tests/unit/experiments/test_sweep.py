"""A whole sweep in one process: its values are those of the front door, its work is done once."""

import json
from collections import Counter

import numpy as np
import pytest

import isoalign as ia
from isoalign.alignment.starts import Similarity
from isoalign.errors import IsoalignWarning, MissingFileError
from isoalign.experiments import LocalProcesses, _run, _spools, _sweep, load_records, read_config, sweep
from isoalign.experiments._plan import expand_cells
from unit.experiments.tiny import CONFIG, timeless, write_tiny


def values_of(records, **wanted):
    (record,) = [found for found in records if all(getattr(found.cell, name) == wanted[name] for name in wanted)]
    return record.values


@pytest.mark.parametrize("method", ["procrustes", "refine", "rcsls"])
def test_a_cell_is_what_align_and_evaluate_give(tiny, method):
    folder = tiny.parent
    en, de = (ia.read_vectors(folder / f"{lang}.vec") for lang in ("en", "de"))
    train, test = (ia.read_lexicon(folder / f"en-de.{part}.txt") for part in ("train", "test"))
    settings = {"refine": {"n_iter": 2}, "rcsls": {"epochs": 3}}.get(method, {})
    model = ia.align(en, de, train, method=method, normalize="iternorm", settings=settings)
    expected = ia.evaluate_bli(model, test)
    found = values_of(load_records(folder / "undisturbed"), target="de", normalize="iternorm", method=method)
    assert found["precision"] == {str(k): value for k, value in expected.precision.items()}
    assert found["ci95"]["1"] == list(expected.ci95[1])
    assert found["ranks"] == [answer.rank for answer in expected.answers]
    assert found["words"] == [answer.word for answer in expected.answers]
    selection = model.history["selection"]
    assert found["chosen"] == (selection and selection["chosen"])


def test_the_result_is_a_table_with_a_row_per_cell(tiny):
    found = sweep(read_config(tiny), tiny.parent / "undisturbed")
    frame = found.to_dataframe()
    assert list(frame["kind"]) == [record.cell.kind for record in found.records]
    for record, row in zip(found.records, found.to_records(), strict=True):
        if record.cell.kind == "bli":
            assert (row["measure"], row["score"], [row["low"], row["high"]]) == (
                "P@1",
                record.values["precision"]["1"],
                record.values["ci95"]["1"],
            )
        elif record.cell.kind == "similarity":
            assert (row["measure"], row["score"]) == ("Spearman", record.values["spearman"])
        else:
            assert row["score"] is None
    n = len(found.records)
    assert repr(found) == f"SweepResult({n} cells: 0 computed, {n} found)"


def test_refine_carries_the_honest_value_and_the_best_on_test_from_one_trajectory(tiny):
    records = load_records(tiny.parent / "undisturbed")
    procrustes = values_of(records, target="fr", normalize="none", method="procrustes")
    refine = values_of(records, target="fr", normalize="none", method="refine")
    assert refine["rounds"][0] == procrustes["precision"]["1"]
    assert refine["rounds"][refine["chosen"]["n_iter"]] == refine["precision"]["1"]
    assert refine["best_on_test"] == max(refine["rounds"])
    assert procrustes["best_on_test"] is None


def test_similarity_and_conditions_are_those_of_the_normalised_vectors(tiny):
    folder, records = tiny.parent, load_records(tiny.parent / "undisturbed")
    en = ia.normalize(ia.read_vectors(folder / "en.vec"), "center_length")
    expected = ia.evaluate_similarity(en, ia.read_similarity(folder / "likeness.txt"))
    found = values_of(records, kind="similarity", normalize="center_length")
    np.testing.assert_allclose([found["spearman"], found["n"]], [expected.spearman, expected.n])
    conditions = values_of(records, kind="conditions", normalize="iternorm", target="de")
    for side in ("source", "target"):
        np.testing.assert_allclose([conditions[side][f"{end}_length"] for end in ("min", "max")], 1, atol=1e-5)
        assert conditions[side]["mean_norm"] < 0.05


def test_a_second_start_computes_nothing(tiny, tmp_path):
    config = read_config(tiny)
    first = sweep(config, tmp_path / "r")
    second = sweep(config, tmp_path / "r")
    assert (first.computed, first.found, second.computed, second.found) == (27, 0, 0, 27)
    assert first.records == second.records
    assert not (tmp_path / "r" / "spools").exists()


def test_shared_work_is_done_once(tmp_path, monkeypatch):
    calls = Counter()

    def count(module, name):
        original = getattr(module, name)

        def counted(*arguments, **options):
            calls[name] += 1
            return original(*arguments, **options)

        monkeypatch.setattr(module, name, counted)

    count(_spools, "read_language")
    count(_run, "select_settings")
    count(_run, "evaluate_bli")
    text = CONFIG.replace("[settings.refine]", 'retrieval = ["csls", "nn"]\n[settings.refine]')
    sweep(read_config(write_tiny(tmp_path, text)), tmp_path / "r")
    assert calls == {"read_language": 3, "select_settings": 2 * 3 * 3, "evaluate_bli": 2 * 3 * 3 * 2}


@pytest.mark.parametrize(
    ("change", "recomputed"),
    [
        (("en-fr.test.txt", "en41 fr41\nen42 fr42\n"), 9),
        (("sweep.toml", CONFIG.replace("epochs = 3", "epochs = 2")), 6),
        (("sweep.toml", CONFIG.replace("similarity =", "limit = 58\nsimilarity =")), 27),
    ],
)
def test_what_depends_on_changed_data_or_settings_is_computed_again(tmp_path, change, recomputed):
    path = write_tiny(tmp_path)
    sweep(read_config(path), tmp_path / "r")
    name, content = change
    (tmp_path / name).write_text(content)
    assert sweep(read_config(path), tmp_path / "r").computed == recomputed


def test_files_that_were_moved_find_their_results(tiny, tmp_path):
    path = write_tiny(tmp_path)
    assert sweep(read_config(path), tiny.parent / "undisturbed").computed == 0


def test_a_cell_that_fails_leaves_the_others_alone_and_is_tried_again(tmp_path):
    path = write_tiny(tmp_path)
    good = (tmp_path / "en-fr.train.txt").read_text()
    (tmp_path / "en-fr.train.txt").write_text("nobody knows\n")
    found = sweep(read_config(path), tmp_path / "r")
    assert len(found.failures) == 9
    assert {failure.cell.target for failure in found.failures} == {"fr"}
    assert "No dictionary pair" in found.failures[0].reason
    assert found.computed == 18
    (tmp_path / "en-fr.train.txt").write_text(good)
    assert sweep(read_config(path), tmp_path / "r").computed == 9


def test_a_similarity_set_that_fails_leaves_the_others_alone(tmp_path):
    path = write_tiny(tmp_path, CONFIG.replace('["likeness.txt"]', '["strange.txt", "likeness.txt"]'))
    (tmp_path / "strange.txt").write_text("nobody\tknows\t1\n")
    found = sweep(read_config(path), tmp_path / "r")
    assert {failure.cell.dataset for failure in found.failures} == {"strange"}
    assert len([record for record in found.records if record.cell.dataset == "likeness"]) == 3


@pytest.mark.parametrize("select", ["none", "validation"])
def test_refinement_that_stops_for_want_of_pairs_keeps_its_last_map(tmp_path, select):
    grid = f'normalize = ["none"]\nmethods = ["procrustes", "refine"]\nselect = "{select}"\n'
    text = CONFIG.partition("[grid]")[0] + "[grid]\n" + grid + "[settings.refine]\nmin_margin = 10.0\n"
    with pytest.warns(IsoalignWarning, match="found no pair of words"):
        found = sweep(read_config(write_tiny(tmp_path, text)), tmp_path / "r").records
    refine, procrustes = (values_of(found, target="de", method=name) for name in ("refine", "procrustes"))
    assert refine["rounds"] == [procrustes["precision"]["1"]]
    assert refine["ranks"] == procrustes["ranks"]


def test_a_word_that_stands_twice_counts_once_in_the_first_rows_of_a_whole_file(tmp_path, monkeypatch):
    text = CONFIG.replace("similarity =", 'limit = 50\nstatistics = "file"\nsimilarity =')
    path = write_tiny(tmp_path, text.replace('"none", "center_length", "iternorm"', '"none"'))
    lines = (tmp_path / "de.vec").read_text().split("\n")
    (tmp_path / "de.vec").write_text("\n".join(["61 6", lines[1], *lines[1:]]))
    words = []

    def look(task):
        words.append(ia.read_vectors(task.spools[-1]).index_to_key)
        return ()

    monkeypatch.setattr(_sweep, "run_task", look)
    with pytest.warns(IsoalignWarning, match="1 rows repeat an earlier word"):
        sweep(read_config(path), tmp_path / "r")
    assert [f"de{row}" for row in range(50)] in words


def test_statistics_of_the_whole_file_differ_from_those_of_the_rows_read(tmp_path):
    text = CONFIG.replace("similarity =", 'limit = 50\nstatistics = "rows"\nsimilarity =')
    rows = sweep(read_config(write_tiny(tmp_path, text)), tmp_path / "rows").records
    whole = sweep(read_config(write_tiny(tmp_path, text.replace('"rows"', '"file"'))), tmp_path / "file").records
    wanted = {"kind": "conditions", "normalize": "iternorm", "target": "de"}
    assert values_of(whole, **wanted)["source"]["mean_norm"] > 10 * values_of(rows, **wanted)["source"]["mean_norm"]
    en = ia.normalize(ia.read_vectors(tmp_path / "en.vec"), "iternorm").vectors[:50]
    np.testing.assert_allclose(
        values_of(whole, **wanted)["source"]["mean_norm"], np.linalg.norm(en.mean(axis=0)), rtol=1e-4
    )


def test_a_missing_file_is_named_before_anything_runs(tmp_path):
    path = write_tiny(tmp_path)
    (tmp_path / "fr.vec").unlink()
    with pytest.raises(MissingFileError, match=r"fr\.vec: there is no such file"):
        sweep(read_config(path), tmp_path / "r")


def test_local_processes_give_the_same_records(tiny, tmp_path):
    found = sweep(read_config(tiny), tmp_path / "r", executor=LocalProcesses(2))
    assert found.computed == 27
    assert timeless(tmp_path / "r") == timeless(tiny.parent / "undisturbed")


def test_records_name_data_versions_and_threads(tiny):
    record = load_records(tiny.parent / "undisturbed")[-1]
    assert set(record.provenance["data"]) == {"source", "target", "train", "test"}
    assert record.provenance["isoalign"] == ia.__version__
    assert record.provenance["threads"] >= 1
    json.dumps(record.to_dict())


STARTS_CONFIG = (
    CONFIG.replace(
        'methods = ["procrustes", "refine", "rcsls"]',
        """methods = ["self_learning"]
starts = ["dictionary", "similarity", "numerals"]
seeds = [0, 1]
conditions = false""",
    )
    .split("[settings")[0]
    .replace('["de", "fr"]', '["de"]')
    .replace('similarity = ["likeness.txt"]', "")
)


def test_a_recipe_with_a_start_does_not_learn_from_the_dictionary(tmp_path):
    methods = 'methods = ["vecmap-unsupervised", "procrustes"]'
    content = STARTS_CONFIG.replace('methods = ["self_learning"]', methods).replace(
        'starts = ["dictionary", "similarity", "numerals"]\n', ""
    )
    cells = expand_cells(read_config(write_tiny(tmp_path, content)))
    assert {(cell.method, cell.start) for cell in cells} == {
        ("vecmap-unsupervised", "similarity"),
        ("procrustes", None),
    }


def test_starts_are_an_axis_and_one_that_finds_nothing_fails_alone(tmp_path):
    settings = "[settings.similarity]\nmax_rank = 50\n[settings.self_learning]\npatience = 2\n"
    path = write_tiny(tmp_path, STARTS_CONFIG + settings)
    found = sweep(read_config(path), tmp_path / "r")
    assert Counter(record.cell.start for record in found.records) == {None: 6, "similarity": 6}
    assert {failure.cell.system for failure in found.failures} == {"self_learning from numerals"}
    assert "found no pair of rows" in found.failures[0].reason
    en, de = (ia.read_vectors(tmp_path / f"{lang}.vec") for lang in ("en", "de"))
    options = {"method": "self_learning", "settings": {"patience": 2}, "normalize": "none"}
    model = ia.align(en, de, start=Similarity(max_rank=50), restarts=1, random_state=1, **options)
    expected = ia.evaluate_bli(model, ia.read_lexicon(tmp_path / "en-de.test.txt"))
    values = values_of(found.records, start="similarity", normalize="none", seed=1)
    assert values["ranks"] == [answer.rank for answer in expected.answers]
    (record,) = [one for one in found.records if one.values is values]
    assert record.provenance["start"] == {"max_rank": 50}
    assert "train" not in record.provenance["data"]
