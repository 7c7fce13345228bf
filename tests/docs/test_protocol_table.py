"""The table of protocols is what the code computes now."""

import pytest

from benchmarks.protocols import END, PAGE, START, score_protocols


@pytest.mark.filterwarnings("ignore:.* dictionary pairs are in the vocabularies")
def test_the_table_of_the_page_is_current():
    text = PAGE.read_text(encoding="utf-8").partition(START)[2].partition(END)[0]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.strip().split("\n")[2:]]
    shown = {name: (int(n), coverage, float(p1.split("%")[0])) for name, n, coverage, p1, *_ in cells}
    results = score_protocols()
    assert shown.keys() == results.keys()
    for name, (n, coverage, p1) in shown.items():
        found = results[name]
        assert (n, coverage) == (found.n, f"{found.coverage:.1%}")
        # Another BLAS may turn a word or two whose candidates are nearly tied.
        assert abs(p1 / 100 - found.precision[1]) * n < 2.5
