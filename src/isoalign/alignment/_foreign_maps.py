"""Members of an alignment from existing maps, such as those of other tools."""

import numpy as np

from isoalign._core.types import MatrixLike
from isoalign.alignment._member import SOURCE, TARGET, Member, choose_names
from isoalign.errors import ParameterError
from isoalign.io import EmbeddingsLike, given_embeddings
from isoalign.maps import AbstractMap, IdentityMap, MatrixMap
from isoalign.normalization import make_normalizer
from isoalign.vectors import Embeddings

__all__ = ["wrap_maps", "wrap_matrices"]


def wrap_matrices(
    W: MatrixLike | None,
    target_map: MatrixLike | None,
    source: EmbeddingsLike | None,
    target: EmbeddingsLike | None,
) -> tuple[tuple[AbstractMap, AbstractMap], Embeddings | None, Embeddings | None]:
    """Return maps and embeddings of both sides; None is the identity, or missing embeddings."""
    first, second = (
        None if side is None else given_embeddings(side, name=name)
        for name, side in ((SOURCE, source), (TARGET, target))
    )
    if W is not None:
        source_map: AbstractMap = MatrixMap(W)
    elif first is not None:
        source_map = IdentityMap(first.vector_size)
    else:
        raise ParameterError("Without W the dimension is unknown. Pass source=….")
    other_map = IdentityMap(source_map.dim_out) if target_map is None else MatrixMap(target_map)
    return (source_map, other_map), first, second


def wrap_maps(
    maps: tuple[AbstractMap, AbstractMap], source: Embeddings | None, target: Embeddings | None, normalize: str
) -> list[Member]:
    """Return two members with normalisers fitted on their vectors."""
    names = choose_names(source, target)
    members = []
    for name, role, embeddings, one in zip(names, (SOURCE, TARGET), (source, target), maps, strict=True):
        if embeddings is None and normalize != "none":
            raise ParameterError(f"normalize={normalize!r} is fitted on the vectors. Pass {role}=….")
        rows = np.zeros((1, one.dim_in), dtype=np.float32) if embeddings is None else embeddings.vectors
        members.append(Member(name, make_normalizer(normalize).fit(rows), one, embeddings))
    return members
