"""Write answers and disagreements as tables; read results from JSON."""

import json
from collections.abc import Sequence

from isoalign._core.types import PathName
from isoalign.errors import FormatError
from isoalign.evaluation._results import BliResult, Comparison
from isoalign.io import open_binary, write_rows

__all__ = ["read_results", "write_answers", "write_disagreements"]

_RIGHT_ANSWERS = " | "


def write_answers(results: Sequence[BliResult], path: PathName, *, overwrite: bool = True) -> None:
    """Write the answers of one or more results as a table, one line per answer, by commas (``.csv``) or tabs.

    The columns are: number of the result, source word, its frequency rank from 1, rank of the best correct answer
    (``>10`` if it is not among the candidates), correct answers, and the candidates, each with its score.
    """
    most = max((len(answer.candidates) for result in results for answer in result.answers), default=0)
    columns = [name for place in range(1, most + 1) for name in (f"candidate_{place}", f"score_{place}")]
    header = ["result", "word", "frequency_rank", "rank", "right", *columns]
    lines = [
        [
            str(number),
            answer.word,
            "" if answer.row is None else str(answer.row + 1),
            f">{result.ks[-1]}" if answer.rank is None else str(answer.rank),
            _RIGHT_ANSWERS.join(answer.gold),
            *(
                field
                for word, score in zip(answer.candidates, answer.scores, strict=True)
                for field in (word, f"{score:.6g}")
            ),
        ]
        for number, result in enumerate(results, 1)
        for answer in result.answers
    ]
    write_rows([header, *lines], path, overwrite=overwrite)


def write_disagreements(comparisons: Sequence[Comparison], path: PathName, *, overwrite: bool = True) -> None:
    """Write the questions that only one of two systems answers correctly as a table, by commas (``.csv``) or tabs."""
    header = ["comparison", "word", "right", "rank_a", "rank_b", "answer_a", "answer_b"]
    lines = [
        [
            str(number),
            item.word,
            _RIGHT_ANSWERS.join(item.gold),
            *(f">{max(comparison.difference)}" if rank is None else str(rank) for rank in (item.rank_a, item.rank_b)),
            item.answer_a or "",
            item.answer_b or "",
        ]
        for number, comparison in enumerate(comparisons, 1)
        for item in comparison.disagreements
    ]
    write_rows([header, *lines], path, overwrite=overwrite)


def read_results(path: PathName) -> list[BliResult]:
    """Read the results that ``isoalign evaluate bli --json`` printed."""
    with open_binary(path) as file:
        content = file.read()
    try:
        return [BliResult.from_dict(result) for result in json.loads(content)["results"]]
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise FormatError(f"{path}: not a result of 'isoalign evaluate bli --json' ({error!r}).") from error
