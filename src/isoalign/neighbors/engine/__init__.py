"""The engine of exact search: walks over tiles of a product, and what is kept of them.

From the bottom up: compiled loops (`_kernels`), tiles and plans (`_tiles`), overflow check and error bounds
(`_margins`), the best rows in one direction (`_top_rows`) and in both (`_top_both`), ranks (`_counts`, `_places`),
lists of near rows (`_near_lists`) with their users, CSLS in both directions (`_csls_lists`), the same with entries
dropped by coins (`_coins`, `_stochastic`) and moving queries (`_moving`), and lazy CSLS (`_choice`, `_bounds`,
`_lazy`). The walks themselves are calls of a backend (`_backend`): the CPU (`_cpu`), a device (`_torch`), or other
processes (`_shared`).
"""

from typing import TYPE_CHECKING

from isoalign._core.registry import lazy_attributes

if TYPE_CHECKING:
    from isoalign.neighbors.engine._backend import CslsLists as CslsLists
    from isoalign.neighbors.engine._backend import SearchBackend as SearchBackend
    from isoalign.neighbors.engine._backend import SearchMemory as SearchMemory
    from isoalign.neighbors.engine._backend import current_backend as current_backend
    from isoalign.neighbors.engine._backend import use_backend as use_backend
    from isoalign.neighbors.engine._bounds import MeanBounds as MeanBounds
    from isoalign.neighbors.engine._choice import BEST_ONLY as BEST_ONLY
    from isoalign.neighbors.engine._choice import DEEPENING as DEEPENING
    from isoalign.neighbors.engine._choice import ENGINES as ENGINES
    from isoalign.neighbors.engine._choice import SHARING as SHARING
    from isoalign.neighbors.engine._choice import LazySettings as LazySettings
    from isoalign.neighbors.engine._choice import SharingSettings as SharingSettings
    from isoalign.neighbors.engine._choice import ShortlistSettings as ShortlistSettings
    from isoalign.neighbors.engine._choice import choose_engine as choose_engine
    from isoalign.neighbors.engine._coins import is_kept as is_kept
    from isoalign.neighbors.engine._coins import row_keys as row_keys
    from isoalign.neighbors.engine._counts import count_ranks as count_ranks
    from isoalign.neighbors.engine._counts import score_pairs as score_pairs
    from isoalign.neighbors.engine._cpu import CpuBackend as CpuBackend
    from isoalign.neighbors.engine._csls_lists import FEWEST_LISTED as FEWEST_LISTED
    from isoalign.neighbors.engine._csls_lists import choose_by_csls as choose_by_csls
    from isoalign.neighbors.engine._kernels import Rows as Rows
    from isoalign.neighbors.engine._kernels import sort_heaps as sort_heaps
    from isoalign.neighbors.engine._lazy import lazy_top_k as lazy_top_k
    from isoalign.neighbors.engine._margins import as_rows as as_rows
    from isoalign.neighbors.engine._margins import check_products as check_products
    from isoalign.neighbors.engine._margins import error_margins as error_margins
    from isoalign.neighbors.engine._margins import longest_row as longest_row
    from isoalign.neighbors.engine._moving import MovingSearch as MovingSearch
    from isoalign.neighbors.engine._places import NO_KEY as NO_KEY
    from isoalign.neighbors.engine._places import PlaceKeys as PlaceKeys
    from isoalign.neighbors.engine._places import collect_places as collect_places
    from isoalign.neighbors.engine._places import read_places as read_places
    from isoalign.neighbors.engine._shared import LISTED as LISTED
    from isoalign.neighbors.engine._shared import SharedBackend as SharedBackend
    from isoalign.neighbors.engine._shared import shared_parts as shared_parts
    from isoalign.neighbors.engine._stochastic import NOTHING as NOTHING
    from isoalign.neighbors.engine._stochastic import StochasticBest as StochasticBest
    from isoalign.neighbors.engine._stochastic import stochastic_best as stochastic_best
    from isoalign.neighbors.engine._tiles import TILING as TILING
    from isoalign.neighbors.engine._tiles import Tiling as Tiling
    from isoalign.neighbors.engine._top_both import search_both as search_both
    from isoalign.neighbors.engine._top_rows import Best as Best
    from isoalign.neighbors.engine._top_rows import TopRows as TopRows
    from isoalign.neighbors.engine._top_rows import mean_best as mean_best
    from isoalign.neighbors.engine._top_rows import search as search

_PUBLIC = {
    "BEST_ONLY": "_choice",
    "DEEPENING": "_choice",
    "FEWEST_LISTED": "_csls_lists",
    "ENGINES": "_choice",
    "LISTED": "_shared",
    "NOTHING": "_stochastic",
    "NO_KEY": "_places",
    "TILING": "_tiles",
    "Best": "_top_rows",
    "CpuBackend": "_cpu",
    "CslsLists": "_backend",
    "PlaceKeys": "_places",
    "LazySettings": "_choice",
    "SHARING": "_choice",
    "SharingSettings": "_choice",
    "ShortlistSettings": "_choice",
    "MeanBounds": "_bounds",
    "MovingSearch": "_moving",
    "Rows": "_kernels",
    "SearchBackend": "_backend",
    "SearchMemory": "_backend",
    "SharedBackend": "_shared",
    "StochasticBest": "_stochastic",
    "Tiling": "_tiles",
    "TopRows": "_top_rows",
    "as_rows": "_margins",
    "check_products": "_margins",
    "choose_by_csls": "_csls_lists",
    "choose_engine": "_choice",
    "collect_places": "_places",
    "count_ranks": "_counts",
    "score_pairs": "_counts",
    "current_backend": "_backend",
    "error_margins": "_margins",
    "is_kept": "_coins",
    "lazy_top_k": "_lazy",
    "longest_row": "_margins",
    "mean_best": "_top_rows",
    "read_places": "_places",
    "row_keys": "_coins",
    "search": "_top_rows",
    "search_both": "_top_both",
    "shared_parts": "_shared",
    "sort_heaps": "_kernels",
    "stochastic_best": "_stochastic",
    "use_backend": "_backend",
}

__all__ = [*_PUBLIC]


__getattr__ = lazy_attributes(__name__, _PUBLIC)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
