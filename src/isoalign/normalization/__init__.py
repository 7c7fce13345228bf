"""Normalise embeddings before a map is learned; modules are imported on first use."""

from typing import TYPE_CHECKING

from isoalign._core.registry import lazy_attributes

if TYPE_CHECKING:
    from isoalign.normalization._base import AbstractNormalizer as AbstractNormalizer
    from isoalign.normalization._chain import Chain as Chain
    from isoalign.normalization._chain import describe_normalizer as describe_normalizer
    from isoalign.normalization._chain import make_normalizer as make_normalizer
    from isoalign.normalization._chain import restore_normalizer as restore_normalizer
    from isoalign.normalization._embeddings import normalize as normalize
    from isoalign.normalization._files import normalize_file as normalize_file
    from isoalign.normalization._iternorm import IterNorm as IterNorm
    from isoalign.normalization._passes import Residuals as Residuals
    from isoalign.normalization._passes import iterate_rounds as iterate_rounds
    from isoalign.normalization._principal import RemoveTop as RemoveTop
    from isoalign.normalization._principal import Whiten as Whiten
    from isoalign.normalization._registry import DEFAULT_NORMALIZATION as DEFAULT_NORMALIZATION
    from isoalign.normalization._registry import NORMALIZERS as NORMALIZERS
    from isoalign.normalization._rounds import NearestRows as NearestRows
    from isoalign.normalization._rounds import RoundSearch as RoundSearch
    from isoalign.normalization._spec_norm import SpecNorm as SpecNorm
    from isoalign.normalization._steps import Center as Center
    from isoalign.normalization._steps import CenterLength as CenterLength
    from isoalign.normalization._steps import Identity as Identity
    from isoalign.normalization._steps import Unit as Unit

_PUBLIC = {
    "AbstractNormalizer": "_base",
    "Center": "_steps",
    "CenterLength": "_steps",
    "Chain": "_chain",
    "DEFAULT_NORMALIZATION": "_registry",
    "Identity": "_steps",
    "IterNorm": "_iternorm",
    "NORMALIZERS": "_registry",
    "NearestRows": "_rounds",
    "RemoveTop": "_principal",
    "Residuals": "_passes",
    "RoundSearch": "_rounds",
    "SpecNorm": "_spec_norm",
    "Unit": "_steps",
    "Whiten": "_principal",
    "describe_normalizer": "_chain",
    "iterate_rounds": "_passes",
    "make_normalizer": "_chain",
    "normalize": "_embeddings",
    "normalize_file": "_files",
    "restore_normalizer": "_chain",
}

__all__ = [*_PUBLIC]


__getattr__ = lazy_attributes(__name__, _PUBLIC)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
