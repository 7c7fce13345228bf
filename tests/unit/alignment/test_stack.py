"""The cosine of a stack is the mean of the cosines of its parts, with and without query stages."""

import numpy as np
import pytest

from isoalign.alignment import GeoMM, Kernel, Problem, Procrustes, Stack, learn
from isoalign.errors import ParameterError
from planted import planted_pair


def problem(n=120, dim=6, noise=0.3):
    X, Y, _ = planted_pair(n=n, dim=dim, noise=noise)
    return Problem(X, Y, np.repeat(np.arange(n // 2)[:, None], 2, axis=1))


def cosines(maps, task, *, backward=False):
    if backward:
        maps = maps._replace(source=maps.target, target=maps.source, forward=maps.backward)
        U, V = maps.spaces(task.Y, task.X)
    else:
        U, V = maps.spaces(task.X, task.Y)
    return U @ V.T


@pytest.mark.parametrize("backward", [False, True])
@pytest.mark.parametrize("weights", [(1, 1), (2, 1), (0, 3)])
def test_cosines_are_the_weighted_means_of_those_of_the_parts(weights, backward):
    task = problem()
    parts = [Kernel("procrustes"), GeoMM(penalty=1.0)]
    found = Stack(parts, weights).fit_problem(task).maps_
    expected = [cosines(part.fit_problem(task).maps_, task, backward=backward) for part in parts]
    expected = np.average(expected, axis=0, weights=weights)
    np.testing.assert_allclose(cosines(found, task, backward=backward), expected, atol=2e-6)


def test_parts_may_be_named_and_recipes_are_names_too():
    task = problem(dim=3)
    named = Stack("vecmap, geomm-kernel").fit_problem(task).maps_
    assert [type(part).__name__ for part in Stack("vecmap, geomm-kernel")._make_parts()] == ["VecMap", "Kernel"]
    assert named.source.dim_out == 6
    assert named.forward.dim_in == 6


def test_open_weights_are_chosen_in_one_fit(monkeypatch):
    task = problem()
    fits = []
    solve = Procrustes._solve
    monkeypatch.setattr(Procrustes, "_solve", lambda self, task: fits.append(1) or solve(self, task))
    learned = learn(task, Stack(["procrustes", "vecmap"], weights=None), select="validation")
    assert len(fits) == 2  # one to choose, one on all pairs
    tried = [candidate.settings["weights"] for candidate in learned.selection.candidates]
    assert tried == [[1, 1], [2, 1], [1, 2], [1, 0], [0, 1]]
    assert learned.aligner.weights in tried


def test_a_copy_has_parts_of_its_own():
    stack = Stack([Procrustes(), "geomm"])
    copy = stack.unfitted_copy()
    assert copy.aligners[0] is not stack.aligners[0]
    assert copy.aligners[1] == "geomm"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"aligners": []}, "at least one aligner"),
        ({"aligners": ["procrustes"], "weights": [1, 2]}, "one number for each of the 1"),
        ({"aligners": ["procrustes"], "weights": "half"}, "'equal' or one number"),
        ({"aligners": ["procrustes", "vecmap"], "weights": [1, -1]}, "not negative"),
    ],
)
def test_wrong_settings_are_refused(settings, message):
    with pytest.raises(ParameterError, match=message):
        Stack(**settings).fit_problem(problem())
