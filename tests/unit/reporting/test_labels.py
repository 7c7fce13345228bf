from itertools import combinations

import numpy as np

from isoalign.reporting._labels import Box, _box, place_labels


def drawn(points, texts, size=8.0):
    inside = Box(0, 0, 300, 300)
    labels = place_labels(points, texts, inside=inside)
    width = 0.6 * size * len(texts[0])
    return inside, [
        _box(x + one.dx, y + one.dy, width, 1.25 * size, one) for (x, y), one in zip(points, labels, strict=True)
    ]


def test_labels_of_near_points_do_not_cover_each_other():
    points = [(100, 100), (106, 101), (103, 108), (112, 96), (95, 93)]
    _, boxes = drawn(points, ["words"] * len(points))
    assert max(a.overlap(b) for a, b in combinations(boxes, 2)) == 0


def test_labels_stay_inside_and_off_the_points():
    rng = np.random.default_rng(0)
    points = [(float(x), float(y)) for x, y in rng.uniform(3, 297, (12, 2))]
    inside, boxes = drawn(points, ["words"] * len(points))
    for box in boxes:
        np.testing.assert_allclose(box.overlap(inside), (box.right - box.left) * (box.top - box.bottom))
        assert not [point for point in points if box.left < point[0] < box.right and box.bottom < point[1] < box.top]


def test_a_label_without_neighbors_is_above_its_point():
    (label,) = place_labels([(50, 50)], ["cat"], inside=Box(0, 0, 100, 100))
    assert (label.ha, label.va) == ("center", "bottom")
    assert label.dy > 0
