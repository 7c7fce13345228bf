"""Resolve a method or recipe by name, with its settings and normalisation."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from isoalign._core.validate import check_choice, check_count
from isoalign.alignment._base import AbstractAligner
from isoalign.alignment._recipes import RECIPES
from isoalign.alignment._registry import (
    ALIGNERS,
    DEFAULT_METHOD,
    DEFAULT_METHOD_AFTER_SELF_LEARNING,
    DEFAULT_METHOD_OF_FEW_PAIRS,
    DEFAULT_NORMALIZATION,
    make_aligner,
)
from isoalign.alignment._selection import CRITERIA
from isoalign.alignment.starts import AbstractStart
from isoalign.errors import ParameterError
from isoalign.normalization import AbstractNormalizer

__all__ = ["Method", "are_few", "resolve_method"]


_FEW_PAIRS_SETTINGS = {"max_rank": 4000, "patience": 20}  # geomm, which follows, learns from all words
_WORDS_PER_DIMENSION = 8 / 3  # 800 words for 300 dimensions; python -m benchmarks.learning_curve


def are_few(n_words: int, dim: int) -> bool:
    """Return whether there are so few known source words that self-learning is better than a plain map.

    A map from fewer words than dimensions is arbitrary in some directions, and with a few more words it is little
    better; self-learning finds further pairs.
    """
    return n_words < _WORDS_PER_DIMENSION * dim


@dataclass(frozen=True)
class Method:
    """A resolved method.

    Attributes
    ----------
    aligner
        Unfitted aligner.
    normalize
        Name or normaliser.
    select
        How open settings are chosen; None chooses nothing.
    recipe
        Name of the recipe, or None.
    random_state
        Seed.
    start
        How a first dictionary is found if none is given; None if a dictionary is required.
    then
        Method that learns from the pairs that the aligner finds; None if nothing follows.
    """

    aligner: AbstractAligner
    normalize: str | AbstractNormalizer
    select: str | None
    recipe: str | None
    random_state: int
    start: str | AbstractStart | None = None
    then: str | None = None


def _find_name(name: str) -> str:
    """Return the name of a method or a recipe as it is registered."""
    known = [*ALIGNERS, *RECIPES]
    lower = name.strip().lower() if isinstance(name, str) else name
    return lower if lower in known else str(check_choice(name, known, name="method"))


def resolve_method(
    method: str | AbstractAligner | None = None,
    *,
    start: str | AbstractStart | None = None,
    few_pairs: bool = False,
    settings: Mapping[str, Any] | None = None,
    normalize: str | AbstractNormalizer | None = None,
    select: str | None = "default",
    random_state: int = 0,
) -> Method:
    """Resolve the name of a method or a recipe.

    Parameters
    ----------
    method
        Name or aligner; None is the default method, or self-learning with a start or few pairs.
    start
        As in `align`; overrides that of a recipe.
    few_pairs
        Whether the dictionary is too small for a plain map, see `are_few`.
    settings
        Settings of the method. ``random_state`` among them is the seed, as in `align`.
    normalize, select, random_state
        As in `align`; override those of a recipe.
    """
    given = dict(settings or {})
    seed = check_count(given.pop("random_state", random_state), name="random_state", minimum=0)
    recipe = None
    name = method or DEFAULT_METHOD
    then = None
    if method is None and (start is not None or few_pairs):
        name, given = DEFAULT_METHOD_OF_FEW_PAIRS, {**_FEW_PAIRS_SETTINGS, **given}
        then = DEFAULT_METHOD_AFTER_SELF_LEARNING
    if method is None:
        _check_settings_of_default(str(name), given)
    if isinstance(name, AbstractAligner):
        aligner = name.unfitted_copy().set_params(**given)
    elif (name := _find_name(name)) in RECIPES:
        recipe = RECIPES[name]
        aligner = make_aligner(recipe.method, {**recipe.settings, **given})
    else:
        aligner = make_aligner(name, given)
    if select == "default":
        select = "validation" if recipe is None else recipe.select
    if select is not None:
        check_choice(select, CRITERIA, name="select")
    if recipe is None:
        return Method(aligner, normalize or DEFAULT_NORMALIZATION, select, None, seed, start, then)
    return Method(aligner, normalize or recipe.normalize, select, str(name), seed, start or recipe.start)


def _check_settings_of_default(name: str, given: Mapping[str, Any]) -> None:
    """Name the method that was chosen, if none was named and the settings are those of other methods."""
    known = _names_of_settings(RECIPES[name].method if name in RECIPES else name)
    unknown = [setting for setting in given if setting.partition("__")[0] not in known]
    if not unknown:
        return
    order = (DEFAULT_METHOD_OF_FEW_PAIRS, *(other for other in ALIGNERS if other != DEFAULT_METHOD_OF_FEW_PAIRS))
    owners = [other for other in order if {*unknown} <= _names_of_settings(other)]
    if owners:
        listed = " and ".join(map(repr, unknown))
        use = " or ".join(map(repr, owners[:3]))
        raise ParameterError(
            f"No method was named, and the one that was chosen, {name}, has no setting {listed}. Use method={use}."
        )


def _names_of_settings(name: str) -> set[str]:
    return {setting.name for setting in ALIGNERS[name].settings()}
