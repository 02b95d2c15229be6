"""Whether Python and the libraries are there and new enough."""

from __future__ import annotations

import importlib
import platform
import re
from dataclasses import dataclass
from importlib import metadata

from genint.compute import Backend
from genint.selftest.check import Finding, Places
from genint.version import __version__

_REQUIREMENT = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)\s*>=\s*([0-9.]+)\s*$")
_COMPILED = (
    *("numpy", "Bio", "gb_io", "pyrodigal", "pyrodigal_gv", "pyhmmer", "pyopal"),
    *("pyaragorn", "diced"),
)
"""Modules with compiled parts, which may be there and yet not load."""
_SHOWN = ("pyhmmer", "pyrodigal", "pyrodigal-gv", "pyopal", "numpy")
"""Distributions that have a part in every result."""


@dataclass(frozen=True, slots=True)
class Versions:
    """Program and libraries.

    Attributes:
        distribution: Whose requirements are looked at.
        modules: What has to load.
    """

    distribution: str = "genint"
    modules: tuple[str, ...] = _COMPILED
    name: str = "program and libraries"
    cure: str = "install what genint needs: pip install --upgrade genint"

    async def run(self, places: Places, near: Backend) -> Finding:
        """See :class:`~genint.selftest.check.Check`."""
        del places
        return await near.run(_look, self.distribution, self.modules)


def _look(distribution: str, modules: tuple[str, ...]) -> Finding:
    wrong = [*_unmet(distribution), *_not_loading(modules)]
    if wrong:
        return Finding.failed("; ".join(wrong))
    shown = ", ".join(f"{name} {metadata.version(name)}" for name in _SHOWN)
    return Finding.ok(f"genint {__version__}, Python {platform.python_version()}, {shown}")


def _unmet(distribution: str) -> list[str]:
    """Requirements that are not met, in words; those of extras are not looked at."""
    wrong = []
    for requirement in metadata.requires(distribution) or ():
        found = _REQUIREMENT.match(requirement)
        if found is None:
            continue
        name, least = found.groups()
        try:
            there = metadata.version(name)
        except metadata.PackageNotFoundError:
            wrong.append(f"{name} is not installed")
            continue
        if _numbers(there) < _numbers(least):
            wrong.append(f"{name} is {there}, genint needs {least} or newer")
    return wrong


def _numbers(version: str) -> tuple[int, ...]:
    """The numbers that a version begins with: ``3.14.5rc1`` is 3, 14, 5."""
    found = re.match(r"\d+(\.\d+)*", version)
    numbers = [int(part) for part in found.group().split(".")] if found else []
    while numbers and not numbers[-1]:
        numbers.pop()  # 2.0 is 2
    return tuple(numbers)


def _not_loading(modules: tuple[str, ...]) -> list[str]:
    wrong = []
    for module in modules:
        try:
            importlib.import_module(module)
        except Exception as problem:  # noqa: BLE001 - a broken library may raise anything
            wrong.append(f"{module} does not load: {problem}")
    return wrong
