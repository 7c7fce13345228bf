"""Contract of alignment methods."""

import tempfile
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from isoalign._core.arrays import unit_rows
from isoalign.alignment import (
    ALIGNERS,
    AbstractAligner,
    AbstractIterativeAligner,
    Alignment,
    Maps,
    Problem,
    Sizes,
    align,
    induce_pairs,
    make_aligner,
)
from isoalign.errors import InvalidValueError, IsoalignError, IsoalignWarning, NotFittedError, ParameterError
from isoalign.evaluation import evaluate_bli
from isoalign.experiments import parse_config, sweep
from isoalign.io import write_lexicon, write_vectors
from isoalign.lexicon import Lexicon
from isoalign.maps import AbstractMap
from isoalign.testing._planted import assert_refuses, planted_embeddings, planted_problem
from isoalign.translation import Translator, induce_lexicon

__all__ = ["METHOD_CHECKS", "check_method"]

_STEPS_AGAIN = 3


def check_method(name: str) -> None:
    """Run every check of a registered alignment method; the first that fails raises AssertionError."""
    for check in METHOD_CHECKS:
        check(name)


def _make(name: str) -> AbstractAligner:
    aligner = make_aligner(name)
    assert isinstance(aligner, AbstractAligner)
    return aligner


def _fit(name: str, problem: Problem, **options: Any) -> AbstractAligner:
    return _make(name).fit_problem(problem, **options)


def undoes_a_planted_rotation(name: str) -> None:
    """Check that paired rows of a rotated copy are mapped close to each other."""
    problem = planted_problem(200, 8, noise=0.0)
    fitted = _fit(name, problem)
    mapped, other = fitted.transform(problem.X), fitted.transform_target(problem.Y)
    cosines = (mapped * other).sum(axis=1) / np.linalg.norm(mapped, axis=1) / np.linalg.norm(other, axis=1)
    assert cosines.min() > 0.9, f"the worst cosine of a pair is {cosines.min():.2f}"


def learns_maps_that_meet(name: str) -> None:
    """Check that both maps accept the columns of their side and have the same output dimension, which stages keep."""
    problem = planted_problem()
    fitted = _fit(name, problem)
    for one in (fitted.source_map_, fitted.target_map_):
        assert isinstance(one, AbstractMap)
        assert one.dim_in == problem.X.shape[1]
    dim = fitted.source_map_.dim_out
    assert fitted.target_map_.dim_out == dim
    for stage in (fitted.maps_.forward, fitted.maps_.backward):
        assert stage is None or (stage.dim_in, stage.dim_out) == (dim, dim)
    assert fitted.transform(problem.X).dtype == fitted.transform_target(problem.Y).dtype == np.float32
    assert isinstance(fitted.history_, list)


def leaves_its_arguments_alone(name: str) -> None:
    """Check that fitting and transforming change neither spaces nor pairs."""
    problem = planted_problem(n_pairs=80)
    before = problem.X.copy(), problem.Y.copy(), problem.known_pairs.copy()
    fitted = _fit(name, problem)
    fitted.transform(problem.X)
    fitted.transform_target(problem.Y)
    for now, then in zip((problem.X, problem.Y, problem.known_pairs), before, strict=True):
        np.testing.assert_array_equal(now, then)


def repeats_itself(name: str) -> None:
    """Check that the same problem gives the same maps, also after another fit in between."""
    problem = planted_problem()
    first, again = _fit(name, problem), _make(name)
    again.fit_problem(planted_problem(90, n_pairs=60)).fit_problem(problem)
    np.testing.assert_array_equal(again.transform(problem.X), first.transform(problem.X))
    assert again.history_ == first.history_


def declares_randomness(name: str) -> None:
    """Check that a method whose maps depend on the seed sets ``is_random``; sweeps fit others once for all seeds."""
    one, other = (_fit(name, replace(planted_problem(), random_state=seed)) for seed in (0, 1))
    problem = planted_problem()
    same = np.array_equal(one.transform(problem.X), other.transform(problem.X))
    same &= np.array_equal(one.transform_target(problem.Y), other.transform_target(problem.Y))
    assert same or one.is_random, "another seed gives other maps: set is_random = True"


def calls_back_every_step(name: str) -> None:
    """Check that steps are numbered from 0, and the last one called back is the result."""
    problem, steps = planted_problem(), list[tuple[int, Maps]]()
    fitted = _fit(name, problem, callback=lambda step, maps: steps.append((step, maps)))
    assert [step for step, _ in steps] == list(range(len(steps)))
    np.testing.assert_array_equal(steps[-1][1].source.apply(problem.X), fitted.transform(problem.X))


def takes_the_same_step_again(name: str) -> None:
    """Check that a step of an iterative method depends on nothing but the problem and the state."""
    problem, aligner = planted_problem(), _make(name)
    if not isinstance(aligner, AbstractIterativeAligner):
        return
    state = aligner.start(problem)
    for _ in range(min(aligner.max_steps(), _STEPS_AGAIN)):
        if aligner.finished(state):
            return
        one, again = aligner.step(problem, state), aligner.step(problem, state)
        assert (one.number, one.record, one.value) == (again.number, again.record, again.value)
        for first, second, rows in zip(one.maps[:2], again.maps[:2], (problem.X, problem.Y), strict=True):
            np.testing.assert_array_equal(second.apply(rows), first.apply(rows))
        state = one


def takes_paired_rows_of_any_type(name: str) -> None:
    """Check that ``fit(X, Y)`` accepts other layouts and types, and rejects unpaired rows."""
    problem = planted_problem()
    expected = _make(name).fit(problem.X, problem.Y).transform(problem.X)
    other = _make(name).fit(np.asfortranarray(problem.X), problem.Y.astype(np.float64))
    np.testing.assert_allclose(other.transform(problem.X), expected, atol=1e-5)
    for X, Y in (
        (problem.X, problem.Y[:50]),
        (problem.X[0], problem.Y[0]),
        (problem.X[:0], problem.Y[:0]),
        (np.full((3, 6), np.nan), problem.Y[:3]),
    ):
        assert_refuses(IsoalignError, lambda X=X, Y=Y: _make(name).fit(X, Y))  # type: ignore[misc]


def forgets_a_fit_that_failed(name: str) -> None:
    """Check that after an error in the middle of a fit, no learned attribute remains."""

    def give_up(_step: int, _maps: Maps) -> None:
        raise RuntimeError("enough")

    problem = planted_problem()
    aligner = _fit(name, problem)
    assert_refuses(RuntimeError, lambda: aligner.fit_problem(problem, callback=give_up))
    assert_refuses(NotFittedError, lambda: aligner.transform(problem.X))


def knows_its_settings(name: str) -> None:
    """Check that settings can be read, written and copied; unknown ones are errors."""
    aligner = _make(name)
    params = aligner.get_params(deep=False)
    assert aligner.set_params(**params).get_params(deep=False) == params
    assert repr(aligner.fit_problem(planted_problem()).unfitted_copy()) == repr(aligner)
    assert_refuses(ParameterError, lambda: aligner.set_params(no_such_setting=3))
    assert {setting.name for setting in ALIGNERS[name].settings()} == set(params)


def says_what_it_needs_and_costs(name: str) -> None:
    """Check that methods that need pairs reject problems without; the cost grows with the vocabularies."""
    aligner, problem = _make(name), planted_problem()
    alone = Problem(problem.X, problem.Y)
    if aligner.needs_pairs:
        assert_refuses(InvalidValueError, lambda: aligner.fit_problem(alone))
    else:
        assert len(aligner.fit_problem(alone).transform(problem.X)) == len(problem.X)
    small, large = (_make(name).cost(Sizes(n, n, 300, (n // 10, n // 10))) for n in (1_000, 10_000))
    assert 0 <= small <= large


def handles_one_pair_of_one_column(name: str) -> None:
    """Check that the smallest possible problem can be solved."""
    one = np.ones((1, 1), dtype=np.float32)
    fitted = _make(name).fit(one, one)
    mapped, other = unit_rows(fitted.transform(one)), unit_rows(fitted.transform_target(one))
    np.testing.assert_allclose(mapped, other, atol=1e-6)


def survives_saving(name: str) -> None:
    """Check that a model that was saved and loaded maps, translates and induces as before, in both directions."""
    source, target, train = planted_embeddings(60, 5, noise=0.2, n_pairs=40)
    model = align(source, target, train, method=name, select=None)
    with tempfile.TemporaryDirectory() as folder:
        model.save(Path(folder) / "m")
        loaded = Alignment.load(Path(folder) / "m")
        new = np.random.default_rng(0).standard_normal((4, 5)).astype(np.float32)
        for a, b in (("xx", "yy"), ("yy", "xx")):
            np.testing.assert_array_equal(loaded.apply(new, a, to=b), model.apply(new, a, to=b), strict=True)
            words = loaded.raw(a).index_to_key[:5]
            expected = Translator(model, source=a, target=b).translate(words)
            assert Translator(loaded, source=a, target=b).translate(words) == expected
        assert induce_lexicon(loaded) == induce_lexicon(model)
        test = Lexicon((f"s{i}", f"t{i}") for i in range(40, 60))
        assert evaluate_bli(loaded, test).precision == evaluate_bli(model, test).precision
        pairs = induce_pairs(loaded.pair().csls_spaces(10)).pairs
        assert len(pairs) == len(induce_lexicon(model))


def runs_in_a_sweep(name: str) -> None:
    """Check that the name works as a method of a sweep, and its record is complete."""
    source, target, train = planted_embeddings(60, 5, noise=0.2, n_pairs=40)
    with tempfile.TemporaryDirectory() as temporary, warnings.catch_warnings():
        warnings.simplefilter("ignore", IsoalignWarning)
        folder = Path(temporary)
        write_vectors(source, folder / "xx.vec")
        write_vectors(target, folder / "yy.vec")
        write_lexicon(train, folder / "train.txt")
        write_lexicon(Lexicon((f"s{i}", f"t{i}") for i in range(40, 60)), folder / "test.txt")
        config = parse_config(
            {
                "source": "xx",
                "targets": ["yy"],
                "data": {"vectors": "{lang}.vec", "train": "train.txt", "test": "test.txt"},
                "grid": {"methods": [name], "normalize": ["iternorm"], "conditions": False},
            },
            folder=folder,
        )
        result = sweep(config, folder / "results")
    assert not result.failures, result.failures[0].reason
    (record,) = result.records
    assert record.cell.method == name
    assert 0 <= record.values["precision"]["1"] <= 1


METHOD_CHECKS: tuple[Callable[[str], None], ...] = (
    undoes_a_planted_rotation,
    learns_maps_that_meet,
    leaves_its_arguments_alone,
    repeats_itself,
    declares_randomness,
    calls_back_every_step,
    takes_the_same_step_again,
    takes_paired_rows_of_any_type,
    forgets_a_fit_that_failed,
    knows_its_settings,
    says_what_it_needs_and_costs,
    handles_one_pair_of_one_column,
    survives_saving,
    runs_in_a_sweep,
)
"""Every check of an alignment method; each takes the registered name."""
