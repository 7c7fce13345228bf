"""Place labels next to points so that they cover neither each other nor a point."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from isoalign.reporting._fonts import display_width
from isoalign.reporting._style import show_name

__all__ = ["Box", "Label", "label_points", "place_labels"]


class Box(NamedTuple):
    """A rectangle in points (1/72 inch)."""

    left: float
    bottom: float
    right: float
    top: float

    def overlap(self, other: "Box") -> float:
        """Return the area that two rectangles share."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.top, other.top) - max(self.bottom, other.bottom)
        return max(width, 0.0) * max(height, 0.0)


class Label(NamedTuple):
    """Position of a label: its anchor as an offset from its point, and the alignment of its text."""

    dx: float
    dy: float
    ha: str
    va: str


_GAP = 5.0
_NEAR = (
    Label(0, _GAP, "center", "bottom"),
    Label(0, -_GAP, "center", "top"),
    Label(_GAP, 0, "left", "center"),
    Label(-_GAP, 0, "right", "center"),
    Label(_GAP, _GAP, "left", "bottom"),
    Label(-_GAP, _GAP, "right", "bottom"),
    Label(_GAP, -_GAP, "left", "top"),
    Label(-_GAP, -_GAP, "right", "top"),
)
_FAR = tuple(Label(3.4 * one.dx, 3.4 * one.dy, one.ha, one.va) for one in _NEAR)


def label_points(axes: Any, points: Any, names: Sequence[str], *, size: float = 8.0) -> None:
    """Write names next to points (n, 2) of axes whose position and scales are final."""
    axes.autoscale_view()
    frame, to_points = axes.get_window_extent(), 72 / axes.figure.dpi
    inside = Box(*(to_points * edge for edge in (frame.x0, frame.y0, frame.x1, frame.y1)))
    drawn = [(float(x) * to_points, float(y) * to_points) for x, y in axes.transData.transform(points)]
    texts = [show_name(name) for name in names]
    for text, point, label in zip(texts, points, place_labels(drawn, texts, inside=inside, size=size), strict=True):
        offset = (label.dx, label.dy)
        axes.annotate(text, point, offset, textcoords="offset points", ha=label.ha, va=label.va, fontsize=size)


def place_labels(
    points: Sequence[tuple[float, float]], texts: Sequence[str], *, inside: Box, size: float = 8.0, radius: float = 3.0
) -> list[Label]:
    """Choose a position for the label of every point, one after the other.

    Each label gets the first of sixteen positions around its point, near ones first, with the least overlap with
    earlier labels, points and the area beyond the edges. Widths come from `display_width`, since
    matplotlib cannot measure letters that its font lacks.

    Parameters
    ----------
    points
        Coordinates in points (1/72 inch).
    texts
        Their labels.
    inside
        The area to stay within.
    size
        Font size in points.
    radius
        Half the width of a point's mark.
    """
    taken = [Box(x - radius, y - radius, x + radius, y + radius) for x, y in points]
    chosen = []
    for (x, y), text in zip(points, texts, strict=True):
        width, height = size * display_width(text), 1.25 * size
        boxes = [_box(x + label.dx, y + label.dy, width, height, label) for label in (*_NEAR, *_FAR)]
        covered = [sum(map(box.overlap, taken)) + 2 * (width * height - box.overlap(inside)) for box in boxes]
        best = min(range(len(boxes)), key=lambda place: (round(covered[place], 3), place))
        taken.append(boxes[best])
        chosen.append((*_NEAR, *_FAR)[best])
    return chosen


def _box(x: float, y: float, width: float, height: float, label: Label) -> Box:
    left = {"left": x, "center": x - width / 2, "right": x - width}[label.ha]
    bottom = {"bottom": y, "center": y - height / 2, "top": y - height}[label.va]
    return Box(left, bottom, left + width, bottom + height)
