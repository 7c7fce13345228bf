import re
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib import font_manager
from matplotlib.figure import Figure
from matplotlib.text import Text

import isoalign as ia
from isoalign._core.arrays import principal_plane
from isoalign.errors import InvalidValueError, ParameterError, UnknownWordError
from isoalign.reporting import (
    find_neighborhoods,
    plot_accuracy,
    plot_hubness,
    plot_mean_difference,
    plot_neighborhoods,
    plot_spaces,
    save_figure,
    to_inline_svg,
)
from unit.reporting.planted import accuracy, conditions


@pytest.fixture
def written():
    """A figure with a text in it."""

    def write(text):
        figure = Figure()
        figure.text(0.1, 0.5, text)
        return figure

    return write


@pytest.mark.parametrize("text", ["少女 猫", "فتاة", "เด็กผู้หญิง"])
def test_text_of_any_script_stays_text_in_an_svg(written, tmp_path, text):
    save_figure(written(text), tmp_path / "a.svg")
    root = ElementTree.parse(tmp_path / "a.svg").getroot()
    assert text in [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]


@pytest.fixture
def bundled_fonts(monkeypatch):
    """Hide all fonts but those that come with matplotlib."""
    bundled = [font for font in font_manager.fontManager.ttflist if "mpl-data" in font.fname]
    monkeypatch.setattr(font_manager.fontManager, "ttflist", bundled)
    monkeypatch.setattr(font_manager, "findSystemFonts", list)


def test_a_bitmap_without_a_font_for_its_letters_is_refused_with_a_remedy(written, tmp_path, bundled_fonts):
    with pytest.raises(ParameterError, match=r"no installed font has '女少'.*Write \.svg.*Noto Sans CJK"):
        save_figure(written("少女 x"), tmp_path / "a.png")
    assert list(tmp_path.iterdir()) == []


def test_a_bitmap_does_not_write_arabic_the_wrong_way_round(written, tmp_path):
    with pytest.raises(ParameterError, match="neither joined nor from right to left"):
        save_figure(written("فتاة"), tmp_path / "a.png")


def test_a_bitmap_draws_letters_that_only_another_font_has(written, tmp_path, bundled_fonts):
    # Of the fonts that come with matplotlib only STIX has this letter; a missing one would be a warning, so an error.
    figure = written("の x")
    for path in (tmp_path / "a.png", tmp_path / "a.pdf"):
        save_figure(figure, path)
    assert b"STIX" in (tmp_path / "a.pdf").read_bytes()
    assert {family for text in figure.findobj(Text) for family in text.get_fontfamily()} == {"sans-serif"}


def test_an_inline_svg_takes_the_colours_and_fonts_of_its_page(two_pairs):
    svg = to_inline_svg(plot_accuracy(two_pairs), name="first")
    assert svg.startswith("<svg")
    assert svg.rstrip().endswith("</svg>")
    assert set(re.findall(r"#[0-9a-f]{6}\b", svg)) <= {"#000000"}
    assert "var(--series-2)" in svg
    assert "currentColor" in svg
    assert "var(--sans)" in svg
    assert "DejaVu" not in svg
    assert "<metadata" not in svg


def test_two_inline_figures_share_no_id(two_pairs):
    ids = [set(re.findall(r'\bid="([^"]+)"', to_inline_svg(plot_accuracy(two_pairs), name=name))) for name in "ab"]
    assert ids[0]
    assert not ids[0] & ids[1]
    svg = to_inline_svg(plot_accuracy(two_pairs), name="a")
    assert set(re.findall(r'(?:href="#|url\(#)([^")]+)', svg)) <= ids[0]


def test_accuracy_has_a_panel_a_method_and_a_mark_a_cell(two_pairs):
    figure = plot_accuracy(two_pairs)
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["Procrustes", "Refine"]
    marks = [container.lines[0].get_xdata() for container in figure.axes[0].containers]
    np.testing.assert_allclose(np.sort(np.concatenate(marks).astype(float)), [1.7, 13.1, 32.5, 42.3, 44.3, 46.0])


def test_accuracy_of_one_pair_has_methods_as_lines(one_pair):
    (axes,) = plot_accuracy(one_pair).axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["Procrustes", "RCSLS"]


@pytest.mark.parametrize("name", ["x" * 5000, "$\\frac{$", "\x1b[2J\u202e\x00", "two\nlines"])
def test_any_name_can_be_drawn(tmp_path, name):
    records = [accuracy(target, name, normalize, 500) for target in (name, "de") for normalize in (name, "none")]
    records += [conditions(target, normalize, (1, 2)) for target in (name, "de") for normalize in (name, "none")]
    for number, plot in enumerate((plot_accuracy, plot_mean_difference)):
        save_figure(plot(records), tmp_path / f"{number}.svg")
        text = "".join(ElementTree.parse(tmp_path / f"{number}.svg").getroot().itertext())
        assert len(text) < 5000
        assert ("$\\frac{$" in text) == ("$" in name)


def test_accuracy_needs_accuracies():
    with pytest.raises(InvalidValueError, match="nothing to draw"):
        plot_accuracy([])


def test_the_mean_difference_is_on_the_axis_of_the_explanation(one_pair):
    axes = plot_mean_difference(one_pair).axes[0]
    points = [(float(line.get_xdata()[0]), float(line.get_ydata()[0])) for line in axes.lines]
    np.testing.assert_allclose(points, [(14.7, 54.8), (0.01, 57.5), (2e-6, 57.2)], rtol=1e-6)


def test_the_explanation_needs_conditions(one_pair):
    with pytest.raises(InvalidValueError, match="'conditions' record"):
        plot_mean_difference([record for record in one_pair if record.cell.kind == "bli"])


@pytest.fixture
def animals():
    words = ["girl", "boy", "cat", "dog"]
    return ia.Embeddings(words, np.array([[1, 0.1], [1, 0.2], [0.1, 1], [-1, 0.5]], dtype=np.float32), lang="en")


def test_neighbors_are_drawn_in_order_and_newcomers_marked(animals):
    found = find_neighborhoods(animals, "girl", k=2)
    assert [near.word for near in found[0].neighbors] == ["boy", "cat"]
    panels = plot_neighborhoods([found], glosses={"cat": "猫"}).axes
    assert [label.get_text() for label in panels[0].get_yticklabels()] == ["boy", "cat (猫)"]
    widths = [bar.get_width() for bar in panels[1].patches]
    np.testing.assert_allclose(widths, [near.score for near in found[1].neighbors])
    new = {near.word for near in found[1].neighbors} - {"boy", "cat"}
    assert sum("new" in text.get_text() for text in panels[1].texts) == len(new)


def test_the_projection_keeps_two_dimensions_exactly():
    rng = np.random.default_rng(0)
    flat = rng.standard_normal((20, 2)) @ np.linalg.qr(rng.standard_normal((7, 2)))[0].T
    points, share = principal_plane(flat.astype(np.float32))
    np.testing.assert_allclose(share, 1, atol=1e-6)
    centered = flat - flat.mean(axis=0)
    np.testing.assert_allclose(points @ points.T, centered @ centered.T, atol=1e-4)


def test_spaces_joins_each_word_with_its_translation(animals):
    pairs = [(word, word) for word in animals.index_to_key]
    model = ia.align(animals, animals, pairs, method="procrustes", normalize="unit")
    pairs = [("girl", "girl"), ("cat", "cat"), ("dog", "dog")]
    _, after = plot_spaces(model, pairs).axes
    joined = after.lines[: len(pairs)]
    np.testing.assert_allclose([line.get_xdata()[0] - line.get_xdata()[1] for line in joined], 0, atol=1e-5)
    with pytest.raises(UnknownWordError, match="'horse'"):
        plot_spaces(model, [("horse", "cat")])


def test_hubness_counts_add_up():
    counts = {"none": np.array([0, 0, 1, 39]), "iternorm": np.array([10, 10, 10, 10])}
    figure = plot_hubness(counts)
    (axes,) = figure.axes
    for patch in axes.patches:
        np.testing.assert_allclose(patch.get_data().values.sum(), 100)
    assert "largest hub 39, never a neighbour 50%" in figure.legends[0].get_texts()[0].get_text()
