"""What alignment yields: both normalisers, both maps, both vocabularies, and how they came about."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from isoalign._arrays import unit_rows
from isoalign._progress import Progress, ignore_progress
from isoalign._types import FloatVector, Matrix, MatrixLike, PathName
from isoalign._validate import check_choice, check_matrix
from isoalign.alignment._base import LinearMap, Maps, apply_map
from isoalign.errors import ParameterError, ShapeError
from isoalign.neighbors import neighborhood_means
from isoalign.normalization import make_normalizer
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
    history
        What the method and the selection saw on the way.
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
        history: dict[str, Any] | None = None,
        provenance: dict[str, Any] | None = None,
    ) -> None:
        self.maps = Maps(maps.source, maps.target)
        self.normalizers = normalizers
        self.source = source
        self.target = target
        self.history: dict[str, Any] = history or {}
        self.provenance: dict[str, Any] = provenance or {}
        self.means: CslsMeans | None = None
        self._spaces: dict[str, Matrix] = {}

    @property
    def source_map(self) -> LinearMap:
        """(d_s, p), applied on the right."""
        return self.maps.source

    @property
    def target_map(self) -> LinearMap | None:
        """(d_t, p), applied on the right; None is the identity."""
        return self.maps.target

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
            self._spaces[side] = unit_rows(self.apply(self.embeddings(side).vectors, side=side))
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
            As it came in.
        """
        number = SIDES.index(check_choice(side, SIDES, name="side"))
        if hasattr(vectors, "index_to_key"):
            embeddings = as_embeddings(vectors, name="vectors")
            return embeddings.with_vectors(self.apply(embeddings.vectors, side=side))
        rows = check_matrix(vectors, name="vectors")
        return apply_map(
            self.normalizers[number].transform(rows), self.maps.source if number == 0 else self.maps.target
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
        other = Alignment(
            Maps(source_map, self.maps.source),
            (self.normalizers[1], self.normalizers[0]),
            source=self.target,
            target=self.source,
            history=self.history,
            provenance={**self.provenance, "reversed": not self.provenance.get("reversed", False)},
        )
        other._spaces = {SIDES[1 - SIDES.index(side)]: space for side, space in self._spaces.items()}
        if self.means is not None:
            other.means = CslsMeans(self.means.k, self.means.target, self.means.source)
        return other

    @classmethod
    def from_matrix(
        cls,
        W: MatrixLike | None,
        *,
        target_map: MatrixLike | None = None,
        source: Any,
        target: Any,
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
            Both embeddings, which the normalisers are fitted on.
        normalize
            The normalisation that the other tool used before its map.
        """
        sides = (as_embeddings(source, name="source"), as_embeddings(target, name="target"))
        normalizers = tuple(make_normalizer(normalize).fit(side.vectors) for side in sides)
        source_map = np.eye(sides[0].vector_size) if W is None else np.asarray(W, dtype=np.float64)
        maps = Maps(source_map, None if target_map is None else np.asarray(target_map, dtype=np.float64))
        shapes = [
            (side.vector_size, side.vector_size) if matrix is None else matrix.shape
            for matrix, side in zip(maps[:2], sides, strict=True)
        ]
        if any(len(shape) != 2 or shape[0] != side.vector_size for shape, side in zip(shapes, sides, strict=True)):
            sizes = " and ".join(str(side.vector_size) for side in sides)
            raise ShapeError(f"The maps must have {sizes} rows. Got {shapes[0]} and {shapes[1]}.")
        if shapes[0][1] != shapes[1][1]:
            raise ShapeError(f"Both maps must lead to the same dimension. Got {shapes[0][1]} and {shapes[1][1]}.")
        return cls(
            maps,
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
            Keep the CSLS means, if `compute_means` has run.
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
            Embeddings to use where the folder was written without vectors.
        """
        from isoalign.alignment._saving import load_alignment

        return load_alignment(path, source=source, target=target)

    def __repr__(self) -> str:
        shapes = [
            f"{embeddings!r}" if embeddings is not None else "no vectors" for embeddings in (self.source, self.target)
        ]
        return f"Alignment({self.provenance.get('method', 'unknown method')}, {shapes[0]} → {shapes[1]})"
