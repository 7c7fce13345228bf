"""An alignment: any number of named spaces mapped to one shared space."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, overload

from isoalign._core.arrays import unit_rows
from isoalign._core.progress import ProgressLike, as_progress, ignore_progress
from isoalign._core.types import Matrix, MatrixLike, PathName
from isoalign._core.validate import check_choice
from isoalign.alignment._base import unit_space
from isoalign.alignment._foreign_maps import wrap_maps, wrap_matrices
from isoalign.alignment._mapped import map_embeddings
from isoalign.alignment._member import Member, MemberSet, check_stages
from isoalign.alignment._pair import CslsMeans, Pair
from isoalign.alignment._saving import Saved, read_saved, write_saved
from isoalign.alignment._showing import show_members
from isoalign.io import EmbeddingsLike, given_embeddings
from isoalign.maps import AbstractMap
from isoalign.vectors import Embeddings, as_embeddings

__all__ = ["Alignment"]


class Alignment(MemberSet):
    """Embedding spaces and their maps into one shared space.

    Created by `align`, `load` or `from_matrix`. An alignment is an ordered set of named members. With two members,
    names may be omitted everywhere; the first is the source.

    Parameters
    ----------
    members
        The members in order; their names must differ.
    stages
        Query stages by (source, target): maps of unit rows of the shared space that are applied to words of the first
        member when they are used to search in the second.
    spaces
        Members in the shared space, rows of unit length, if already computed.
    means
        CSLS means by (source, target), if already computed.
    history
        ``steps`` of the method (losses, dictionary sizes), ``selection`` (candidates and their scores) and
        ``residuals`` of the normalisers.
    provenance
        Method, settings, data and versions used to learn the maps.

    Examples
    --------
    >>> model = align(en, ja, train)  # doctest: +SKIP
    >>> model["ja"].map  # doctest: +SKIP
    IdentityMap(300 → 300)
    >>> model.space("en").shape  # doctest: +SKIP
    (200000, 300)
    """

    def __init__(
        self,
        members: Iterable[Member],
        *,
        stages: Mapping[tuple[str, str], AbstractMap] | None = None,
        spaces: Mapping[str, Matrix] | None = None,
        means: Mapping[tuple[str, str], CslsMeans] | None = None,
        history: Mapping[str, Any] | None = None,
        provenance: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(members)
        check_stages(self.members, stages or {})
        self.stages = dict(stages or {})
        self.means = dict(means or {})
        self.history: dict[str, Any] = dict(history or {})
        self.provenance: dict[str, Any] = dict(provenance or {})
        self._spaces: dict[tuple[str, str | None], Matrix] = {(name, None): X for name, X in (spaces or {}).items()}

    @property
    def verdict(self) -> dict[str, Any] | None:
        """Whether learning without a dictionary succeeded: ``status``, evidence, ``text``; None without a verdict."""
        return self.provenance.get("verdict")

    def pair(self, source: str | None = None, target: str | None = None) -> Pair:
        """Return two members as source and target; with two members, names may be omitted."""
        source, target = self._resolve_pair(source, target)
        return Pair(self, self[source], self[target])

    def stage(self, source: str, target: str) -> AbstractMap | None:
        """Return the query stage for searches from one member to another, or None."""
        return self.stages.get((source, target))

    def raw(self, name: str | None = None) -> Embeddings:
        """Return words and vectors of a member before normalisation."""
        return self[self._resolve(name)].raw

    def space(self, name: str | None = None, *, to: str | None = None) -> Matrix:
        """Return all words of a member in the shared space, rows of unit length; computed once.

        Parameters
        ----------
        name
            The member.
        to
            Another member: the query stage of the pair is then applied as it was fitted, which places dictionary words
            as neighbours of targets, for the means of CSLS. Use `apply` for queries, which maps dictionary words like
            new words.
        """
        name = self._resolve(name)
        stage = None if to is None else self.stage(name, self._resolve(to))
        key = (name, None if stage is None else to)
        if key not in self._spaces:
            self._spaces[key] = self[name].space() if stage is None else unit_space(self.space(name), stage.as_fitted())
        return self._spaces[key]

    def aligned(self, name: str | None = None, *, to: str | None = None) -> Embeddings:
        """Return the words of a member with their vectors in the shared space, of unit length; see `space`.

        Vectors computed from subwords are mapped too.
        """
        member = self[self._resolve(name)]
        return map_embeddings(member.raw, self.space(member.name, to=to), partial(self._apply_rows, member, to=to))

    @overload
    def apply(self, vectors: Embeddings, name: str | None = None, *, to: str | None = None) -> Embeddings: ...
    @overload
    def apply(self, vectors: MatrixLike, name: str | None = None, *, to: str | None = None) -> Matrix: ...
    def apply(self, vectors: Any, name: str | None = None, *, to: str | None = None) -> Any:
        """Apply the normaliser and the map of a member to vectors, including those of unseen words.

        Parameters
        ----------
        vectors
            (n, dim), or embeddings.
        name
            The member that the vectors belong to.
        to
            Another member: the vectors are then queries for its words, and the query stage of the pair is applied.

        Returns
        -------
        ndarray or Embeddings
            The same type as the input; for embeddings, vectors computed from subwords are mapped too. Lengths are not
            normalised, except that a query stage starts from unit length.
        """
        member = self[self._resolve(name)]
        if hasattr(vectors, "index_to_key"):
            embeddings = as_embeddings(vectors, name="vectors")
            apply_rows = partial(self._apply_rows, member, to=to)
            return map_embeddings(embeddings, apply_rows(embeddings.vectors), apply_rows)
        return self._apply_rows(member, vectors, to=to)

    def _apply_rows(self, member: Member, X: MatrixLike, *, to: str | None) -> Matrix:
        mapped = member.apply(X)
        stage = None if to is None else self.stage(member.name, self._resolve(to))
        return mapped if stage is None else stage.apply(unit_rows(mapped))

    def compute_means(
        self,
        source: str | None = None,
        target: str | None = None,
        *,
        k: int = 10,
        progress: ProgressLike = ignore_progress,
    ) -> None:
        """Compute the CSLS means of a pair in both directions, and store them in `means`."""
        progress = as_progress(progress)
        pair = self.pair(source, target)
        back = pair.reverse()
        if pair.means(k) is not None and back.means(k) is not None:
            return
        means = pair.compute_means(k, progress=progress)
        self.means |= dict(zip((pair.names, back.names), means, strict=True))

    def reverse(self) -> "Alignment":
        """Return the same members in reverse order: with two members, source and target are exchanged."""
        return self._with_members(reversed(self.members))

    def select(self, names: Iterable[str]) -> "Alignment":
        """Return an alignment of some of the members, in the given order."""
        return self._with_members(self[name] for name in names)

    def head(self, n: int) -> "Alignment":
        """Return the alignment restricted to the first n words of every member, also for neighbourhoods."""
        members = [member.with_embeddings(member.raw.head(n)) for member in self.members]
        spaces = {name: self.space(name)[:n] for name in self.names}
        return Alignment(members, stages=self.stages, spaces=spaces, history=self.history, provenance=self.provenance)

    def _with_members(self, members: Iterable[Member]) -> "Alignment":
        model = Alignment(members, history=self.history, provenance=self.provenance)
        kept = set(model.names)
        model.stages = {pair: stage for pair, stage in self.stages.items() if kept.issuperset(pair)}
        model.means = {pair: means for pair, means in self.means.items() if kept.issuperset(pair)}
        model._spaces = {key: X for key, X in self._spaces.items() if key[0] in kept and key[1] in (None, *kept)}
        return model

    @classmethod
    def from_matrix(
        cls,
        W: MatrixLike | None,
        *,
        target_map: MatrixLike | None = None,
        source: EmbeddingsLike | None = None,
        target: EmbeddingsLike | None = None,
        normalize: str = "none",
    ) -> "Alignment":
        """Wrap a map computed by another tool; vectors that are already aligned need no map.

        Parameters
        ----------
        W
            (d_s, p), applied on the right: a matrix that expects column vectors must be transposed. None: identity.
        target_map
            (d_t, p); None: identity.
        source, target
            Both embeddings, on which the normalisers are fitted; optional if both maps are given and there is no
            normalisation.
        normalize
            The normalisation that the other tool used before its map.
        """
        return cls.from_maps(*wrap_matrices(W, target_map, source, target), normalize=normalize)

    @classmethod
    def from_maps(
        cls,
        maps: tuple[AbstractMap, AbstractMap],
        source: Embeddings | None,
        target: Embeddings | None,
        *,
        stages: tuple[AbstractMap | None, AbstractMap | None] = (None, None),
        normalize: str = "none",
    ) -> "Alignment":
        """Create an alignment of two members from their maps and, optionally, the query stages of both directions."""
        members = wrap_maps(maps, source, target, normalize)
        names = (members[0].name, members[1].name)
        return cls(
            members,
            stages={way: stage for way, stage in zip((names, names[::-1]), stages, strict=True) if stage is not None},
            provenance={"method": "given matrix", "normalize": normalize},
        )

    def save(self, path: PathName, *, vectors: bool = True, means: bool = True, overwrite: bool = False) -> None:
        """Save the alignment in a folder: safetensors, JSON and vocabularies, at full precision, without pickle.

        Parameters
        ----------
        path
            Name of the folder.
        vectors
            Whether to save all embeddings and mapped spaces, or only maps and normalisers.
        means
            Whether to save the CSLS means that have been computed; they require the vectors.
        overwrite
            Whether an existing folder may be replaced.
        """
        saved = Saved(
            self.members,
            self.stages,
            {name: self.space(name) for name in self.names} if vectors else {},
            self.means if means else {},
            self.history,
            self.provenance,
        )
        write_saved(saved, path, overwrite=overwrite)

    @classmethod
    def load(cls, path: PathName, *, vectors: Mapping[str, Any] | None = None) -> "Alignment":
        """Load a saved alignment; its matrices are memory-mapped.

        Parameters
        ----------
        path
            Folder written by `save`.
        vectors
            Embeddings by member, to be used instead of those in the folder: other words, or subwords, which are not
            saved.
        """
        saved = read_saved(path)
        given = {name: given_embeddings(value, name=name) for name, value in (vectors or {}).items()}
        for name in given:
            check_choice(name, [member.name for member in saved.members], name="member")
        return cls(
            [member.with_embeddings(given.get(member.name, member.embeddings)) for member in saved.members],
            stages=saved.stages,
            spaces={name: X for name, X in saved.spaces.items() if name not in given},
            means={pair: means for pair, means in saved.means.items() if given.keys().isdisjoint(pair)},
            history=saved.history,
            provenance=saved.provenance,
        )

    def _repr_html_(self) -> str:
        return show_members(self.members, self.history.get("residuals", {}), caption=repr(self))

    def __repr__(self) -> str:
        shapes = [
            f"{member.name}: {len(member.embeddings)} × {member.map.dim_in}"
            if member.embeddings is not None
            else f"{member.name}: no vectors"
            for member in self.members
        ]
        return f"Alignment({self.provenance.get('method', 'unknown method')}; {', '.join(shapes)})"
