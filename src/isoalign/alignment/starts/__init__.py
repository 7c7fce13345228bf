"""Methods that find a first dictionary from the spaces or words alone; one start per file."""

from typing import TYPE_CHECKING

from isoalign._core.registry import lazy_attributes

if TYPE_CHECKING:
    from isoalign.alignment.starts._adversarial import Adversarial as Adversarial
    from isoalign.alignment.starts._base import AbstractStart as AbstractStart
    from isoalign.alignment.starts._base import Words as Words
    from isoalign.alignment.starts._clusters import Clusters as Clusters
    from isoalign.alignment.starts._gromov_wasserstein import GromovWasserstein as GromovWasserstein
    from isoalign.alignment.starts._icp import ICP as ICP
    from isoalign.alignment.starts._similarity import Similarity as Similarity
    from isoalign.alignment.starts._spelling import Identical as Identical
    from isoalign.alignment.starts._spelling import Numerals as Numerals
    from isoalign.alignment.starts._spelling import seed_lexicon as seed_lexicon
    from isoalign.alignment.starts._wasserstein import Wasserstein as Wasserstein

_PUBLIC = {
    "Clusters": "_clusters",
    "Adversarial": "_adversarial",
    "ICP": "_icp",
    "Wasserstein": "_wasserstein",
    "GromovWasserstein": "_gromov_wasserstein",
    "Similarity": "_similarity",
    "AbstractStart": "_base",
    "Identical": "_spelling",
    "Numerals": "_spelling",
    "Words": "_base",
    "seed_lexicon": "_spelling",
}

__all__ = [*_PUBLIC]


__getattr__ = lazy_attributes(__name__, _PUBLIC)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
