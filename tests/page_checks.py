"""Check what a page shows and a test cannot run: a cluster, a download of gigabytes, a demonstration of a minute.

Python must compile, and every isoalign name in it must exist and take the arguments that it is given. A command line
must be one that the program would accept.
"""

import ast
import importlib
import importlib.util
import inspect
import re
import shlex
import tomllib
from pathlib import Path

import typer

from isoalign.cli import app

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def check_python(body):
    """Compile a block, import what it imports of isoalign, and bind the arguments of every call to that."""
    tree = ast.parse(body)
    names = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "isoalign":
            module = importlib.import_module(node.module)
            names |= {alias.asname or alias.name: getattr(module, alias.name) for alias in node.names}
        elif isinstance(node, ast.Import):
            ours = [alias for alias in node.names if alias.name.partition(".")[0] == "isoalign"]
            names |= {alias.asname or "isoalign": importlib.import_module(alias.name) for alias in ours}
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        function = _resolve(call.func, names)
        if function is not None:
            inspect.signature(function).bind(*call.args, **{keyword.arg: keyword.value for keyword in call.keywords})


def _resolve(node, names):
    if isinstance(node, ast.Name):
        return names.get(node.id)
    owner = _resolve(node.value, names) if isinstance(node, ast.Attribute) else None
    return None if owner is None else getattr(owner, node.attr)


def check_command(line):
    """Parse a command line with the program's own parser, or look up what it names."""
    program, *arguments = shlex.split(line, comments=True)
    CHECKS[program](arguments)


def check_isoalign(arguments):
    _parse(typer.main.get_command(app), arguments)


def check_dask(arguments):
    _parse(importlib.import_module(f"distributed.cli.dask_{arguments[0]}").main, arguments[1:])


def _parse(command, arguments):
    name = "command"
    while hasattr(command, "commands"):
        name, *arguments = arguments
        command = command.commands[name]
    with command.make_context(name, list(arguments)):
        pass


def check_pip(arguments):
    action, requirement = arguments
    project, extras = re.fullmatch(r"(isoalign|\.)\[(.+)\]", requirement).groups()
    assert action == "install"
    assert project in (".", PROJECT["name"])
    unknown = set(extras.split(",")) - PROJECT["optional-dependencies"].keys()
    assert not unknown, f"there are no extras {unknown}"


def check_make(arguments):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert arguments
    for target in arguments:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), f"make has no target {target}"


def check_script(arguments):
    script = arguments[1] if arguments[0] == "-m" else arguments[0]
    file = ROOT / (f"{script.replace('.', '/')}.py" if arguments[0] == "-m" else script)
    assert file.is_file(), f"there is no {file.name}"


CHECKS = {"python": check_script, "isoalign": check_isoalign, "dask": check_dask, "pip": check_pip, "make": check_make}
