"""Give a language model the vocabulary of another language: new rows of its embedding matrices from the old ones."""

from typing import TYPE_CHECKING

from isoalign._core.registry import lazy_attributes

if TYPE_CHECKING:
    from isoalign.transfer._fast_align import list_fast_align as list_fast_align
    from isoalign.transfer._files import TransferredFile as TransferredFile
    from isoalign.transfer._files import transfer_file as transfer_file
    from isoalign.transfer._result import RULES as RULES
    from isoalign.transfer._result import VocabularyTransfer as VocabularyTransfer
    from isoalign.transfer._tokens import Tokens as Tokens
    from isoalign.transfer._tokens import read_tokens as read_tokens
    from isoalign.transfer._transfer import transfer_vocabulary as transfer_vocabulary

_PUBLIC = {
    "RULES": "_result",
    "Tokens": "_tokens",
    "TransferredFile": "_files",
    "VocabularyTransfer": "_result",
    "list_fast_align": "_fast_align",
    "read_tokens": "_tokens",
    "transfer_file": "_files",
    "transfer_vocabulary": "_transfer",
}

__all__ = [*_PUBLIC]


__getattr__ = lazy_attributes(__name__, _PUBLIC)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
