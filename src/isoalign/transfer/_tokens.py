"""The vocabulary of a tokenizer: names, texts and special tokens by id, and the tokens of any words."""

import json
import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from isoalign._core.optional import import_extra
from isoalign._core.types import IntVector, PathName
from isoalign.errors import FormatError, ParameterError
from isoalign.io import check_readable

__all__ = ["Tokens", "read_tokens"]

_FILE = "tokenizer.json"
_MOST_IDS = 1 << 23  # the largest tokenizers in use have 2 ** 18
_RESERVED = re.compile(r"<0x[0-9A-Fa-f]{2}>|[\[<]unused_?\d+[\]>]")
_BROKEN = "\ufffd"  # result of decoding a part of a character


class Tokens:
    """Tokens of a tokenizer, by id.

    Parameters
    ----------
    tokenizer
        A ``tokenizers.Tokenizer``; it is copied, without padding and truncation.
    """

    def __init__(self, tokenizer: Any) -> None:
        description = tokenizer.to_str()
        self._tokenizer = import_extra("tokenizers", extra="transfer").Tokenizer.from_str(description)
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        model = json.loads(description)["model"]
        self._inner_mark: str = (model.get("continuing_subword_prefix") or "") if model["type"] == "WordPiece" else ""
        self.ids: dict[str, int] = self._tokenizer.get_vocab()
        """The id of every token."""

    def __len__(self) -> int:
        """Return the number of rows that an embedding matrix needs; ids may have gaps."""
        return max(self.ids.values(), default=-1) + 1

    @cached_property
    def names(self) -> list[str | None]:
        """The tokens as the tokenizer writes them, None for an id that no token has."""
        names: list[str | None] = [None] * len(self)
        for name, number in self.ids.items():
            names[number] = name
        return names

    @cached_property
    def texts(self) -> list[str]:
        """The texts of the tokens, without surrounding spaces; empty for parts of characters."""
        used = sorted(self.ids.values())
        texts = [""] * len(self)
        decoded = self._tokenizer.decode_batch([[number] for number in used], skip_special_tokens=False)
        for number, text in zip(used, decoded, strict=True):
            texts[number] = "" if _BROKEN in text else text.strip().removeprefix(self._inner_mark)
        return texts

    @cached_property
    def special(self) -> frozenset[int]:
        """Ids of tokens that are not text: declared as special, bytes such as ``<0x0A>``, and reserved names."""
        added = self._tokenizer.get_added_tokens_decoder()
        declared = {number for number, token in added.items() if token.special}
        return frozenset(declared | {number for name, number in self.ids.items() if _RESERVED.fullmatch(name)})

    def find(self, name: str, *, what: str) -> int:
        """Return the id of a token; raise an error if there is none."""
        if name not in self.ids:
            raise ParameterError(f"The {what} tokenizer has no token {name!r} among its {len(self.ids):,}.")
        return self.ids[name]

    def encode(self, words: Sequence[str]) -> tuple[IntVector, IntVector]:
        """Return the concatenated token ids of all words, and the number of tokens of each."""
        encoded = self._tokenizer.encode_batch(list(words), add_special_tokens=False)
        lengths = np.fromiter((len(one) for one in encoded), dtype=np.int64, count=len(encoded))
        flat: Iterable[int] = chain.from_iterable(one.ids for one in encoded)
        return np.fromiter(flat, dtype=np.int64, count=int(lengths.sum())), lengths

    def __repr__(self) -> str:
        return f"Tokens({len(self.ids):,}, {len(self.special):,} of them special)"


def read_tokens(tokenizer: Any) -> Tokens:
    """Return the tokens of a tokenizer.

    Parameters
    ----------
    tokenizer
        A ``tokenizer.json`` file or a folder that holds one, a ``tokenizers.Tokenizer``, a fast tokenizer of
        ``transformers``, or `Tokens`.
    """
    if isinstance(tokenizer, Tokens):
        return tokenizer
    if isinstance(tokenizer, (str, Path)):
        return _read_file(tokenizer)
    tokenizer = getattr(tokenizer, "backend_tokenizer", tokenizer)
    if not hasattr(tokenizer, "to_str"):
        raise ParameterError(
            "A tokenizer must be a tokenizer.json file, a tokenizers.Tokenizer or a fast tokenizer of transformers. "
            f"Got {type(tokenizer).__name__}."
        )
    return Tokens(tokenizer)


def _read_file(path: PathName) -> Tokens:
    path = Path(path)
    if path.is_dir():
        path = path / _FILE
    check_readable(path)
    tokenizers = import_extra("tokenizers", extra="transfer")
    try:
        tokenizer = tokenizers.Tokenizer.from_file(str(path))
    except (KeyboardInterrupt, MemoryError):
        raise
    except BaseException as error:  # noqa: BLE001  (the library raises bare ones, and panics that are no Exception)
        reason = str(error).partition("\n")[0]
        raise FormatError(
            f"{path}: not a {_FILE} of the library tokenizers ({reason}). For other kinds of tokenizers, transformers "
            "can write one: AutoTokenizer.from_pretrained(folder).save_pretrained(new_folder)."
        ) from None
    # Before the library serialises it, which takes a minute if ids reach billions.
    n_ids = max(tokenizer.get_vocab().values(), default=-1) + 1
    if not 0 < n_ids <= _MOST_IDS:
        raise FormatError(f"{path}: there must be 1 to {_MOST_IDS:,} token ids. Got {n_ids:,}. Is it damaged?")
    return Tokens(tokenizer)
