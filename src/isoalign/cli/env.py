"""``isoalign env``: the environment of isoalign."""

from isoalign.cli._command import command
from isoalign.cli._console import Console

__all__ = ["env"]


@command(
    "isoalign env",
    "isoalign env --json",
)
def env(console: Console) -> None:
    """Print versions, the BLAS library, threads and installed extras."""
    from isoalign.experiments._environment import describe_environment

    found = describe_environment()
    rows = [(key, found[key]) for key in ("isoalign", "python", "platform", "processor", "cores", "threads")]
    rows += [("blas", "  ".join(str(value) for value in library.values())) for library in found["blas"]]
    rows += list(found["dependencies"].items())
    rows += [(f"extra {name}", version or "not installed") for name, version in found["extras"].items()]
    console.result("env", found, text=console.table(rows))
