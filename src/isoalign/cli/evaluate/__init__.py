"""``isoalign evaluate``: one file per measure."""

from isoalign.cli._help import make_group, register
from isoalign.cli.evaluate.bli import bli
from isoalign.cli.evaluate.isomorphism import isomorphism
from isoalign.cli.evaluate.matrix import matrix
from isoalign.cli.evaluate.similarity import similarity

__all__ = ["evaluate"]

evaluate = make_group(
    "evaluate",
    "Measure alignments and vectors.",
    "isoalign evaluate bli en-ja -d test.txt",
    "isoalign evaluate similarity simlex.txt --source en.vec",
)

register(evaluate, (bli, matrix, similarity, isomorphism))
