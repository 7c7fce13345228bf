"""Help texts for 80 columns: options are not truncated, commands and options are grouped, examples come last."""

from collections.abc import Callable, Iterable
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from isoalign.cli._plain_values import convert_plainly
from isoalign.cli._usage import harmless_usage

__all__ = ["make_group", "register"]

_SUMMARY = 200  # characters; long enough that no summary is truncated


def make_group(name: str, about: str, *examples: str, **settings: Any) -> typer.Typer:
    """Return a group of commands with plain-text help, which ends with the examples."""
    return typer.Typer(
        name=name,
        help=about,
        epilog=_list_examples(examples) if examples else None,
        no_args_is_help=True,
        rich_markup_mode=None,
        cls=_CommandList,
        **settings,
    )


def register(group: typer.Typer, functions: Iterable[Callable[..., None]], *, section: str | None = None) -> None:
    """Add commands to a group under a help heading; the help of a command ends with its examples."""
    for function in functions:
        group.command(
            function.__name__.rstrip("_").replace("_", "-"),
            cls=_Command,
            epilog=_list_examples(function.examples),  # type: ignore[attr-defined]
            rich_help_panel=section,
        )(function)


def _list_examples(examples: Iterable[str]) -> str:
    return "\n".join(["\b", "Examples:", *(f"  {example}" for example in examples)])


class _Command(TyperCommand):
    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments; of an option cut short, name the whole one and its letter."""
        convert_plainly(self.get_params(ctx))
        try:
            return super().parse_args(ctx, args)
        except Exception as error:
            if hasattr(error, "possibilities") and hasattr(error, "option_name"):
                options = [parameter.opts for parameter in self.get_params(ctx)]
                meant = [names for names in options if any(name.startswith(error.option_name) for name in names)]
                shown = [n for names in meant for n in names if len(n) == 2 or n.startswith(error.option_name)]
                error.possibilities = sorted(shown) or error.possibilities
            raise

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options under their headings: arguments, options of the command, options of all."""
        sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                kind = "Arguments" if parameter.param_type_name == "argument" else "Options"
                sections.setdefault(getattr(parameter, "rich_help_panel", None) or kind, []).append(record)
        _write_sections(formatter, sections)


class _CommandList(TyperGroup):
    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments before the name of a command."""
        convert_plainly(self.get_params(ctx))
        with harmless_usage():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Parse the arguments of a command, and run it."""
        with harmless_usage():
            return super().invoke(ctx)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands under their headings."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for name in self.list_commands(ctx):
            command: Any = self.get_command(ctx, name)
            summary = command.get_short_help_str(limit=_SUMMARY)
            sections.setdefault(command.rich_help_panel or "Commands", []).append((name, summary))
        _write_sections(formatter, sections)


def _write_sections(formatter: Any, sections: dict[str, list[tuple[str, str]]]) -> None:
    for title, rows in sections.items():
        if not rows:
            continue
        with formatter.section(title):
            formatter.write_dl(rows)
