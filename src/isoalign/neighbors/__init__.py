"""Exact nearest-neighbour search: top-k by inner product, CSLS and its relatives, ranks, hubness.

Functions take arrays whose rows are words; retrievers are thin classes over them. The folder `engine` holds the walks
and kernels below. Names are imported on first use, so that listing the retrievers for a command line costs nothing.
"""

from typing import TYPE_CHECKING

from isoalign._core.registry import lazy_attributes

if TYPE_CHECKING:
    from isoalign.neighbors._centroids import nearest_centroid as nearest_centroid
    from isoalign.neighbors._centroids import spherical_centroids as spherical_centroids
    from isoalign.neighbors._cosine import Cosine as Cosine
    from isoalign.neighbors._csls import CSLS as CSLS
    from isoalign.neighbors._csls_best import CslsBest as CslsBest
    from isoalign.neighbors._csls_best import csls_best as csls_best
    from isoalign.neighbors._device import use_device as use_device
    from isoalign.neighbors._gold import BEYOND as BEYOND
    from isoalign.neighbors._gold import RERANKED as RERANKED
    from isoalign.neighbors._gold import GoldRows as GoldRows
    from isoalign.neighbors._gold import Ranking as Ranking
    from isoalign.neighbors._gold import Rerank as Rerank
    from isoalign.neighbors._gold import csls_precision_at_1 as csls_precision_at_1
    from isoalign.neighbors._gold import group_pairs as group_pairs
    from isoalign.neighbors._gold import rank_gold as rank_gold
    from isoalign.neighbors._hubness import Hubness as Hubness
    from isoalign.neighbors._hubness import count_occurrences as count_occurrences
    from isoalign.neighbors._hubness import describe_occurrences as describe_occurrences
    from isoalign.neighbors._hubness import measure_hubness as measure_hubness
    from isoalign.neighbors._inverted_nn import InvertedNN as InvertedNN
    from isoalign.neighbors._inverted_softmax import InvertedSoftmax as InvertedSoftmax
    from isoalign.neighbors._registry import DEFAULT_RETRIEVAL as DEFAULT_RETRIEVAL
    from isoalign.neighbors._registry import RETRIEVERS as RETRIEVERS
    from isoalign.neighbors._registry import make_retriever as make_retriever
    from isoalign.neighbors._retriever import AbstractRetriever as AbstractRetriever
    from isoalign.neighbors._top_k import neighborhood_means as neighborhood_means
    from isoalign.neighbors._top_k import top_k as top_k
    from isoalign.neighbors._top_k import top_k_both as top_k_both
    from isoalign.neighbors._workers import use_workers as use_workers
    from isoalign.neighbors.engine import LISTED as LISTED
    from isoalign.neighbors.engine import NOTHING as NOTHING
    from isoalign.neighbors.engine import SHARING as SHARING
    from isoalign.neighbors.engine import Best as Best
    from isoalign.neighbors.engine import LazySettings as LazySettings
    from isoalign.neighbors.engine import MovingSearch as MovingSearch
    from isoalign.neighbors.engine import SearchBackend as SearchBackend
    from isoalign.neighbors.engine import SearchMemory as SearchMemory
    from isoalign.neighbors.engine import SharingSettings as SharingSettings
    from isoalign.neighbors.engine import StochasticBest as StochasticBest
    from isoalign.neighbors.engine import is_kept as is_kept
    from isoalign.neighbors.engine import mean_best as mean_best
    from isoalign.neighbors.engine import row_keys as row_keys
    from isoalign.neighbors.engine import shared_parts as shared_parts
    from isoalign.neighbors.engine import stochastic_best as stochastic_best

_PUBLIC = {
    "nearest_centroid": "_centroids",
    "spherical_centroids": "_centroids",
    "Cosine": "_cosine",
    "CSLS": "_csls",
    "Hubness": "_hubness",
    "count_occurrences": "_hubness",
    "describe_occurrences": "_hubness",
    "measure_hubness": "_hubness",
    "InvertedNN": "_inverted_nn",
    "InvertedSoftmax": "_inverted_softmax",
    "Best": "engine",
    "LISTED": "engine",
    "NOTHING": "engine",
    "StochasticBest": "engine",
    "is_kept": "engine",
    "row_keys": "engine",
    "stochastic_best": "engine",
    "neighborhood_means": "_top_k",
    "top_k_both": "_top_k",
    "LazySettings": "engine",
    "SHARING": "engine",
    "SharingSettings": "engine",
    "SearchBackend": "engine",
    "SearchMemory": "engine",
    "MovingSearch": "engine",
    "CslsBest": "_csls_best",
    "csls_best": "_csls_best",
    "use_device": "_device",
    "BEYOND": "_gold",
    "RERANKED": "_gold",
    "Rerank": "_gold",
    "GoldRows": "_gold",
    "Ranking": "_gold",
    "csls_precision_at_1": "_gold",
    "group_pairs": "_gold",
    "rank_gold": "_gold",
    "DEFAULT_RETRIEVAL": "_registry",
    "RETRIEVERS": "_registry",
    "make_retriever": "_registry",
    "AbstractRetriever": "_retriever",
    "mean_best": "engine",
    "use_workers": "_workers",
    "shared_parts": "engine",
    "top_k": "_top_k",
}

__all__ = [*_PUBLIC]


__getattr__ = lazy_attributes(__name__, _PUBLIC)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
