import numpy as np
import pytest

from isoalign.errors import ParameterError
from isoalign.normalization import Center, CenterLength, Chain, Identity, IterNorm, Unit, make_normalizer


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("none", Identity()),
        ("unit", Unit()),
        ("renorm", Unit()),
        ("C+L", CenterLength()),
        ("center_length", CenterLength()),
        (" IterNorm ", IterNorm()),
        ("IN", IterNorm()),
        ("unit,center,unit", Chain((Unit(), Center(), Unit()))),
        ("renorm, center, renorm,", Chain((Unit(), Center(), Unit()))),
    ],
)
def test_a_name_makes_its_normalizer(name, expected):
    assert repr(make_normalizer(name)) == repr(expected)


def test_settings_reach_the_normalizer():
    assert repr(make_normalizer("iternorm", n_iter=7, zero="keep")) == "IterNorm(n_iter=7, zero='keep')"


def test_an_unknown_name_is_refused_with_the_nearest():
    with pytest.raises(ParameterError, match="Did you mean 'iternorm'"):
        make_normalizer("iternrom")


def test_an_unknown_setting_is_refused():
    with pytest.raises(ParameterError, match="no setting 'rounds'"):
        make_normalizer("iternorm", rounds=3)


def test_a_chain_takes_no_settings():
    with pytest.raises(ParameterError, match="A chain takes no settings"):
        make_normalizer("unit,center", n_iter=3)


@pytest.mark.parametrize("name", ["", " , "])
def test_no_name_is_refused(name):
    with pytest.raises(ParameterError, match="needs a name"):
        make_normalizer(name)


def test_every_step_learns_from_what_the_one_before_left():
    X = np.random.default_rng(0).standard_normal((50, 4)) + 2
    chain = make_normalizer("unit,center").fit(X)
    np.testing.assert_allclose(chain.steps_[1].mean_, Unit().fit_transform(X).mean(axis=0), atol=1e-7)


def test_the_steps_given_stay_unfitted():
    steps = (Unit(), Center())
    Chain(steps).fit(np.eye(3))
    assert not hasattr(steps[1], "mean_")
