"""``isoalign transfer``: a new vocabulary for a language model."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from isoalign.cli._command import command
from isoalign.cli._console import Console
from isoalign.cli._options import Force, FromMember, ModelFolder, SourceVectors, TargetVectors, ToMember
from isoalign.cli._paths import check_output

if TYPE_CHECKING:
    from isoalign.transfer import TransferredFile

__all__ = ["transfer"]

_SHOWN_NEIGHBORS = 4
_SHOWN_TOKENS = 40


@command(
    "isoalign transfer en-fr -s en -t fr -e lm.safetensors -o new.safetensors",
    "isoalign transfer en-fr -s en -t fr -e lm.safetensors:wte -o new.safetensors",
)
def transfer(
    console: Console,
    model: ModelFolder,
    source_tokenizer: Annotated[
        Path, typer.Option("--source-tokenizer", "-s", help="tokenizer.json of the language model, or its folder.")
    ],
    target_tokenizer: Annotated[
        Path, typer.Option("--target-tokenizer", "-t", help="tokenizer.json of the new vocabulary, or its folder.")
    ],
    embeddings: Annotated[
        list[str],
        typer.Option(
            "--embeddings",
            "-e",
            metavar="FILE[:TENSOR]",
            help="safetensors file of the model: all tensors with one row per token, or FILE:TENSOR; repeatable.",
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="New safetensors file.")],
    source_name: FromMember = None,
    target_name: ToMember = None,
    source: SourceVectors = None,
    target: TargetVectors = None,
    evidence: Annotated[
        str, typer.Option(help="Compute token vectors from subwords, words, or auto: subwords if both sides have them.")
    ] = "auto",
    k: Annotated[int, typer.Option("-k", min=1, help="Number of old tokens per new token.")] = 10,
    temperature: Annotated[float, typer.Option(help="Temperature of the softmax over cosines.")] = 0.1,
    special: Annotated[
        list[str] | None,
        typer.Option(
            "--special", metavar="NEW=OLD", help="Copy a special token that has another name, [CLS]=<s>; repeatable."
        ),
    ] = None,
    copy_shared: Annotated[
        bool, typer.Option("--copy-shared", help="Copy tokens without evidence that both vocabularies have.")
    ] = False,
    capitalize: Annotated[
        bool | None,
        typer.Option(
            "--capitalize/--no-capitalize", help="Use capitalised words too. [default: if all words are in lower case]"
        ),
    ] = None,
    source_counts: Annotated[
        Path | None, typer.Option("--source-counts", help="Words and counts; by default, frequency is 1/rank.")
    ] = None,
    target_counts: Annotated[
        Path | None, typer.Option("--target-counts", help="As --source-counts, for the target.")
    ] = None,
    max_words: Annotated[
        int | None, typer.Option("--max-words", min=1, metavar="N", help="Only the first N words of each side.")
    ] = None,
    pad_to: Annotated[
        int, typer.Option("--pad-to", min=1, metavar="N", help="Pad the new matrices to a multiple of N rows.")
    ] = 1,
    report: Annotated[Path | None, typer.Option("--report", help="HTML file with the summary.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of rows without evidence.")] = 0,
    force: Force = False,
) -> None:
    """Give a language model the embeddings of a new vocabulary, as WECHSEL does, through an alignment.

    The source of the alignment is the language of the model, its target that of the new vocabulary. Other tensors of
    the file are copied unchanged.
    """
    from isoalign.alignment import load_with_files
    from isoalign.io import read_counts
    from isoalign.transfer import transfer_file

    for path in (output, report):
        check_output(path, force=force)
    renamed = _parse_special(special or [])
    counts = tuple(None if path is None else read_counts(path) for path in (source_counts, target_counts))
    with console.progress() as progress:
        done = transfer_file(
            load_with_files(model, source, target, members=(source_name, target_name), progress=progress),
            source_tokenizer,
            target_tokenizer,
            embeddings,
            output,
            evidence=evidence,
            k=k,
            temperature=temperature,
            special=renamed,
            copy_shared=copy_shared,
            capitalize=capitalize,
            counts=counts,
            max_words=max_words,
            pad_to=pad_to,
            overwrite=force,
            random_state=seed,
            progress=progress,
        )
    written = [str(output)]
    if report is not None:
        from isoalign.reporting import build_transfer_report, write_text

        write_text(build_transfer_report(done), report, overwrite=force)
        written.append(str(report))
    text = "\n".join([_describe(console, done), *(f"wrote {path}" for path in written)])
    console.result("transfer", {"written": written, **done.to_dict()}, text=text)


def _parse_special(given: list[str]) -> dict[str, str]:
    from isoalign.errors import ParameterError

    pairs = [one.partition("=") for one in given]
    for one, (new, _, old) in zip(given, pairs, strict=True):
        if not new or not old:
            raise ParameterError(f"--special takes NEW=OLD, such as [CLS]=<s>. Got {one!r}.")
    return {new: old for new, _, old in pairs}


def _describe(console: Console, done: "TransferredFile") -> str:
    found = done.to_dict()
    total = len(done.transfer)
    members, frequency = found["members"], found["frequency"]
    from_what = "subwords" if frequency is None else f"words, weighted by {' and '.join(dict.fromkeys(frequency))}"
    rules = [(rule, f"{count:,}", f"{100 * count / total:.1f} %") for rule, count in found["rules"].items() if count]
    tensors = [(name, one["dtype"], f"{one['old_shape']} → {one['shape']}") for name, one in found["tensors"].items()]
    examples = [(one["token"], _list_neighbors(one["neighbors"])) for one in found["examples"]]
    new, old = found["tokens"]["target"], found["candidates"]
    parts = [
        f"{members['source']} → {members['target']}: {new:,} new tokens from {old:,} old ones known by {from_what}",
        console.table(rules, header=("rule", "tokens", "share")),
        console.table(tensors, header=("tensor", "type", "shape")),
        *(["input and output embeddings are equal and stay equal"] if done.tied else []),
        *([f"{done.padding:,} padding rows of the old matrices are ignored"] if done.padding else []),
        console.table(examples, header=("new token", "made of")),
    ]
    missing = found["without_evidence"]
    if missing:
        more = ", …; --json lists all" if len(missing) > _SHOWN_TOKENS else ""
        parts.append(f"without evidence ({len(missing):,}): {', '.join(missing[:_SHOWN_TOKENS])}{more}")
    return "\n\n".join(parts)


def _list_neighbors(neighbors: list[dict[str, Any]]) -> str:
    return ", ".join(f"{one['token']} {one['weight']:.2f}" for one in neighbors[:_SHOWN_NEIGHBORS])
