"""Two members of an alignment as source and target, in the order that `MemberSet` resolves."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from isoalign._core.progress import Progress, ignore_progress
from isoalign._core.types import FloatVector, IntVector, Key, Matrix
from isoalign.alignment._base import unit_space
from isoalign.alignment._dictionary import CslsSpaces
from isoalign.alignment._evidence import CSLS_SCORE, LETTERS, Queries
from isoalign.alignment._learned_ranking import LearnedEvidence
from isoalign.alignment._letters import NO_LETTERS, LetterModel
from isoalign.alignment._member import Member
from isoalign.alignment._reranking import Reranker, Weights, check_weights
from isoalign.errors import FormatError
from isoalign.neighbors import CSLS, AbstractRetriever, mean_best, neighborhood_means, top_k

if TYPE_CHECKING:
    from isoalign.alignment._alignment import Alignment

__all__ = ["CslsMeans", "Pair", "record_ranking"]


_WAY = "{}→{}"


def record_ranking(names: tuple[str, str], ranking: LearnedEvidence) -> dict[str, Any]:
    """Return the weights of evidence in both directions, and which letters correspond, as stored in the provenance."""
    ways = {_WAY.format(*names): ranking.forward, _WAY.format(*names[::-1]): ranking.backward}
    letters = ranking.letters
    return {"rerank": ways} | ({"letters": {_WAY.format(*names): letters.to_json()}} if letters.odds else {})


@dataclass(frozen=True)
class CslsMeans:
    """Mean cosine of every word of one member to its k nearest queries from another, (m,)."""

    k: int
    values: FloatVector


@dataclass(frozen=True)
class Pair:
    """Two members of an alignment, for searches from the source to the target.

    Attributes
    ----------
    model
        The alignment that both belong to.
    source, target
        Its members.
    """

    model: "Alignment"
    source: Member
    target: Member

    @property
    def names(self) -> tuple[str, str]:
        """Names of source and target."""
        return self.source.name, self.target.name

    @property
    def sources(self) -> Matrix:
        """All source words, placed as neighbours of targets, rows of unit length."""
        return self.model.space(self.source.name, to=self.target.name)

    def queries(self, rows: IntVector) -> Matrix:
        """Return source words as queries, rows of unit length."""
        stage = self.model.stage(*self.names)
        found = self.model.space(self.source.name)[rows]
        return found if stage is None or not len(found) else unit_space(found, stage)

    @property
    def targets(self) -> Matrix:
        """All target words, rows of unit length."""
        return self.model.space(self.target.name)

    def means(self, k: int) -> FloatVector | None:
        """Return the CSLS means of the targets, (m,), if the alignment has those of k neighbours."""
        found = self.model.means.get(self.names)
        return found.values if found is not None and found.k == k else None

    def evidence(self, retriever: AbstractRetriever) -> list[str]:
        """Return the kinds of evidence by which candidates of CSLS are sorted again; other retrievers have none."""
        return [name for name in self._weights if name != CSLS_SCORE] if isinstance(retriever, CSLS) else []

    @property
    def _weights(self) -> Weights:
        stored = self.model.provenance.get("rerank")
        return check_weights(stored.get(_WAY.format(*self.names), {}) if isinstance(stored, dict) else stored or {})

    @property
    def _letters(self) -> LetterModel:
        if LETTERS not in self._weights:
            return NO_LETTERS
        stored = self.model.provenance.get("letters", {})
        ways = {_WAY.format(*self.names): False, _WAY.format(*self.reverse().names): True}
        for way, is_reversed in ways.items():
            if isinstance(stored, dict) and way in stored:
                found = LetterModel.from_json(stored[way])
                return found.reverse() if is_reversed else found
        raise FormatError("The model is re-ranked by letters, and has no correspondences of letters. Align again.")

    def rerank(
        self,
        words: Sequence[Key],
        queries: Matrix,
        retriever: AbstractRetriever,
        backward_retriever: Callable[[], AbstractRetriever],
    ) -> Reranker | None:
        """Return a re-ranking of the candidates of some words, or None if there is no evidence for it.

        Parameters
        ----------
        words
            The words, (q,).
        queries
            Their vectors, (q, dim), with the query stage and of unit length.
        retriever
            The retriever that finds the candidates.
        backward_retriever
            Returns the fitted retriever of the other direction.

        Notes
        -----
        A word without a row has no vector without the query stage here; the one with it is used instead.
        """
        if not self.evidence(retriever):
            return None
        rows = np.asarray(self.source.raw.find_rows(list(words)))
        plain = queries.copy()
        plain[rows >= 0] = self.model.space(self.source.name)[rows[rows >= 0]]
        back = self.reverse()
        targets = self.target.raw.index_to_key
        asked = Queries(
            words, rows, queries, plain, self.targets, targets, back.queries, backward_retriever, self._letters
        )
        return Reranker(asked, self._weights)

    def reverse(self) -> "Pair":
        """Return the other direction."""
        return Pair(self.model, self.target, self.source)

    def csls_spaces(self, k: int) -> CslsSpaces:
        """Return the spaces in which words of both members choose each other."""
        back = self.reverse()
        staged = self.model.stage(*self.names) is not None or self.model.stage(*back.names) is not None
        return CslsSpaces(
            self.sources,
            self.targets,
            (back.sources, back.targets) if staged else None,
            back.means(k),
            self.means(k),
        )

    def compute_means(self, k: int, *, progress: Progress = ignore_progress) -> tuple[CslsMeans, CslsMeans]:
        """Compute the CSLS means of both directions, from one product if there are no query stages."""
        spaces = self.csls_spaces(k)
        if spaces.backward is None:
            back, forth = neighborhood_means(spaces.source, spaces.target, k, progress=progress)
        else:
            queries, sources = spaces.backward
            forth = mean_best(top_k(spaces.target, spaces.source, k, progress=progress)[0])
            back = mean_best(top_k(sources, queries, k, progress=progress)[0])
        return CslsMeans(k, forth), CslsMeans(k, back)
