"""Read and write word vectors, dictionaries and word-similarity sets; one module per format."""

from isoalign.io._atomic import check_place, replacing_file, replacing_folder, spool_folder
from isoalign.io._bounds import COMPRESSION_RATIO, LINE_BYTES, TABLE_LINES, TRUSTED_BYTES
from isoalign.io._compression import bare_name, check_readable, create_binary, open_binary
from isoalign.io._counts import read_counts
from isoalign.io._description import read_description
from isoalign.io._dictionary import read_lexicon, write_lexicon
from isoalign.io._fasttext import write_mapped
from isoalign.io._formats import FORMATS, Format, detect_format, format_for_writing
from isoalign.io._given import LexiconLike, given_embeddings, given_lexicon
from isoalign.io._journal import Journal, partial_path
from isoalign.io._languages import guess_lang
from isoalign.io._leftovers import recover_folder
from isoalign.io._lines import read_lines
from isoalign.io._model_tensors import (
    FLOAT_TYPES,
    ModelTensors,
    StoredTensor,
    read_model_tensors,
    write_model_tensors,
)
from isoalign.io._native import is_native, open_native, write_native
from isoalign.io._numpy import encode_npy_header
from isoalign.io._parquet import decode_lists, find_keys, find_vectors, import_parquet
from isoalign.io._part_work import change_parts, make_parts, require_parts
from isoalign.io._parts import PART_ROWS, is_parts, list_parts, open_part, write_about
from isoalign.io._read import open_vectors, read_vectors
from isoalign.io._safetensors import map_tensors, read_tensors, write_tensors
from isoalign.io._separated import format_csv, is_csv, write_rows
from isoalign.io._similarity import SimilaritySet, read_similarity
from isoalign.io._spreadsheet import escape_formula, escape_formulas
from isoalign.io._stream import Block, VectorStream, collect, stream_embeddings
from isoalign.io._summary import FileSummary, summarize_file
from isoalign.io._toml import read_toml
from isoalign.io._word_lists import read_scores, read_words
from isoalign.io._write import spooled, write_vectors

__all__ = [
    "COMPRESSION_RATIO",
    "FLOAT_TYPES",
    "FORMATS",
    "LINE_BYTES",
    "PART_ROWS",
    "TABLE_LINES",
    "TRUSTED_BYTES",
    "Block",
    "FileSummary",
    "Format",
    "Journal",
    "LexiconLike",
    "ModelTensors",
    "SimilaritySet",
    "StoredTensor",
    "VectorStream",
    "bare_name",
    "change_parts",
    "check_place",
    "check_readable",
    "collect",
    "create_binary",
    "decode_lists",
    "detect_format",
    "encode_npy_header",
    "escape_formula",
    "escape_formulas",
    "find_keys",
    "find_vectors",
    "format_csv",
    "format_for_writing",
    "given_embeddings",
    "given_lexicon",
    "guess_lang",
    "import_parquet",
    "is_csv",
    "is_native",
    "is_parts",
    "list_parts",
    "make_parts",
    "map_tensors",
    "open_binary",
    "open_native",
    "open_part",
    "open_vectors",
    "partial_path",
    "read_counts",
    "read_description",
    "read_lexicon",
    "read_lines",
    "read_model_tensors",
    "read_scores",
    "read_similarity",
    "read_tensors",
    "read_toml",
    "read_vectors",
    "read_words",
    "recover_folder",
    "replacing_file",
    "replacing_folder",
    "require_parts",
    "spool_folder",
    "spooled",
    "stream_embeddings",
    "summarize_file",
    "write_about",
    "write_lexicon",
    "write_mapped",
    "write_model_tensors",
    "write_native",
    "write_rows",
    "write_tensors",
    "write_vectors",
]
