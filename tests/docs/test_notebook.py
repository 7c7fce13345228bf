"""The notebook runs from its first cell to its last."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


@pytest.mark.slow  # starts a kernel
@pytest.mark.filterwarnings("ignore")  # of the machinery around the kernel
@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_tables(path):
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not [output for output in outputs if output.output_type == "error"]
    tables = [output.data["text/html"] for output in outputs if "text/html" in output.get("data", {})]
    assert len(tables) >= 6
    assert all("<table" in table for table in tables)


def test_notebooks_are_kept_without_outputs():
    for path in EXAMPLES.glob("*.ipynb"):
        assert not [cell for cell in nbformat.read(path, as_version=4).cells if cell.get("outputs")]
