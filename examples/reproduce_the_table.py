"""Reproduce the paper's table on the embedded sample: three normalisations, three maps, with confidence intervals.

    python examples/reproduce_the_table.py [FOLDER]

The numbers are those of the sample, not of the paper, whose vectors are another, larger set; see
``isoalign reproduce iternorm-acl2019`` for those. A second run finds its results in FOLDER and computes nothing.
"""

import sys
import tempfile

from isoalign.experiments import load_records, load_sweep, sweep
from isoalign.reporting import format_records, tell_comparisons


def main(folder: str) -> None:
    """Run the sweep, print its table, and say what it shows."""
    sweep(load_sweep("sample"), folder)
    records = load_records(folder)
    print(format_records(records, "markdown"))
    for sentence in tell_comparisons(records):
        print(sentence)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(sys.argv[1])
    else:
        with tempfile.TemporaryDirectory() as name:
            main(name)
