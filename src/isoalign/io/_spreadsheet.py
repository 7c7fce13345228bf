"""Keep spreadsheets from evaluating words as formulas."""

import csv
import io

__all__ = ["escape_formula", "escape_formulas"]

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def escape_formula(field: str) -> str:
    """Put an apostrophe before a field that a spreadsheet would evaluate as a formula; numbers are not changed.

    >>> escape_formula("=1+1"), escape_formula("-0.5"), escape_formula("word")
    ("'=1+1", '-0.5', 'word')
    """
    return f"'{field}" if field.startswith(_FORMULA) and not _is_number(field) else field


def escape_formulas(text: str) -> str:
    """Escape every field of comma-separated text."""
    out = io.StringIO()
    rows = csv.reader(io.StringIO(text, newline=""))
    csv.writer(out, lineterminator="\n").writerows([escape_formula(field) for field in row] for row in rows)
    return out.getvalue()


def _is_number(field: str) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True
