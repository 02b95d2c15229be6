"""Versions: of genint, which only this file states, and of the libraries that it uses."""

from functools import cache

__version__ = "0.1.0"


@cache
def library_version(name: str) -> str:
    """Version of an installed package.

    Raises:
        importlib.metadata.PackageNotFoundError: it is not installed.

    Cost: 6 ms for the first time.
    """
    from importlib.metadata import version  # noqa: PLC0415 - takes a while to load

    return version(name)
