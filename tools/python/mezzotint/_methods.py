"""The methods and the measures."""
from __future__ import annotations

from typing import Dict, NamedTuple, Tuple

from . import _native


class Parameter(NamedTuple):
    """A parameter of a method: a keyword of halftone()."""

    name: str
    summary: str
    unit: str                 #: "%", "px", "s", or empty
    least: float
    most: float
    default: float | str      #: a name, where there are choices
    choices: Tuple[str, ...]  #: of values that have names

    def __str__(self) -> str:
        if self.choices:
            return f"{self.name}: {self.summary}; {', '.join(self.choices)}; default {self.default}"
        unit = f" {self.unit}" if self.unit else ""
        return (f"{self.name}: {self.summary}; {self.least:.10g} to {self.most:.10g}{unit}, "
                f"default {self.default:g}")


class Method(NamedTuple):
    """A method of halftoning."""

    name: str
    summary: str
    engines: Tuple[str, ...]  #: that run it; the dots are the same
    parameters: Dict[str, Parameter]

    def __str__(self) -> str:
        lines = [f"{self.name}: {self.summary}", f"  engines: {', '.join(self.engines)}"]
        return "\n".join(lines + [f"  {parameter}" for parameter in self.parameters.values()])


class Measure(NamedTuple):
    """A number of compare()."""

    name: str
    unit: str
    summary: str


def methods() -> Dict[str, Method]:
    """All methods, by name, each with its parameters."""
    return {name: Method(name, summary, tuple(engines.split()), {p[0]: _parameter(p) for p in parameters})
            for name, summary, engines, parameters in _native.methods()}


def measures() -> Dict[str, Measure]:
    """The numbers of compare(), by name, with their units."""
    return {measure[0]: Measure(*measure) for measure in _native.measures()}


def _parameter(texts) -> Parameter:
    name, summary, unit, least, most, default, choices = texts
    return Parameter(name, summary, unit, least, most, choices[int(default)] if choices else default,
                     choices)
