"""Estimates agree with times that benchmarks measured."""

import json
from pathlib import Path

import pytest

from isoalign.alignment import Sizes, resolve_method
from isoalign.experiments import estimate_costs, read_config
from isoalign.experiments._cost import _fitting, _selecting

RESULTS = Path(__file__).parents[3] / "benchmarks" / "results"
SAMPLE = Sizes(16_086, 19_989, 300, (4_899, 5_833), (1_459, 1_733))
FULL = Sizes(200_000, 200_000, 300, (5_000, 8_000), (1_500, 2_500))


def read_figures(name):
    return json.loads((RESULTS / f"{name}.json").read_text())["figures"]


@pytest.mark.parametrize("method", ["refine", "rcsls"])
def test_a_cell_takes_about_as_long_as_estimated(method):
    measured = read_figures("sweep")
    times = [cell["wall_s"] for cell in measured["cells"] if cell["method"] == method]
    aligner = resolve_method(method).aligner
    estimated = _fitting(aligner, SAMPLE) + _selecting(aligner, SAMPLE) + SAMPLE.csls(best=10)
    assert estimated / measured["operations_per_second"] == pytest.approx(sum(times) / len(times), rel=0.3)


@pytest.mark.parametrize("best", [1, 10])
def test_lazy_csls_costs_the_measured_share(best):
    measured = read_figures("evaluate")
    share = measured[f"seconds_lazy_{best}"] / measured[f"seconds_full_{best}"]
    assert FULL.csls(best) / (FULL.product + FULL.questions) == pytest.approx(share, rel=0.1)


def test_a_search_that_is_not_lazy_costs_the_whole_product():
    assert SAMPLE.csls(best=10) == SAMPLE.product + SAMPLE.questions


def estimate_sample(tmp_path, method, select):
    path = tmp_path / f"{method}-{select}.toml"
    path.write_text(
        'source = "en"\ntargets = ["ja"]\n'
        '[data]\nvectors = "sample:{lang}"\ntrain = "sample:train"\ntest = "sample:test"\n'
        f'[grid]\nnormalize = ["none"]\nmethods = ["{method}"]\nretrieval = ["csls", "nn"]\nselect = "{select}"\n'
        "conditions = false\n"
    )
    return [cost.operations for cost in estimate_costs(read_config(path))]


def test_selecting_is_counted_where_a_method_selects(tmp_path):
    chosen, plain = (sum(estimate_sample(tmp_path, "refine", select)) for select in ("validation", "none"))
    assert chosen > plain
    chosen, plain = (sum(estimate_sample(tmp_path, "contrast-kernel", select)) for select in ("validation", "none"))
    assert chosen == plain  # its settings are fixed


def test_reading_counts_for_the_first_cell(tmp_path):
    first, second = estimate_sample(tmp_path, "procrustes", "none")
    assert first - second > 2 * 8_000 * 300
