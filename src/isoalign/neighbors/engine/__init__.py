"""The engine of exact search: walks over tiles of a product, and what is kept of them.

From the bottom up: compiled loops (`_kernels`), tiles and plans (`_tiles`), overflow check and error bounds
(`_margins`), the best rows in one direction (`_top_rows`) and in both (`_top_both`), ranks (`_counts`, `_places`),
lists of near rows (`_near_lists`) with their users, CSLS in both directions (`_csls_lists`), the same with entries
dropped by coins (`_coins`, `_stochastic`) and moving queries (`_moving`), and lazy CSLS (`_choice`, `_bounds`,
`_lazy`). The walks themselves are calls of a backend (`_backend`): the CPU (`_cpu`), a device (`_torch`), or other
processes (`_shared`).
"""

from isoalign.neighbors.engine._backend import CslsLists, SearchBackend, current_backend, use_backend
from isoalign.neighbors.engine._bounds import MeanBounds
from isoalign.neighbors.engine._choice import BEST_ONLY, ENGINES, LazySettings, choose_engine
from isoalign.neighbors.engine._coins import is_kept, row_keys
from isoalign.neighbors.engine._counts import count_ranks
from isoalign.neighbors.engine._cpu import CpuBackend
from isoalign.neighbors.engine._csls_lists import choose_by_csls
from isoalign.neighbors.engine._kernels import Rows, sort_heaps
from isoalign.neighbors.engine._lazy import lazy_top_k
from isoalign.neighbors.engine._margins import as_rows, check_products, error_margins, longest_row
from isoalign.neighbors.engine._moving import MovingSearch
from isoalign.neighbors.engine._places import NO_KEY, Keys, collect_places, read_places
from isoalign.neighbors.engine._shared import LISTED, SharedBackend, shared_parts
from isoalign.neighbors.engine._stochastic import NOTHING, StochasticBest, stochastic_best
from isoalign.neighbors.engine._tiles import TILING, Tiling
from isoalign.neighbors.engine._top_both import search_both
from isoalign.neighbors.engine._top_rows import Best, TopRows, mean_best, search

__all__ = [
    "BEST_ONLY",
    "ENGINES",
    "LISTED",
    "NOTHING",
    "NO_KEY",
    "TILING",
    "Best",
    "CpuBackend",
    "CslsLists",
    "Keys",
    "LazySettings",
    "MeanBounds",
    "MovingSearch",
    "Rows",
    "SearchBackend",
    "SharedBackend",
    "StochasticBest",
    "Tiling",
    "TopRows",
    "as_rows",
    "check_products",
    "choose_by_csls",
    "choose_engine",
    "collect_places",
    "count_ranks",
    "current_backend",
    "error_margins",
    "is_kept",
    "lazy_top_k",
    "longest_row",
    "mean_best",
    "read_places",
    "row_keys",
    "search",
    "search_both",
    "shared_parts",
    "sort_heaps",
    "stochastic_best",
    "use_backend",
]
