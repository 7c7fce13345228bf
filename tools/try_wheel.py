"""Install the built wheel and the built sdist into empty environments and run them, outside the checkout.

python tools/try_wheel.py dist
"""

import os
import re
import subprocess
import sys
import tempfile
import time
import tomllib
import venv
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

LOWEST = re.compile(r"([A-Za-z0-9_.-]+)(?:\[.*?\])?>=([0-9.]+)")
EXTRAS = """
import isoalign as ia
from sklearn.base import clone
import distributed, h5py, matplotlib, ot.gromov, psycopg, pyarrow.parquet, spacy, sqlite_vec, tokenizers, uvicorn
sample = ia.load_sample()
assert len(sample.source.to_gensim()) == len(sample.source)
assert clone(ia.Aligner()).get_params()
assert len(sample.train.to_dataframe()) == len(sample.train)
pyarrow.parquet.write_table(pyarrow.table({"word": ["a"], "vector": [[1.0, 2.0]]}), "some.parquet")
assert ia.read_vectors("some.parquet").index_to_key == ["a"]
from isoalign.web import make_app, open_sample
make_app([open_sample()])
print("extras work")
"""
ALIGN = "import isoalign as ia; s = ia.load_sample(); print(ia.align(s.source, s.target, s.train))"


class Environment:
    """An empty environment in a separate folder, with nothing of this checkout on any path."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        venv.create(folder / "env", with_pip=True)
        self.programs = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
        kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
        self.variables = kept | {"NUMBA_CACHE_DIR": str(folder / "kernels"), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}

    def run(self, program: str, *arguments: object) -> str:
        """Run a program of the environment and return what it prints."""
        command = [str(self.programs / program), *map(str, arguments)]
        done = subprocess.run(
            command, cwd=self.folder, env=self.variables, check=True, stdout=subprocess.PIPE, encoding="utf-8"
        )
        return done.stdout.strip()


def lowest_versions() -> str:
    """Return every lower bound that the project declares as a pip constraint, such as ``numpy==2.0.*``."""
    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text("utf-8"))["project"]
    declared = [
        *project["dependencies"],
        *(line for some in project["optional-dependencies"].values() for line in some),
    ]
    found = [LOWEST.match(line) for line in declared]
    return "".join(f"{match[1]}=={match[2]}.*\n" for match in found if match)


def try_package(package: Path, extra: str = "", *, lowest: bool = False) -> str:
    """Install one package, check that its requirements are consistent, run an alignment, and return what it printed.

    With the newest versions, also run the demonstration; with the lowest ones, use every extra.
    """
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="isoalign-") as name:
        environment = Environment(Path(name))
        constraints = environment.folder / "constraints.txt"
        constraints.write_text(lowest_versions() if lowest else "", encoding="utf-8")
        environment.run("python", "-m", "pip", "install", "--quiet", f"{package}{extra}", "-c", constraints)
        printed = [
            f"{environment.run('isoalign', '--version')} from {package.name}",
            environment.run("python", "-m", "pip", "check"),
            environment.run("python", "-c", ALIGN),
        ]
        if lowest:
            printed.append(environment.run("python", "-c", EXTRAS))
        else:
            environment.run("isoalign", "demo", "--quiet")
            report = environment.folder / "demo" / "report.html"
            printed.append(f"demo: {report.name}, {report.stat().st_size:,} bytes")
    return "\n".join([*printed, f"{time.perf_counter() - start:.0f} s"])


def main() -> None:
    """Try both packages side by side."""
    folder = Path(sys.argv[1]).resolve()
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    with ThreadPoolExecutor() as pool:
        tried = [pool.submit(try_package, wheel, "[plot]"), pool.submit(try_package, sdist, "[all]", lowest=True)]
    for one in tried:
        print(one.result(), flush=True)


if __name__ == "__main__":
    main()
