"""Parameters of requests: described once, checked and documented from that description."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from isoalign._core.validate import suggest

__all__ = ["Parameter", "RequestError", "read_parameters"]

_TRUTH = {"true": True, "1": True, "false": False, "0": False}


class RequestError(Exception):
    """A request that cannot be answered; becomes a JSON error.

    Parameters
    ----------
    status
        HTTP status.
    message
        The rule, the value that was given, and what to do.
    more
        Further fields of the error, such as suggestions.
    """

    def __init__(self, status: int, message: str, **more: Any) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.more = more


@dataclass(frozen=True)
class Parameter:
    """One parameter of a request.

    Attributes
    ----------
    name, about
        Name and meaning.
    kind
        ``"string"``, ``"integer"``, ``"number"``, ``"boolean"``, or ``"words"`` for a list of strings.
    default
        None: there is none.
    required
        Whether a request must have it.
    choices
        The only values allowed.
    minimum, maximum
        Limits of a number, of the length of a string, or of the length of a list.
    """

    name: str
    about: str
    kind: str = "string"
    default: Any = None
    required: bool = False
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of the values allowed."""
        if self.kind == "words":
            return {"type": "array", "items": {"type": "string"}, "minItems": self.minimum, "maxItems": self.maximum}
        bounds = ("minLength", "maxLength") if self.kind == "string" else ("minimum", "maximum")
        schema = {
            "type": self.kind,
            "enum": list(self.choices) or None,
            "default": self.default,
            bounds[0]: self.minimum,
            bounds[1]: self.maximum,
        }
        return {name: value for name, value in schema.items() if value is not None}

    def read(self, value: Any) -> Any:
        """Check a value from JSON, or from the text of an address, and return it."""
        if value is None:
            if self.required:
                raise RequestError(400, f"{self.name} is missing: {self.about}")
            return self.default
        value = self._convert(value)
        size = len(value) if isinstance(value, (str, list)) else value
        if self.minimum is not None and size < self.minimum:
            raise self._refuse(f"at least {self.minimum:g}{self._unit()}", size)
        if self.maximum is not None and size > self.maximum:
            raise self._refuse(f"at most {self.maximum:g}{self._unit()}", size)
        if self.choices and value not in self.choices:
            raise self._refuse(f"one of {', '.join(self.choices)}", value, suggest(value, self.choices))
        return value

    def _convert(self, value: Any) -> Any:
        match self.kind, value:
            case "string", str() if _is_unicode(value):
                return value
            case "words", list() if all(isinstance(word, str) and _is_unicode(word) for word in value):
                return value
            case "boolean", bool():
                return value
            case "boolean", str() if value.lower() in _TRUTH:
                return _TRUTH[value.lower()]
            case ("integer", int()) | ("number", int() | float()) if not isinstance(value, bool):
                return value
            case "integer", str() if value.isascii() and value.isdigit() and len(value) < 10:
                return int(value)
            case "number", str():
                number = _as_number(value)
                if number is not None:
                    return number
        raise self._refuse(
            {"words": "a list of strings of Unicode text", "string": "Unicode text"}.get(
                self.kind, f"a value of type {self.kind}"
            ),
            value,
        )

    def _unit(self) -> str:
        return {"string": " characters long", "words": " words long"}.get(self.kind, "")

    def _refuse(self, rule: str, got: Any, advice: str = "") -> RequestError:
        shown = got if isinstance(got, (int, float)) else f"{str(got)[:40]!r}"
        return RequestError(400, f"{self.name} must be {rule}. Got {shown}.{advice}")


def _is_unicode(text: str) -> bool:
    """Return whether text can be encoded; JSON may hold half of a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _as_number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def read_parameters(values: Mapping[str, Any], parameters: Sequence[Parameter]) -> dict[str, Any]:
    """Return validated values of all parameters; unknown ones are errors, since they would have no effect."""
    known = [parameter.name for parameter in parameters]
    for name in values:
        if name not in known:
            raise RequestError(
                400,
                f"{name[:40]!r} is not a parameter here. Known: {', '.join(known) or 'none'}.{suggest(name, known)}",
            )
    return {parameter.name: parameter.read(values.get(parameter.name)) for parameter in parameters}
