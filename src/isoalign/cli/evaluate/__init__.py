"""``isoalign evaluate``: one file per measure."""

import typer

from isoalign.cli.evaluate.bli import bli
from isoalign.cli.evaluate.isomorphism import isomorphism
from isoalign.cli.evaluate.similarity import similarity

__all__ = ["evaluate"]

evaluate = typer.Typer(name="evaluate", help="Measure alignments and vectors.", no_args_is_help=True)

for function in (bli, similarity, isomorphism):
    evaluate.command()(function)
