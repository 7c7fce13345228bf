"""Read and write word vectors, dictionaries and word-similarity sets; one module per format.

Names are imported on first use, so that opening a model does not import every format.
"""

from typing import TYPE_CHECKING

from isoalign._core.registry import lazy_attributes

if TYPE_CHECKING:
    from isoalign.io._atomic import check_place as check_place
    from isoalign.io._atomic import replacing_file as replacing_file
    from isoalign.io._atomic import replacing_folder as replacing_folder
    from isoalign.io._atomic import spool_folder as spool_folder
    from isoalign.io._bounds import COMPRESSION_RATIO as COMPRESSION_RATIO
    from isoalign.io._bounds import LINE_BYTES as LINE_BYTES
    from isoalign.io._bounds import TABLE_LINES as TABLE_LINES
    from isoalign.io._bounds import TRUSTED_BYTES as TRUSTED_BYTES
    from isoalign.io._compression import bare_name as bare_name
    from isoalign.io._compression import check_readable as check_readable
    from isoalign.io._compression import create_binary as create_binary
    from isoalign.io._compression import open_binary as open_binary
    from isoalign.io._counts import read_counts as read_counts
    from isoalign.io._description import read_description as read_description
    from isoalign.io._dictionary import read_lexicon as read_lexicon
    from isoalign.io._dictionary import write_lexicon as write_lexicon
    from isoalign.io._fasttext import write_mapped as write_mapped
    from isoalign.io._formats import FORMATS as FORMATS
    from isoalign.io._formats import Format as Format
    from isoalign.io._formats import detect_format as detect_format
    from isoalign.io._formats import format_for_writing as format_for_writing
    from isoalign.io._given import EmbeddingsLike as EmbeddingsLike
    from isoalign.io._given import LexiconLike as LexiconLike
    from isoalign.io._given import given_embeddings as given_embeddings
    from isoalign.io._given import given_lexicon as given_lexicon
    from isoalign.io._given import given_spaces as given_spaces
    from isoalign.io._journal import Journal as Journal
    from isoalign.io._journal import partial_path as partial_path
    from isoalign.io._languages import guess_lang as guess_lang
    from isoalign.io._leftovers import recover_folder as recover_folder
    from isoalign.io._lines import read_lines as read_lines
    from isoalign.io._model_tensors import FLOAT_TYPES as FLOAT_TYPES
    from isoalign.io._model_tensors import ModelTensors as ModelTensors
    from isoalign.io._model_tensors import StoredTensor as StoredTensor
    from isoalign.io._model_tensors import read_model_tensors as read_model_tensors
    from isoalign.io._model_tensors import write_model_tensors as write_model_tensors
    from isoalign.io._native import is_native as is_native
    from isoalign.io._native import open_native as open_native
    from isoalign.io._native import write_native as write_native
    from isoalign.io._numpy import encode_npy_header as encode_npy_header
    from isoalign.io._parquet import decode_lists as decode_lists
    from isoalign.io._parquet import find_keys as find_keys
    from isoalign.io._parquet import find_vectors as find_vectors
    from isoalign.io._parquet import import_parquet as import_parquet
    from isoalign.io._part_work import change_parts as change_parts
    from isoalign.io._part_work import hold_parts as hold_parts
    from isoalign.io._part_work import make_parts as make_parts
    from isoalign.io._part_work import require_parts as require_parts
    from isoalign.io._parts import PART_ROWS as PART_ROWS
    from isoalign.io._parts import count_rows as count_rows
    from isoalign.io._parts import is_parts as is_parts
    from isoalign.io._parts import list_parts as list_parts
    from isoalign.io._parts import write_about as write_about
    from isoalign.io._read import open_vectors as open_vectors
    from isoalign.io._read import read_vectors as read_vectors
    from isoalign.io._safetensors import map_tensors as map_tensors
    from isoalign.io._safetensors import read_tensors as read_tensors
    from isoalign.io._safetensors import write_tensors as write_tensors
    from isoalign.io._separated import format_csv as format_csv
    from isoalign.io._separated import is_csv as is_csv
    from isoalign.io._separated import write_rows as write_rows
    from isoalign.io._similarity import SimilaritySet as SimilaritySet
    from isoalign.io._similarity import read_similarity as read_similarity
    from isoalign.io._spreadsheet import escape_formula as escape_formula
    from isoalign.io._spreadsheet import escape_formulas as escape_formulas
    from isoalign.io._stream import Block as Block
    from isoalign.io._stream import VectorStream as VectorStream
    from isoalign.io._stream import collect as collect
    from isoalign.io._stream import stream_embeddings as stream_embeddings
    from isoalign.io._summary import FileSummary as FileSummary
    from isoalign.io._summary import summarize_file as summarize_file
    from isoalign.io._toml import read_toml as read_toml
    from isoalign.io._word_lists import read_scores as read_scores
    from isoalign.io._word_lists import read_words as read_words
    from isoalign.io._write import spooled as spooled
    from isoalign.io._write import write_vectors as write_vectors

_PUBLIC = {
    "COMPRESSION_RATIO": "_bounds",
    "FLOAT_TYPES": "_model_tensors",
    "FORMATS": "_formats",
    "LINE_BYTES": "_bounds",
    "TABLE_LINES": "_bounds",
    "TRUSTED_BYTES": "_bounds",
    "Block": "_stream",
    "EmbeddingsLike": "_given",
    "FileSummary": "_summary",
    "Format": "_formats",
    "Journal": "_journal",
    "LexiconLike": "_given",
    "ModelTensors": "_model_tensors",
    "SimilaritySet": "_similarity",
    "StoredTensor": "_model_tensors",
    "VectorStream": "_stream",
    "bare_name": "_compression",
    "change_parts": "_part_work",
    "check_place": "_atomic",
    "check_readable": "_compression",
    "collect": "_stream",
    "create_binary": "_compression",
    "decode_lists": "_parquet",
    "detect_format": "_formats",
    "encode_npy_header": "_numpy",
    "escape_formula": "_spreadsheet",
    "escape_formulas": "_spreadsheet",
    "find_keys": "_parquet",
    "find_vectors": "_parquet",
    "format_csv": "_separated",
    "format_for_writing": "_formats",
    "given_embeddings": "_given",
    "given_lexicon": "_given",
    "given_spaces": "_given",
    "guess_lang": "_languages",
    "import_parquet": "_parquet",
    "is_csv": "_separated",
    "is_parts": "_parts",
    "list_parts": "_parts",
    "hold_parts": "_part_work",
    "make_parts": "_part_work",
    "map_tensors": "_safetensors",
    "open_binary": "_compression",
    "open_native": "_native",
    "count_rows": "_parts",
    "open_vectors": "_read",
    "partial_path": "_journal",
    "read_counts": "_counts",
    "read_description": "_description",
    "read_lexicon": "_dictionary",
    "read_lines": "_lines",
    "read_model_tensors": "_model_tensors",
    "read_scores": "_word_lists",
    "read_similarity": "_similarity",
    "read_tensors": "_safetensors",
    "read_toml": "_toml",
    "read_vectors": "_read",
    "read_words": "_word_lists",
    "recover_folder": "_leftovers",
    "replacing_file": "_atomic",
    "replacing_folder": "_atomic",
    "require_parts": "_part_work",
    "spool_folder": "_atomic",
    "spooled": "_write",
    "stream_embeddings": "_stream",
    "summarize_file": "_summary",
    "write_lexicon": "_dictionary",
    "write_mapped": "_fasttext",
    "write_model_tensors": "_model_tensors",
    "write_native": "_native",
    "write_rows": "_separated",
    "write_tensors": "_safetensors",
    "write_vectors": "_write",
    "is_native": "_native",
    "PART_ROWS": "_parts",
    "write_about": "_parts",
}

__all__ = [*_PUBLIC]


__getattr__ = lazy_attributes(__name__, _PUBLIC)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
