"""Install the built wheel and the built sdist into empty environments and run them, far from the checkout.

python tools/try_wheel.py dist
"""

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path


def run(*command: object, cwd: Path) -> str:
    """Run a command without this checkout on the path and return what it prints."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return subprocess.run(
        [str(part) for part in command], cwd=cwd, env=environment, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def try_package(package: Path, extra: str, *, demo: bool) -> None:
    """Install one package and let it show that it works."""
    with tempfile.TemporaryDirectory(prefix="isoalign-") as name:
        folder = Path(name)
        venv.create(folder / "env", with_pip=True)
        bin_folder = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
        run(bin_folder / "python", "-m", "pip", "install", "--quiet", f"{package}{extra}", cwd=folder)
        print(run(bin_folder / "isoalign", "--version", cwd=folder).strip(), "from", package.name)
        code = "import isoalign as ia; s = ia.load_sample(); print(ia.align(s.source, s.target, s.train))"
        print(run(bin_folder / "python", "-c", code, cwd=folder).strip())
        if demo:
            run(bin_folder / "isoalign", "demo", "-q", cwd=folder)
            report = folder / "demo" / "report.html"
            print(f"demo: {report.name}, {report.stat().st_size} bytes")


def main() -> None:
    """Try both packages."""
    folder = Path(sys.argv[1]).resolve()
    (wheel,), (sdist,) = folder.glob("*.whl"), folder.glob("*.tar.gz")
    try_package(wheel, "[plot]", demo=True)
    try_package(sdist, "", demo=False)


if __name__ == "__main__":
    main()
