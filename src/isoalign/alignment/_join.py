"""`join`: learn one alignment from many embeddings and the dictionaries between them."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from time import perf_counter
from typing import Any, NamedTuple

from isoalign._core.progress import Progress, ProgressLike, as_progress, ignore_progress
from isoalign._core.types import LinearMap, Matrix
from isoalign._core.validate import check_choice
from isoalign._core.version import VERSION
from isoalign.alignment._alignment import Alignment
from isoalign.alignment._base import unit_space
from isoalign.alignment._graph import Edge, check_edges
from isoalign.alignment._join_request import JoinRequest
from isoalign.alignment._join_selection import open_settings, select_join
from isoalign.alignment._joint_rounds import JoinSettings, JointRefinement
from isoalign.alignment._member import Member, check_names
from isoalign.alignment._registry import DEFAULT_JOINT_METHOD
from isoalign.alignment._result import copy_normalizer, describe_residuals
from isoalign.errors import ParameterError
from isoalign.io import EmbeddingsLike, LexiconLike, given_spaces
from isoalign.normalization import DEFAULT_NORMALIZATION, AbstractNormalizer

__all__ = ["join", "join_into"]


def join(
    spaces: Mapping[str, EmbeddingsLike],
    dictionaries: Mapping[Edge, LexiconLike],
    *,
    method: str = DEFAULT_JOINT_METHOD,
    normalize: str | AbstractNormalizer = DEFAULT_NORMALIZATION,
    pivot: str | None = None,
    weights: Mapping[Edge, float] | None = None,
    refine: int | None = None,
    refine_pairs: Iterable[Edge] | None = None,
    reweight: bool | None = None,
    middle: bool | None = None,
    select: str | None = None,
    restarts: int | None = None,
    random_state: int = 0,
    progress: ProgressLike = ignore_progress,
) -> Alignment:
    """Map any number of embedding spaces into one shared space.

    Parameters
    ----------
    spaces
        Embeddings, or files, by the names of the members, such as languages; most frequent word first.
    dictionaries
        By the names of two members, in either order: word pairs, a file, or the name of a start such as
        ``"similarity"``, from which self-learning finds pairs. They must connect all members, directly or indirectly.
    method
        ``"procrustes"``: members of the same dimension are rotated jointly (generalised Procrustes); members of another
        dimension are then mapped by least squares. ``"least_squares"``: every member is mapped by least squares, from
        the pivot outwards.
    normalize
        As in `align`; every member has its own normaliser.
    pivot
        The member whose space is the shared one; None is the first one with the most dictionaries.
    weights
        Weights of the dictionaries, regardless of their size; 1 if not given.
    refine
        Number of rounds in which dictionaries are induced for pairs of members, and all maps are learned again from
        these and the given dictionaries. None: 0, or chosen from 0 to 3.
    refine_pairs
        Pairs of members that induce dictionaries; None is all pairs.
    reweight
        Whether to weight the directions of the shared space by how well the dictionaries agree in them: VecMap's
        multi-step map for many spaces. The pivot is then mapped too. None: no, or chosen.
    middle
        Whether to finally move all members towards the means of words and their translations, by linear maps. The pivot
        is then mapped too. None: no, or chosen.
    select
        ``"validation"``: choose ``refine``, ``reweight`` and ``middle`` if they are None. In each dictionary, a fifth
        of the words of the member closer to the pivot is held out of all dictionaries; the settings that translate
        these words best, in both directions of every dictionary, are then used to learn from all pairs. None chooses
        nothing.
    restarts
        Number of self-learning runs for a dictionary that is the name of a start; whether the runs agree is the
        ``verdict`` of the dictionary in the provenance. None: 3.
    random_state
        Seed of the validation split and of random starts.
    progress
        Progress callback; True draws a bar.

    Returns
    -------
    Alignment
        With the members in the given order.

    Raises
    ------
    ParameterError
        If the dictionaries do not connect all members; the message says which, and what would connect them.

    Examples
    --------
    >>> import isoalign as ia
    >>> model = ia.join({"en": en, "fr": fr, "ja": ja}, {("en", "fr"): d1, ("en", "ja"): d2})  # doctest: +SKIP
    >>> ia.Translator(model, source="fr", target="ja").translate("chat")  # doctest: +SKIP
    """
    progress = as_progress(progress)
    begin = perf_counter()
    sides = given_spaces(spaces, progress=progress)
    if len(sides) < 2:
        raise ParameterError(f"There must be at least two spaces to join. Got {len(sides)}.")
    check_names(sides)
    check_edges(dictionaries, sides)
    degrees = {name: sum(name in edge for edge in dictionaries) for name in sides}
    pivot = max(sides, key=degrees.__getitem__) if pivot is None else check_choice(pivot, sides, name="pivot")
    settings = open_settings(refine, reweight, middle, method=method, select=select)
    request = JoinRequest(
        sides,
        dictionaries,
        (pivot,),
        method=method,
        weights=weights,
        refine_pairs=refine_pairs,
        restarts=restarts,
        random_state=random_state,
    )
    normalizers, refinement = request.prepare(normalize, {}, progress)
    learned = _learn(refinement, settings, random_state, progress)
    return Alignment(
        members := request.make_members(learned.maps, normalizers),
        spaces=_map_spaces(members, refinement.problem.spaces),
        history={**learned.history, "residuals": describe_residuals(normalizers)},
        provenance={
            "isoalign": VERSION,
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            "method": "join",
            "settings": {"method": method, "pivot": pivot, **learned.settings._asdict()},
            "normalize": repr(copy_normalizer(normalize)),
            "statistics": "the rows loaded",
            "random_state": random_state,
            "dictionaries": request.describe(),
            "seconds": round(perf_counter() - begin, 3),
            "members": {member.name: member.describe() for member in members},
        },
    )


def join_into(
    model: Alignment,
    spaces: Mapping[str, EmbeddingsLike],
    dictionaries: Mapping[Edge, LexiconLike],
    *,
    method: str = DEFAULT_JOINT_METHOD,
    normalize: str | AbstractNormalizer = DEFAULT_NORMALIZATION,
    weights: Mapping[Edge, float] | None = None,
    refine: int | None = None,
    refine_pairs: Iterable[Edge] | None = None,
    select: str | None = None,
    restarts: int | None = None,
    random_state: int = 0,
    progress: ProgressLike = ignore_progress,
) -> Alignment:
    """Add members to an alignment without changing its existing members.

    Parameters
    ----------
    model
        The alignment, whose members do not change by a single bit. Members named by a dictionary must have vectors.
    spaces
        New embeddings by name.
    dictionaries
        Between new members and old ones, or among the new ones.
    method, normalize, weights, refine, refine_pairs, select, restarts, random_state, progress
        As in `join`. In a space learned with ``reweight`` or ``middle``, ``"least_squares"`` may fit better.

    Returns
    -------
    Alignment
        The old members, then the new ones.
    """
    progress = as_progress(progress)
    sides = given_spaces(spaces, progress=progress)
    check_names([*model.names, *sides])
    check_edges(dictionaries, [*model.names, *sides])
    old = [name for name in model.names if any(name in edge for edge in dictionaries)]
    if not sides or not old:
        raise ParameterError("Give at least one new space, and a dictionary that connects it with an old one.")
    all_sides = {**{name: model.raw(name) for name in old}, **sides}
    settings = open_settings(refine, False, False, method=method, select=select)
    request = JoinRequest(
        all_sides,
        dictionaries,
        tuple(old),
        method=method,
        weights=weights,
        refine_pairs=refine_pairs,
        restarts=restarts,
        random_state=random_state,
    )
    normalizers, refinement = request.prepare(normalize, {name: model.space(name) for name in old}, progress)
    learned = _learn(refinement, settings, random_state, progress)
    members = [member for member in request.make_members(learned.maps, normalizers) if member.name in sides]
    joined = {member.name: member.describe() for member in members}
    residuals = {**model.history.get("residuals", {}), **describe_residuals(normalizers)}
    return Alignment(
        [*model.members, *members],
        stages=model.stages,
        means=model.means,
        spaces={
            **{member.name: model.space(member.name) for member in model.members if member.embeddings is not None},
            **_map_spaces(members, refinement.problem.spaces),
        },
        history={
            **model.history,
            "residuals": residuals,
            "joined": [*model.history.get("joined", []), learned.history],
        },
        provenance={
            **model.provenance,
            "members": {**model.provenance.get("members", {}), **joined},
            "joined": [
                *model.provenance.get("joined", []),
                {
                    "members": list(joined),
                    "method": method,
                    "refine": learned.settings.refine,
                    "dictionaries": request.describe(),
                },
            ],
        },
    )


class _Joined(NamedTuple):
    """Maps of all spaces, their settings, and how they were learned, as JSON values."""

    maps: dict[str, LinearMap]
    settings: JoinSettings
    history: dict[str, Any]


def _learn(refinement: JointRefinement, settings: list[JoinSettings], random_state: int, progress: Progress) -> _Joined:
    """Choose settings if there are several, and learn from all pairs."""
    selection, chosen = None, settings[0]
    if len(settings) > 1:
        selection = select_join(refinement, settings, random_state=random_state, progress=progress)
        chosen = JoinSettings(**selection.chosen)
    run = refinement.run(chosen.refine, reweight=chosen.reweight, progress=progress)
    history = {
        "steps": list(run.history),
        "selection": None if selection is None else selection.to_dict(),
    }
    return _Joined(run.state.final_maps(middle=chosen.middle), chosen, history)


def _map_spaces(members: Iterable[Member], spaces: Mapping[str, Matrix]) -> dict[str, Matrix]:
    return {member.name: unit_space(spaces[member.name], member.map) for member in members}
