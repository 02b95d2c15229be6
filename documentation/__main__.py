"""Put all pages of the site into a folder, from which mkdocs builds it.

    python -m documentation FOLDER

The folder has the layout of the project, so that links between documents hold as they are:
documents and the files that they link to are copied; references are made from the code and put
into ``docs/reference``. The sources that the reference of the library is made from go into a
folder ``public`` beside it.
"""

from __future__ import annotations

import argparse
import inspect
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import genint
from documentation.references import PAGES

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = (
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "deploy/README.md",
    "docs/**/*.md",
    "examples/**/*.md",
    "training/**/*.md",
    "benchmarks/**/*.md",
)
_LINK = re.compile(r"(?:\]\(|(?:src|href)=\")(?!https?:|mailto:|#)([^)#\"\s]+)")


def main() -> None:
    """Replace the folder by one with all pages."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    for made in (folder, folder.with_name("public")):
        shutil.rmtree(made, ignore_errors=True)
    for file in documents():
        _copy(file, folder)
        for linked in linked_files(file):
            _copy(linked, folder)
    _copy(ROOT / "documentation" / "site.css", folder)
    reference = folder / "docs" / "reference"
    reference.mkdir(parents=True)
    for name, page in PAGES.items():
        (reference / name).write_text(page(), encoding="utf-8")
    for file in public_modules():
        _copy(file, folder.with_name("public"))


def documents() -> tuple[Path, ...]:
    """All documents of the project, each once."""
    found = (file for pattern in DOCUMENTS for file in ROOT.glob(pattern))
    return tuple(sorted(set(found)))


def linked_files(document: Path) -> Iterator[Path]:
    """Files of the project that a document links to; pages made from the code are not there."""
    for target in _LINK.findall(document.read_text(encoding="utf-8")):
        file = (document.parent / target).resolve()
        if file.is_file() and file.is_relative_to(ROOT):
            yield file


def public_modules() -> frozenset[Path]:
    """Sources of what `import genint` offers, with the packages that they are in.

    The reference of the library is made from these alone: reading the whole package took half of
    the time.
    """
    found = {ROOT / "genint" / "version.py"}
    for name in dir(genint):
        module = getattr(getattr(genint, name), "__module__", "genint")
        file = inspect.getsourcefile(sys.modules[module])
        found.add(Path(file or genint.__file__))
    packages = {
        parent
        for file in found
        for parent in file.parents
        if parent.is_relative_to(ROOT / "genint")
    }
    inits = {file for package in packages for file in package.glob("__init__.py*")}
    return frozenset(found | inits)


def _copy(file: Path, folder: Path) -> None:
    copy = folder / file.relative_to(ROOT)
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, copy)


if __name__ == "__main__":
    main()
