"""The members of an alignment, each with vectors, a normaliser and a map into the shared space."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from isoalign._core.types import Matrix, MatrixLike
from isoalign._core.validate import check_choice
from isoalign.alignment._base import unit_space
from isoalign.errors import ParameterError, ShapeError
from isoalign.maps import AbstractMap
from isoalign.normalization import AbstractNormalizer
from isoalign.vectors import Embeddings

__all__ = ["SOURCE", "TARGET", "Member", "MemberSet", "check_names", "check_stages", "choose_names", "is_name"]

SOURCE, TARGET = "source", "target"
"""Names of the two members of a pair if their languages are unknown or equal."""

_LONGEST_NAME = 64


@dataclass(frozen=True)
class Member:
    """One space of an alignment.

    Attributes
    ----------
    name
        Name, such as a language or a model.
    normalizer
        Fitted normaliser.
    map
        From normalised vectors into the shared space.
    embeddings
        The vectors before normalisation; None if the alignment was saved without them.
    """

    name: str
    normalizer: AbstractNormalizer
    map: AbstractMap
    embeddings: Embeddings | None = None

    @property
    def raw(self) -> Embeddings:
        """The vectors before normalisation, or an error that says how to provide them."""
        if self.embeddings is None:
            raise ParameterError(
                f"This alignment was saved without the vectors of {self.name!r}. Load it with them: "
                f"Alignment.load(path, vectors={{{self.name!r}: …}}), or give the file on the command line."
            )
        return self.embeddings

    def apply(self, X: MatrixLike) -> Matrix:
        """Normalise rows (n, dim) and map them into the shared space, without scaling the result."""
        return self.map.apply(self.normalizer.transform(X))

    def space(self) -> Matrix:
        """Return all rows in the shared space with unit length."""
        return unit_space(self.normalizer.transform(self.raw.vectors), self.map)

    def with_embeddings(self, embeddings: Embeddings | None) -> "Member":
        """Return the same member with other vectors, or without vectors."""
        return replace(self, embeddings=embeddings)

    def describe(self) -> dict[str, Any]:
        """Return language, size and origin of the vectors as JSON values."""
        if self.embeddings is None:
            return {"dim": self.map.dim_in}
        found = self.embeddings
        return {"lang": found.lang, "words": len(found), "dim": found.vector_size, "metadata": found.metadata}


def is_name(name: str) -> bool:
    """Whether a member may have this name, which also names a folder."""
    return (
        0 < len(name) <= _LONGEST_NAME
        and name.isprintable()
        and not set(name) & set('/\\:*?"<>|')
        and not name.startswith(".")
        and "--" not in name
    )


def check_names(names: Iterable[str]) -> None:
    """Raise an error for names that are not distinct or cannot be folder names."""
    seen: set[str] = set()
    for name in names:
        if not isinstance(name, str) or not is_name(name):
            raise ParameterError(
                f"A member needs a short name without slashes, leading dots or '--'. Got {name!r}. Use a language code."
            )
        if name.casefold() in seen:
            raise ParameterError(f"Members need different names. Got {name!r} twice (case is ignored).")
        seen.add(name.casefold())


class MemberSet:
    """An ordered set of named members in one shared space."""

    def __init__(self, members: Iterable[Member]) -> None:
        members = list(members)
        _check_members(members)
        self._members = {member.name: member for member in members}

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the members, in order."""
        return tuple(self._members)

    @property
    def members(self) -> tuple[Member, ...]:
        """All members, in order."""
        return tuple(self._members.values())

    @property
    def dim(self) -> int:
        """Number of columns of the shared space."""
        return self.members[0].map.dim_out

    def __getitem__(self, name: str) -> Member:
        return self._members[self._resolve(name)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def __contains__(self, name: object) -> bool:
        return name in self._members

    def _resolve(self, name: str | None) -> str:
        """Return the name of a member; None is the first of two."""
        if name is not None:
            return check_choice(name, self._members, name="member")
        if len(self) > 2:
            raise ParameterError(f"Choose one of the members {', '.join(self.names)}.")
        return self.names[0]

    def _resolve_pair(self, source: str | None, target: str | None) -> tuple[str, str]:
        """Return the names of two different members; with two members, names may be omitted."""
        if len(self) < 2:
            raise ParameterError("A pair needs two members.")
        if target is None and len(self) == 2:
            source = self._resolve(source)
            target = next(name for name in self.names if name != source)
        elif source is None and len(self) == 2:
            source = next(name for name in self.names if name != self._resolve(target))
        if source is None or target is None:
            raise ParameterError(f"Choose two of the members {', '.join(self.names)}.")
        if source == target:
            raise ParameterError(f"Source and target must be different members. Got {source!r} twice.")
        return source, target


def _check_members(members: Sequence[Member]) -> None:
    """Raise an error for members with equal names or without a common space."""
    check_names(member.name for member in members)
    for member in members:
        if member.embeddings is not None and member.embeddings.vector_size != member.map.dim_in:
            found = member.embeddings.vector_size
            raise ShapeError(f"{member.name!r} needs vectors of {member.map.dim_in} columns. Got {found}.")
        if member.map.dim_in != member.normalizer.n_features_in_:
            raise ShapeError(
                f"The map of {member.name!r} needs {member.map.dim_in} columns, but its normaliser returns "
                f"{member.normalizer.n_features_in_}."
            )
    dims = {member.name: member.map.dim_out for member in members}
    if len(set(dims.values())) > 1:
        raise ShapeError(f"All maps must have the same output dimension. Got {dims}.")


def check_stages(members: Sequence[Member], stages: Mapping[tuple[str, str], AbstractMap]) -> None:
    """Raise an error for query stages between unknown members, or with another dimension than the shared space."""
    dims = {member.name: member.map.dim_out for member in members}
    for pair, stage in stages.items():
        for name in pair:
            check_choice(name, dims, name="member")
        dim = dims[pair[0]]
        if (stage.dim_in, stage.dim_out) != (dim, dim):
            raise ShapeError(f"A query stage must keep the {dim} columns of the shared space. Got {stage!r}.")


def choose_names(source: Embeddings | None, target: Embeddings | None) -> tuple[str, str]:
    """Name the members of a pair after their languages, if these are known and different."""
    first, second = ("" if side is None else side.lang or "" for side in (source, target))
    first = first if is_name(first) and first.casefold() != TARGET else SOURCE
    return first, second if is_name(second) and second.casefold() != first.casefold() else TARGET
