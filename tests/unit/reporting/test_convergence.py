import numpy as np
import pytest

from isoalign.errors import ParameterError
from isoalign.normalization import IterNorm, Unit
from isoalign.reporting import plot_convergence, save_convergence


@pytest.fixture
def fitted():
    return IterNorm(n_iter=4).fit(np.random.default_rng(0).standard_normal((50, 4)) + 1)


def test_the_curves_are_the_residuals(fitted):
    axes = plot_convergence({"small": fitted}).axes[0]
    curves = np.array([line.get_ydata() for line in axes.lines])
    np.testing.assert_array_equal(curves, np.transpose(fitted.history_))
    assert "small" in axes.get_legend().get_texts()[0].get_text()
    assert "after scaling, before centring" in axes.get_legend().get_texts()[0].get_text()
    assert axes.get_yscale() == "log"


@pytest.mark.parametrize(("suffix", "magic"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_the_suffix_chooses_the_format(fitted, tmp_path, suffix, magic):
    save_convergence(fitted, tmp_path / f"figure.{suffix}")
    assert (tmp_path / f"figure.{suffix}").read_bytes().startswith(magic)


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_the_same_figure_gives_the_same_bytes(fitted, tmp_path, suffix):
    files = [tmp_path / f"a.{suffix}", tmp_path / f"b.{suffix}"]
    for file in files:
        save_convergence(fitted, file)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_an_unknown_suffix_is_refused(fitted, tmp_path):
    with pytest.raises(ParameterError, match="suffix of a figure"):
        save_convergence(fitted, tmp_path / "figure.docx")


def test_what_has_no_rounds_is_refused(tmp_path):
    with pytest.raises(ParameterError, match="shows the rounds of iternorm"):
        save_convergence(Unit(), tmp_path / "figure.svg")
