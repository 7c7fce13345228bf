"""Choose the settings of `join` on held-out dictionary words."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from itertools import groupby, product
from typing import NamedTuple

import numpy as np

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import LinearMap, RowPairs
from isoalign._core.validate import check_choice, check_count
from isoalign.alignment._graph import Edge, spanning_tree
from isoalign.alignment._joint_maps import JointProblem, can_reweight
from isoalign.alignment._joint_rounds import JoinSettings, JointRefinement, Round, map_spaces
from isoalign.alignment._registry import JOINT_METHODS
from isoalign.alignment._selection import Candidate, Selection, hold_out
from isoalign.errors import InvalidValueError, ParameterError
from isoalign.neighbors import csls_precision_at_1

__all__ = ["JOIN_CRITERIA", "HeldOut", "hold_out_words", "open_settings", "select_join"]

JOIN_CRITERIA = ("validation",)

_MAX_ROUNDS = 3
_ABOUT = "mean CSLS P@1 of both directions of every dictionary on held-out words"


class HeldOut(NamedTuple):
    """A problem without the held-out dictionary words.

    Attributes
    ----------
    problem
        The remaining problem to learn from.
    asked
        Row pairs (query, answer) by (source, target). A query has no pair left in the dictionary of the two.
    """

    problem: JointProblem
    asked: dict[Edge, RowPairs]


def open_settings(
    refine: int | None, reweight: bool | None, middle: bool | None, *, method: str, select: str | None
) -> list[JoinSettings]:
    """Return the candidate settings: those that are None are open with ``select``, and otherwise off."""
    for name, value in (("reweight", reweight), ("middle", middle)):
        if value not in (None, True, False):
            raise ParameterError(f"{name} must be true or false. Got {value!r}.")
    able = can_reweight(method)
    if reweight and not able:
        others = " or ".join(repr(name) for name in JOINT_METHODS if can_reweight(name))
        raise ParameterError(f"reweight needs method={others}. Got {method!r}.")
    if select is not None:
        check_choice(select, JOIN_CRITERIA, name="select")
    flags = (False,) if select is None else (False, True)
    reweights = flags if able else flags[:1]
    rounds = range(1 if select is None else _MAX_ROUNDS + 1)
    return [
        JoinSettings(number, weigh, meet)
        for weigh, number, meet in product(
            reweights if reweight is None else (bool(reweight),),
            rounds if refine is None else (check_count(refine, name="refine", minimum=0),),
            flags if middle is None else (bool(middle),),
        )
    ]


def select_join(
    refinement: JointRefinement,
    settings: Iterable[JoinSettings],
    *,
    random_state: int,
    progress: Progress = ignore_progress,
) -> Selection:
    """Hold out a fifth of the dictionary words, and return the settings that translate these words best.

    Parameters
    ----------
    refinement
        With all dictionaries. Guessed ones are not used for scoring.
    settings
        Candidates, grouped by re-weighting; of ties, the first with the fewest rounds wins.
    random_state
        Seed of the split.
    progress
        Progress callback.
    """
    train, asked = hold_out_words(refinement.problem, refinement.guessed, random_state)
    candidates: list[Candidate] = []
    for reweight, group in groupby(settings, key=lambda one: one.reweight):
        some = list(group)

        def judge(found: Round, some: list[JoinSettings] = some) -> None:
            candidates.extend(
                Candidate(one._asdict(), one.refine, _mean_precision(train, found.final_maps(middle=one.middle), asked))
                for one in some
                if one.refine == found.number
            )

        n = max(one.refine for one in some)
        replace(refinement, problem=train).run(n, reweight=reweight, callback=judge, progress=progress)
    best = min(candidates, key=lambda candidate: (-candidate.score, candidate.step))
    n_words = sum(len(np.unique(pairs[:, 0])) for pairs in asked.values())
    return Selection("validation", _ABOUT, n_words, best.settings, best.step, tuple(candidates))


def hold_out_words(problem: JointProblem, guessed: Collection[Edge], random_state: int) -> HeldOut:
    """Hold out a fifth of the words of each space that other spaces are connected to, in all its dictionaries.

    The words are those of the side closer to the fixed spaces. As no dictionary keeps a pair with a held-out word, no
    chain of dictionaries reveals its translation.

    Parameters
    ----------
    problem
        With all dictionaries.
    guessed
        Dictionaries that are not used for scoring, because they were not given.
    random_state
        Seed.
    """
    tree = spanning_tree(problem.spaces, dict.fromkeys(problem.pairs, 1.0), problem.fixed)
    reached = [*problem.fixed, *(link.new for link in tree)]
    judging = [edge for edge in problem.pairs if edge not in guessed]
    if not judging:
        raise ParameterError(
            "select='validation' needs at least one dictionary that is not a start. Join without select."
        )
    sides: dict[str, list[RowPairs]] = {}
    for edge in judging:
        hub = min(edge, key=reached.index)
        pairs = problem.pairs[edge]
        sides.setdefault(hub, []).append(pairs if hub == edge[0] else pairs[:, ::-1])
    stacked = {hub: np.concatenate(some) for hub, some in sides.items()}
    held = {hub: np.unique(pairs[hold_out(pairs, random_state), 0]) for hub, pairs in stacked.items()}
    kept, asked = {}, {}
    for edge, pairs in problem.pairs.items():
        out = np.zeros(len(pairs), dtype=bool)
        for side, name in enumerate(edge):
            out |= np.isin(pairs[:, side], held.get(name, ()))
        kept[edge] = pairs[~out]
        if not len(kept[edge]):
            raise InvalidValueError(
                f"The dictionary {edge} has too few pairs ({len(pairs)}) to hold out words. Join without select."
            )
        if edge in judging:
            for way, turn in ((edge, 1), (edge[::-1], -1)):
                left, removed = (some[:, ::turn] for some in (kept[edge], pairs[out]))
                asked[way] = removed[~np.isin(removed[:, 0], left[:, 0])]
    return HeldOut(problem.with_pairs(kept), {edge: pairs for edge, pairs in asked.items() if len(pairs)})


def _mean_precision(problem: JointProblem, maps: Mapping[str, LinearMap], asked: Mapping[Edge, RowPairs]) -> float:
    mapped = map_spaces(problem.spaces, maps)
    return float(np.mean([csls_precision_at_1(mapped[a], mapped[b], pairs) for (a, b), pairs in asked.items()]))
