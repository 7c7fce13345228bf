"""``isoalign data``: list, download, verify and locate vectors and dictionaries."""

from collections import Counter
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from isoalign.cli._command import command
from isoalign.cli._console import Console
from isoalign.cli._help import make_group, register

__all__ = ["data"]

data = make_group(
    "data",
    "Download vectors and dictionaries, and list the cache.",
    "isoalign data list 'en-ja*'",
    "isoalign data fetch wiki.ja.vec --only-first 200000",
)

Cache = Annotated[
    Path | None, typer.Option("--cache", envvar="ISOALIGN_CACHE", help="Folder for downloaded files.", metavar="FOLDER")
]
OnlyFirst = Annotated[
    int | None, typer.Option("--only-first", min=1, metavar="N", help="Only the first N rows of a .vec file.")
]


@command(
    "isoalign data list",
    "isoalign data list 'en-ja*'",
)
def list_(
    console: Console,
    pattern: Annotated[
        str | None, typer.Argument(help="Names or families to list file by file, such as 'en-ja*' or muse.")
    ] = None,
    cache: Cache = None,
) -> None:
    """List the files that can be downloaded and the sample inside the package, with licences."""
    from isoalign.datasets import list_datasets, list_stored, sample_credits

    datasets, credits_ = list_datasets(pattern or "*"), sample_credits()
    here: dict[str, list[str]] = {entry.name: [] for entry in datasets}
    for file in list_stored(cache=cache):
        here.get(file.dataset, []).append(f"first {file.rows}: {file.status}" if file.rows else file.status)
    if pattern:
        rows = [(entry.name, entry.licence or "not stated", ", ".join(here[entry.name]) or None) for entry in datasets]
        text = console.table(rows, header=("name", "licence", "here"))
    else:
        counts = Counter(entry.family for entry in datasets)
        families = {entry.family: (entry.licence or "not stated", entry.title, entry.homepage) for entry in datasets}
        text = console.table(
            [(family, counts[family], *about) for family, about in families.items()],
            header=("family", "files", "licence", "what", "homepage"),
        )
        text += "\n\nInside the package (load_sample):\n"
        text += console.table([(credit.what, credit.licence, credit.homepage) for credit in credits_])
        text += "\n" + "\n".join(credit.acknowledgement for credit in credits_)
    entries = [{**asdict(entry), "here": here[entry.name]} for entry in datasets]
    console.result("data-list", {"datasets": entries, "sample": [asdict(credit) for credit in credits_]}, text=text)


@command(
    "isoalign data fetch wiki.ja.vec --only-first 200000",
    "isoalign data fetch 'en-ja.*'",
)
def fetch(
    console: Console,
    names: Annotated[list[str], typer.Argument(metavar="NAME", help="Names, or patterns such as 'en-*.0-5000.txt'.")],
    only_first: OnlyFirst = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Download again, and accept a file that differs from the recorded one.")
    ] = False,
    cache: Cache = None,
) -> None:
    """Download files into the cache, resuming interrupted downloads, and print their paths."""
    from isoalign import datasets

    chosen = [entry for name in names for entry in datasets.list_datasets(name) or [datasets.find_dataset(name)]]
    with console.progress(in_bytes=True) as progress:
        get = partial(datasets.fetch, only_first=only_first, replace=replace, cache=cache, progress=progress)
        paths = [get(entry.name) for entry in chosen]
    for licence, citation in dict.fromkeys((entry.licence, entry.citation) for entry in chosen):
        console.note(f"Licence: {licence or 'not stated'}. Cite: {citation}.")
    files = [{"name": entry.name, "path": str(path)} for entry, path in zip(chosen, paths, strict=True)]
    console.result("data-fetch", {"files": files}, text="\n".join(str(path) for path in paths))


@command(
    "isoalign data verify",
    "isoalign data verify wiki.ja.vec",
)
def verify(
    console: Console,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME", help="Files to verify; default: everything in the cache.")
    ] = None,
    cache: Cache = None,
) -> None:
    """Compare files in the cache with their published hash, or with that of the first download."""
    from isoalign import datasets
    from isoalign.errors import ChecksumError

    with console.progress(in_bytes=True) as progress:
        files = datasets.verify(*names or (), cache=cache, progress=progress)
    text = console.table([(file.name, file.status, file.size, file.sha256) for file in files])
    listed = [{**asdict(file), "path": str(file.path)} for file in files]
    console.result("data-verify", {"files": listed}, text=text or "The cache is empty.")
    changed = [file.name for file in files if file.status == "changed"]
    if changed:
        raise ChecksumError(
            f"Different from the published or recorded hash: {', '.join(changed)}. Delete and fetch again."
        )


@command(
    "isoalign data path",
    "isoalign data path wiki.ja.vec",
)
def path(
    console: Console,
    name: Annotated[str | None, typer.Argument(help="A file; default: the cache folder.")] = None,
    only_first: OnlyFirst = None,
    cache: Cache = None,
) -> None:
    """Print the path of a file in the cache, whether or not it has been downloaded."""
    from isoalign import datasets

    place = datasets.path(name, only_first=only_first, cache=cache) if name else datasets.cache_folder(cache)
    console.result("data-path", {"path": str(place), "exists": place.exists()}, text=str(place))


register(data, (list_, fetch, verify, path))
