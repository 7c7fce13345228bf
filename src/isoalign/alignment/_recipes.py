"""Published systems as settings of the methods here."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["RECIPES", "Recipe"]


@dataclass(frozen=True)
class Recipe:
    """One published system.

    Attributes
    ----------
    about
        Description of the system.
    method, normalize
        As in `align`.
    settings
        Settings of the method.
    select
        How rounds or epochs are chosen, see `align`.
    lower
        Whether the program lower-cases words when it reads them.
    start
        How a first dictionary is found if none is given; None if a dictionary is required.
    """

    about: str
    method: str
    normalize: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    select: str | None = None
    lower: bool = False
    start: str | None = None


RECIPES = {
    "muse-supervised": Recipe(
        "MUSE, supervised.py: Procrustes and five refinements, CSLS dictionaries, both directions. "
        "MUSE keeps the round with the best test accuracy; select='test' does that too.",
        method="refine",
        normalize="none",
        settings={"quirks": "muse"},
        lower=True,
    ),
    "fasttext-rcsls": Recipe(
        "fastText, align.py: RCSLS on vectors of unit length.",
        method="rcsls",
        normalize="none",
        settings={"lr": 25.0, "epochs": 10, "quirks": "fasttext"},
    ),
    "vecmap-supervised": Recipe(
        "VecMap --supervised (Artetxe et al. 2018).", method="vecmap", normalize="unit,center,unit"
    ),
    "vecmap-aaai2018": Recipe(
        "VecMap --aaai2018: only the target is re-weighted, by the first power.",
        method="vecmap",
        normalize="unit,center",
        settings={"source_reweight": 0.0, "target_reweight": 1.0},
    ),
    "vecmap-emnlp2016": Recipe(
        "VecMap --emnlp2016 (Artetxe et al. 2016): a rotation after unit length and centring.",
        method="procrustes",
        normalize="unit,center",
    ),
    "contrast-kernel": Recipe(
        "Iterative Normalization, multi-step map, short contrast, kernel correction.",
        method="kernel",
        normalize="iternorm",
        settings={"aligner": "contrastive"},
    ),
    "geomm-kernel": Recipe(
        "Iterative Normalization, GeoMM, kernel correction.",
        method="kernel",
        normalize="iternorm",
        settings={"aligner": "geomm"},
    ),
    "contrast-ranked-kernel": Recipe(
        "As contrast-kernel; the correction takes four steps that let translations win against their rivals.",
        method="kernel",
        normalize="iternorm",
        settings={"aligner": "contrastive", "ranking_steps": 4},
    ),
    "c1": Recipe(
        "Li et al. (2022), stage C1, with the authors' normalisation.",
        method="contrastive_c1",
        normalize="unit,center,unit",
    ),
    "geomm-2019": Recipe(
        "Jawanpuria et al. (2019), with the authors' normalisation; the penalty is chosen on validation words.",
        method="geomm",
        normalize="unit,center",
        select="validation",
    ),
    "vecmap-semi": Recipe(
        "VecMap --semi_supervised (Artetxe et al. 2018b): self-learning from a small dictionary.",
        method="self_learning",
        normalize="unit,center,unit",
        settings={"quirks": "vecmap"},
    ),
    "vecmap-identical": Recipe(
        "VecMap --identical: self-learning from words with the same spelling.",
        method="self_learning",
        normalize="unit,center,unit",
        settings={"quirks": "vecmap"},
        start="identical",
    ),
    "vecmap-unsupervised": Recipe(
        "VecMap --unsupervised (Artetxe et al. 2018b): self-learning from similar distributions of similarities.",
        method="self_learning",
        normalize="unit,center,unit",
        settings={"quirks": "vecmap"},
        start="similarity",
    ),
    "iternorm-procrustes": Recipe(
        "Zhang et al. (2019): Iterative Normalization and a rotation.", method="procrustes", normalize="iternorm"
    ),
    "iternorm-rcsls": Recipe(
        "Zhang et al. (2019): Iterative Normalization and RCSLS, step length and epochs chosen on validation words.",
        method="rcsls",
        normalize="iternorm",
        select="validation",
    ),
}
"""Published systems by name, which can be used as the method of `align`."""
