"""The table of starts: runs are merged by cell, and runs that succeed are compared."""

import pytest

from benchmarks import starts


def run(start="similarity", pair="en-fr", normalize="iternorm", seed=0, precision=0.5, seconds=None):
    return {
        "start": start,
        "pair": pair,
        "normalize": normalize,
        "seed": seed,
        "settings": {},
        "precision": precision,
        "processor_seconds": seconds,
    }


def test_a_run_replaces_that_of_the_same_cell_and_seeds_stay_in_order():
    runs = []
    for one in (run(seed=2), run(seed=0), run(seed=1, precision=0.1), run(seed=1, precision=0.6), run("identical")):
        runs = starts.add_run(runs, one)
    assert [(one["start"], one["seed"]) for one in runs] == [
        ("identical", 0),
        ("similarity", 0),
        ("similarity", 1),
        ("similarity", 2),
    ]
    assert runs[2]["precision"] == 0.6


def test_a_cell_is_done_if_it_was_run_with_the_same_settings():
    configs = [starts.read_config(path) for path in sorted(starts.SWEEPS.glob("*.toml"))]
    cells = list(starts.split_cells(configs))
    icp = next(cell for cell in cells if cell.grid.starts == ("icp",))
    done = {**starts.describe_cell(icp), "precision": 0.0, "processor_seconds": 1.0}
    assert [cell for cell in cells if starts.is_done([done], cell)] == [icp]
    assert not starts.is_done([{**done, "settings": {"n_starts": 1}}], icp)


def test_the_table_counts_successes_and_averages_known_times():
    runs = [
        run(seconds=10.0),
        run(seed=1, precision=0.01, seconds=20.0),
        run(seed=2),
        run(pair="en-zh", precision=None),
    ]
    assert (
        starts.make_table(runs).split("\n")[2] == "| `similarity` | IN | 50.0 / 1.0 / 50.0 | no pairs | 2 of 3 | 15 |"
    )


def test_normalisations_are_compared_between_runs_that_succeed_with_both():
    before = [run(normalize="center_length", seed=seed, precision=p) for seed, p in enumerate((0.4, 0.4, 0.0, 0.4))]
    after = [run(seed=seed, precision=p) for seed, p in enumerate((0.41, 0.43, 0.4, 0.0))]
    found = starts.compare_normalizations([*before, *after, run(seed=9)])
    assert (found["both"], found["succeed_with_both"]) == (4, 2)
    assert (found["only_with_iternorm"], found["only_with_center_length"]) == (1, 1)
    assert found["all"]["mean"] == pytest.approx(0.02)
    assert found["all"]["ci95"] == pytest.approx([0.02 - 12.706 * 0.01, 0.02 + 12.706 * 0.01], abs=1e-4)
