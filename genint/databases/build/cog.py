"""COG: definitions of its groups, and names of their categories.

Format: ``readme`` of COG 2024, files ``cog-24.def.tab`` (group, letters, name, symbol,
pathway, PubMed, PDB) and ``cog-24.fun.tab`` (letter first, name last).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from genint.databases.build import Built, Report, Step
from genint.databases.build.source_lines import malformed, quoted, text_lines, write_table

DEFINITIONS = "definitions.tsv"
CATEGORIES = "categories.tsv"

_GROUP = re.compile(r"COG\d{4,5}")
_LETTER = re.compile(r"[A-Z]")
_LEAST_DEFINITION_COLUMNS = 3
_LEAST_CATEGORY_COLUMNS = 2
_SYMBOL = 3


def build(sources: Mapping[str, Path], target: Path, progress: Report) -> Built:
    """Write ``definitions.tsv`` (group, letters, name, symbol) and ``categories.tsv``.

    Raises:
        FormatError: a line of the published files cannot be read.
    """
    categories = _categories(sources["cog-24.fun.tab"])
    progress(Step("reading categories", len(categories), len(categories)))
    definitions = _definitions(sources["cog-24.def.tab"], frozenset(categories))
    progress(Step("reading groups", len(definitions), len(definitions)))
    write_table(target / CATEGORIES, sorted(categories.items()))
    entries = write_table(target / DEFINITIONS, sorted(definitions.values()))
    return Built(entries)


def _categories(file: Path) -> dict[str, str]:
    """Letter -> name."""
    names: dict[str, str] = {}
    for number, line in text_lines(file):
        columns = [column.strip() for column in line.split("\t")]
        if line.startswith("#"):
            continue
        if len(columns) < _LEAST_CATEGORY_COLUMNS or not columns[-1]:
            raise malformed(file, number, "a letter and a name are expected, with tabs between")
        if not _LETTER.fullmatch(columns[0]):
            raise malformed(file, number, f"{quoted(columns[0])} is no category's letter")
        if columns[0] in names:
            raise malformed(file, number, f"category {columns[0]} stands here twice")
        names[columns[0]] = columns[-1]
    if not names:
        raise malformed(file, None, "there is no category in it")
    return names


def _definitions(file: Path, letters: frozenset[str]) -> dict[str, tuple[str, str, str, str]]:
    """Group -> group, letters, name, symbol."""
    rows: dict[str, tuple[str, str, str, str]] = {}
    for number, line in text_lines(file):
        if line.startswith("#"):
            continue
        columns = [column.strip() for column in line.split("\t")]
        if len(columns) < _LEAST_DEFINITION_COLUMNS:
            raise malformed(file, number, "a group, letters and a name are expected")
        group, of, name = columns[:_LEAST_DEFINITION_COLUMNS]
        if not _GROUP.fullmatch(group):
            raise malformed(file, number, f"{quoted(group)} is no COG id")
        if not of or not letters.issuperset(of):
            raise malformed(file, number, f"{group} has the unknown category {quoted(of)}")
        if not name:
            raise malformed(file, number, f"{group} has no name")
        if group in rows:
            raise malformed(file, number, f"{group} stands here twice")
        rows[group] = (group, of, name, columns[_SYMBOL] if len(columns) > _SYMBOL else "")
    if not rows:
        raise malformed(file, None, "there is no group in it")
    return rows
