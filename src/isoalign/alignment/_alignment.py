"""What alignment yields: both normalisers, both maps, both vocabularies, and how they came about."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast, overload

import numpy as np

from isoalign._progress import Progress, ignore_progress
from isoalign._types import FloatVector, Matrix, MatrixLike, PathName
from isoalign._validate import check_choice
from isoalign.alignment._base import LinearMap, Maps, apply_map, unit_space
from isoalign.errors import ParameterError, ShapeError
from isoalign.neighbors import neighborhood_means
from isoalign.normalization import make_normalizer
from isoalign.subwords import Subwords
from isoalign.vectors import Embeddings, as_embeddings

if TYPE_CHECKING:
    from isoalign.normalization import AbstractNormalizer

__all__ = ["SIDES", "Alignment", "CslsMeans"]

SIDES = ("source", "target")


@dataclass(frozen=True)
class CslsMeans:
    """Mean cosine of every word to its k nearest words on the other side, (n,) and (m,)."""

    k: int
    source: FloatVector
    target: FloatVector


class Alignment:
    """Two embedding spaces and the maps that bring them together.

    Made by `align`, `load` or `from_matrix`. Vectors of either side go through that side's normaliser and map into
    one shared space, those of the two vocabularies and any others.

    Parameters
    ----------
    maps
        Source map (d_s, p) and target map (d_t, p), or None for the identity.
    normalizers
        Fitted normalisers of the source and the target side.
    source, target
        Both embeddings as they were before normalisation, or None.
    spaces
        Both sides in the shared space, rows of length one, where they are known already.
    means
        Means for CSLS, where they are known already.
    history
        ``steps`` of the method (losses, dictionary sizes), ``selection`` (candidates and their scores) and
        ``residuals`` of the normalisers.
    provenance
        Method, settings, data and versions behind the maps.
    """

    def __init__(
        self,
        maps: Maps,
        normalizers: "tuple[AbstractNormalizer, AbstractNormalizer]",
        *,
        source: Embeddings | None = None,
        target: Embeddings | None = None,
        spaces: Mapping[str, Matrix] | None = None,
        means: CslsMeans | None = None,
        history: dict[str, Any] | None = None,
        provenance: dict[str, Any] | None = None,
    ) -> None:
        self.maps = Maps(maps.source, maps.target)
        self.normalizers = normalizers
        self.source = source
        self.target = target
        self.history: dict[str, Any] = history or {}
        self.provenance: dict[str, Any] = provenance or {}
        self.means = means
        self._spaces: dict[str, Matrix] = dict(spaces or {})

    @property
    def source_map(self) -> LinearMap:
        """(d_s, p), applied on the right."""
        return self.maps.source

    @property
    def target_map(self) -> LinearMap | None:
        """(d_t, p), applied on the right; None is the identity."""
        return self.maps.target

    def map(self, side: str) -> LinearMap | None:
        """Return the map of one side, applied on the right; None is the identity."""
        return self.maps.source if check_choice(side, SIDES, name="side") == "source" else self.maps.target

    def normalizer(self, side: str) -> "AbstractNormalizer":
        """Return the fitted normaliser of one side."""
        return self.normalizers[SIDES.index(check_choice(side, SIDES, name="side"))]

    def embeddings(self, side: str) -> Embeddings:
        """Return the words and vectors of one side as they were before normalisation."""
        check_choice(side, SIDES, name="side")
        found = self.source if side == "source" else self.target
        if found is None:
            raise ParameterError(
                f"This alignment was kept without the {side} vectors. Load it with them: pass {side}=…."
            )
        return found

    def space(self, side: str) -> Matrix:
        """Return all words of one side in the shared space, rows of length one; computed once."""
        if side not in self._spaces:
            vectors = self.embeddings(side).vectors
            self._spaces[side] = unit_space(self.normalizer(side).transform(vectors), self.map(side))
        return self._spaces[side]

    @overload
    def apply(self, vectors: Embeddings, *, side: str = "source") -> Embeddings: ...
    @overload
    def apply(self, vectors: MatrixLike, *, side: str = "source") -> Matrix: ...
    def apply(self, vectors: Any, *, side: str = "source") -> Any:
        """Send vectors, seen or not, through the normaliser and the map of one side; lengths stay as they come.

        Parameters
        ----------
        vectors
            (n, dim), or embeddings.
        side
            ``"source"`` or ``"target"``.

        Returns
        -------
        ndarray or Embeddings
            As it came in; vectors that embeddings make from subwords come out mapped too.
        """
        if not hasattr(vectors, "index_to_key"):
            return apply_map(self.normalizer(side).transform(vectors), self.map(side))
        embeddings = as_embeddings(vectors, name="vectors")
        return Embeddings(
            embeddings.vocabulary,
            self.apply(embeddings.vectors, side=side),
            lang=embeddings.lang,
            metadata=embeddings.metadata,
            subwords=embeddings.subwords and _MappedSubwords(embeddings.subwords, self, side),
        )

    def compute_means(self, k: int = 10, *, progress: Progress = ignore_progress) -> CslsMeans:
        """Compute the means that CSLS needs, both sides from one product, and keep them."""
        if self.means is None or self.means.k != k:
            means = neighborhood_means(self.space("source"), self.space("target"), k, progress=progress)
            self.means = CslsMeans(k, *means)
        return self.means

    def reverse(self) -> "Alignment":
        """Return the same two spaces with the roles swapped, for the other direction; no map is inverted."""
        source_map = np.eye(self.normalizers[1].n_features_in_) if self.maps.target is None else self.maps.target
        means = None if self.means is None else CslsMeans(self.means.k, self.means.target, self.means.source)
        return Alignment(
            Maps(source_map, self.maps.source),
            (self.normalizers[1], self.normalizers[0]),
            source=self.target,
            target=self.source,
            spaces={SIDES[1 - SIDES.index(side)]: space for side, space in self._spaces.items()},
            means=means,
            history=self.history,
            provenance={**self.provenance, "reversed": not self.provenance.get("reversed", False)},
        )

    @classmethod
    def from_matrix(
        cls,
        W: MatrixLike | None,
        *,
        target_map: MatrixLike | None = None,
        source: Any = None,
        target: Any = None,
        normalize: str = "none",
    ) -> "Alignment":
        """Wrap a map that another tool made; vectors that are aligned already need none.

        Parameters
        ----------
        W
            (d_s, p), applied on the right: a matrix that expects column vectors must be transposed. None: identity.
        target_map
            (d_t, p); None: identity.
        source, target
            Both embeddings, which the normalisers are fitted on; with maps and without normalisation, they may come
            later or never.
        normalize
            The normalisation that the other tool used before its map.
        """
        sides = [
            given if given is None else as_embeddings(given, name=name)
            for name, given in zip(SIDES, (source, target), strict=True)
        ]
        source_map, other_map = _check_map(W, name="W"), _check_map(target_map, name="target_map")
        if source_map is None:
            if sides[0] is None:
                raise ParameterError("Without W the dimension is not known. Pass source=….")
            source_map = np.eye(sides[0].vector_size)
        dims = (source_map.shape[0], source_map.shape[1] if other_map is None else other_map.shape[0])
        if other_map is not None and other_map.shape[1] != source_map.shape[1]:
            raise ShapeError(
                f"Both maps must lead to the same dimension. Got {source_map.shape[1]} and {other_map.shape[1]}."
            )
        normalizers = []
        for name, side, dim in zip(SIDES, sides, dims, strict=True):
            if side is None and normalize != "none":
                raise ParameterError(f"normalize={normalize!r} is fitted on the vectors. Pass {name}=….")
            if side is not None and side.vector_size != dim:
                raise ShapeError(f"The maps take {name} vectors of {dim} columns. Got {side.vector_size}.")
            rows = np.zeros((1, dim), dtype=np.float32) if side is None else side.vectors
            normalizers.append(make_normalizer(normalize).fit(rows))
        return cls(
            Maps(source_map, other_map),
            (normalizers[0], normalizers[1]),
            source=sides[0],
            target=sides[1],
            provenance={"method": "given matrix", "normalize": normalize},
        )

    def save(self, path: PathName, *, vectors: bool = True, means: bool = True, overwrite: bool = True) -> None:
        """Keep the alignment in a folder: safetensors, JSON and vocabularies, at full precision, nothing pickled.

        Parameters
        ----------
        path
            Name of the folder.
        vectors
            Keep both embeddings and both mapped spaces; without, only maps and normalisers.
        means
            Keep the CSLS means too, if `compute_means` has run; they go with the vectors.
        overwrite
            Whether an existing folder may be replaced.
        """
        from isoalign.alignment._saving import save_alignment

        save_alignment(self, path, vectors=vectors, means=means, overwrite=overwrite)

    @classmethod
    def load(cls, path: PathName, *, source: Any = None, target: Any = None) -> "Alignment":
        """Open a kept alignment; its matrices are mapped, not read.

        Parameters
        ----------
        path
            Folder that `save` wrote.
        source, target
            Embeddings to use in place of those in the folder, if it has any: other words, or subwords, which a
            folder does not keep.
        """
        from isoalign.alignment._saving import load_alignment

        return load_alignment(path, source=source, target=target)

    def __repr__(self) -> str:
        shapes = [
            f"{embeddings!r}" if embeddings is not None else "no vectors" for embeddings in (self.source, self.target)
        ]
        return f"Alignment({self.provenance.get('method', 'unknown method')}, {shapes[0]} → {shapes[1]})"


class _MappedSubwords:
    """Send vectors made from subwords through one side of an alignment."""

    def __init__(self, subwords: Subwords, model: Alignment, side: str) -> None:
        self._subwords, self._model, self._side = subwords, model, side

    def vector(self, word: str) -> FloatVector | None:
        """Return the mapped vector of a word."""
        vector = self._subwords.vector(word)
        return None if vector is None else cast(FloatVector, self._model.apply(vector[None, :], side=self._side)[0])


def _check_map(W: Any, *, name: str) -> LinearMap | None:
    if W is None:
        return None
    matrix: LinearMap = np.array(W, dtype=np.float64)
    if matrix.ndim != 2 or not matrix.size or not np.isfinite(matrix).all():
        raise ShapeError(f"{name} must be a finite matrix (dim, p). Got shape {matrix.shape}.")
    return matrix
