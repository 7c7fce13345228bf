"""Reproduce the paper's table on the embedded sample: normalisations and maps, with 95 % confidence intervals.

    python examples/reproduce_the_table.py [FOLDER]

The numbers are those of the sample, not those of the paper, which uses other, larger sets of vectors; for these see
``isoalign reproduce iternorm-acl2019``. A second run finds its results in FOLDER and computes nothing.
"""

import sys
import tempfile

from isoalign.experiments import load_records, load_sweep, sweep
from isoalign.reporting import accuracy_tables, describe_comparisons


def main(folder: str) -> None:
    """Run the sweep, print its table, and state its findings."""
    sweep(load_sweep("sample"), folder)
    records = load_records(folder)
    for table in accuracy_tables(records):
        print(table.title)
        print(f"{'':12}", *(f"{column:18}" for column in table.columns))
        for method, cells in table.rows:
            print(f"{method:12}", *(f"{cell.value:.1f} [{cell.ci95[0]:.1f}, {cell.ci95[1]:.1f}] " for cell in cells))
    for sentence in describe_comparisons(records):
        print(sentence)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(sys.argv[1])
    else:
        with tempfile.TemporaryDirectory() as name:
            main(name)
