"""Contract tests for classes registered by other packages: call ``check_method("mine")`` in your own tests."""

from isoalign.testing._maps import MAP_CHECKS, check_map
from isoalign.testing._methods import METHOD_CHECKS, check_method
from isoalign.testing._planted import planted_embeddings, planted_problem
from isoalign.testing._starts import START_CHECKS, check_start

__all__ = [
    "MAP_CHECKS",
    "METHOD_CHECKS",
    "START_CHECKS",
    "check_map",
    "check_method",
    "check_start",
    "planted_embeddings",
    "planted_problem",
]
