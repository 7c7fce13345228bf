"""Data sets: a sample inside the package, and downloads of public vectors, dictionaries and similarity sets."""

from isoalign.datasets._fetch import fetch, path, verify
from isoalign.datasets._registry import Dataset, find_dataset, list_datasets
from isoalign.datasets._sample import Credit, Sample, load_sample, sample_credits
from isoalign.datasets._store import StoredFile, cache_folder, list_stored

__all__ = [
    "Credit",
    "Dataset",
    "Sample",
    "StoredFile",
    "cache_folder",
    "fetch",
    "find_dataset",
    "list_datasets",
    "list_stored",
    "load_sample",
    "path",
    "sample_credits",
    "verify",
]
