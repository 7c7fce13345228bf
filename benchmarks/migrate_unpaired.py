"""Adapters without pairs: halves of the items, each embedded by one model only, and the verdict on the map found.

``python -m benchmarks.migrate_unpaired CELLS`` needs the folder named by ``ISOALIGN_TEST_DATA`` and many minutes for
each fit. Cells are kept in the file CELLS: a stopped run continues from there.
"""

import argparse
import json
import os
import time
import warnings
from pathlib import Path
from typing import Any

from benchmarks._harness import save
from benchmarks._migration_cases import SEED
from benchmarks._migration_tables import CASES, PAGE
from benchmarks._page import markdown_table, replace_table
from benchmarks.migrate import case_makers, make_yardstick
from isoalign.errors import IsoalignWarning
from isoalign.migration import Adapter
from isoalign.migration._measures import ADAPTED, NEW, OLD

Cell = dict[str, Any]


def run_cells(data: Path, kept: Path) -> list[Cell]:
    """Fit what is not in the file yet, and return all cells."""
    warnings.simplefilter("ignore", IsoalignWarning)
    cells = [json.loads(line) for line in kept.read_text().splitlines()] if kept.exists() else []
    for name, make in case_makers(data).items():
        if any(cell["case"] == name for cell in cells):
            continue
        case = make()
        middle = len(case.fitted) // 2
        processor = time.process_time()
        adapter = Adapter(use="corpus", paired=False, random_state=SEED).fit(
            case.old[case.fitted[:middle]], case.new[case.fitted[middle:]]
        )
        seconds = time.process_time() - processor
        result = make_yardstick(case).measure(adapter)
        scores = {one: round(result.systems[one][result.decisive].value, 4) for one in (OLD, ADAPTED, NEW)}
        found = {"case": name, "rows": middle, "measure": result.decisive, **scores, **adapter.record_["verdict"]}
        cells.append({**found, "identity_p1": result.identity_p1, "processor_seconds": seconds})
        with kept.open("a") as file:
            file.write(json.dumps(cells[-1]) + "\n")
        print(cells[-1], flush=True)
    return cells


def make_table(cells: list[Cell]) -> str:
    """Return verdicts and what the maps keep."""
    body = [
        (
            CASES[cell["case"]],
            f"{cell['rows']:,}",
            f"{cell['agreement']:.0%}",
            f"{cell['null_agreement']:.0%}",
            cell["status"],
            cell["measure"],
            *(f"{cell[one]:.3f}" for one in (OLD, ADAPTED, NEW)),
        )
        for cell in cells
    ]
    header = ("models", "rows of each", "runs agree", "null", "verdict", "measure", OLD, ADAPTED, NEW)
    return markdown_table(header, body)


def main() -> None:
    """Run the cells, save them, and write the table of the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cells", type=Path, help="file of finished cells")
    cells = run_cells(Path(os.environ["ISOALIGN_TEST_DATA"]) / "data", parser.parse_args().cells)
    save("migrate_unpaired", {"cells": cells})
    replace_table(PAGE, "migrate_unpaired", make_table(cells))


if __name__ == "__main__":
    main()
