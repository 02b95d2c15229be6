"""Results of eggNOG-mapper: the table ``*.emapper.annotations``.

Versions 2.0 and 2.1 name their columns differently; both are read. GO terms are left out: the
table lists all terms of all orthologs with everything above them, a hundred and more for a gene.

Source: the documentation of eggNOG-mapper 2, and tables that versions 2.0.1 and 2.1 wrote.
"""

from __future__ import annotations

import re

from genint.formats.imported.tables import Row, rows_of
from genint.model.evidence import Measurements
from genint.model.imported import ImportedGene, ImportedName, NamedBy

_VERSION = re.compile(r"^##? *(?:emapper version: )?emapper-(\S+)", re.MULTILINE)
_DATABASE = re.compile(r"emapper DB: *(\S+)")
_EC = re.compile(r"\d+\.(?:\d+|-)\.(?:\d+|-)\.(?:n?\d+|-)")
_GROUP = re.compile(r"([^@,]+)@\d+")
_GROUPS = ("eggNOG_OGs", "eggNOG OGs")
_DESCRIPTIONS = ("Description", "eggNOG free text desc.")
_LETTERS = ("COG_category", "COG Functional cat.")
_NO_NAME = re.compile(
    r"""(?:cog|kog|nog)[ ](?:cog|kog|nog)?\w+ | .*[.;][ ].+ | .{91,}
      | (?:catalys|catalyz|involved|part[ ]of|could|may|might|required|responsible|acts?\b
          |plays?\b|participates|important|specifically|component[ ]of|one[ ]of|this[ ]|the[ ]).*
      | (?:response[ ]to|(?:positive[ ]|negative[ ])?regulation[ ]of)[ ].*
      | .*[ ](?:binding|activity|process|transport|pathway|localization|assembly|motif|metabolism)
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Descriptions that are no names of proteins: what version 2.0 writes of groups without one (cog
cog3677), sentences of what members do, and terms of the Gene Ontology (response to X-ray)."""
_GROUP_ID = re.compile(r"^COG\d+ ")


def versions_of(text: str) -> tuple[str, str]:
    """Versions of the program and its database; empty where the table does not say."""
    version, database = _VERSION.search(text), _DATABASE.search(text)
    return version[1] if version else "", f"eggNOG {database[1]}" if database else ""


def read_table(text: str, source: str) -> tuple[ImportedGene, ...]:
    """One gene for each row.

    Raises:
        FormatError: a row is damaged.
    """
    return tuple(map(_gene, rows_of(text, source)))


def _gene(row: Row) -> ImportedGene:
    query = row.text("query", "query_name")
    if not query:
        raise row.fault("has no query")
    return ImportedGene(ids=(query,), name=_name(row), line=row.line)


def _name(row: Row) -> ImportedName | None:
    text = _GROUP_ID.sub("", row.text(*_DESCRIPTIONS)).rstrip(".")
    if not text or _NO_NAME.fullmatch(text):
        return None
    group = _narrowest_group(row.text(*_GROUPS))
    symbol = row.text("Preferred_name")
    letters = row.text(*_LETTERS)
    family = re.fullmatch(r"[Bb]elongs to the (.*)", text)
    return ImportedName(
        text=family[1] if family else text,
        by=NamedBy.ORTHOLOGS,
        accession=group,
        origin=f"eggnog:{group}" if group else "",
        symbol=symbol if re.fullmatch(r"[a-z]{3}[A-Z]?\d?", symbol) else "",
        ec=tuple(dict.fromkeys(_EC.findall(row.text("EC")))),
        cog=letters if len(letters) == 1 else "",
        measured=Measurements(
            evalue=row.real("evalue", "seed_ortholog_evalue"),
            score_bits=row.real("score", "seed_ortholog_score"),
        ),
    )


def _narrowest_group(text: str) -> str:
    """The group of the root level where it is a COG, else the last one that is listed.

    COG ids mean the same whatever the version of eggNOG; other ids are its own.
    """
    groups: list[str] = _GROUP.findall(text)
    cogs = [name for name in groups if name.startswith("COG")]
    return (cogs or groups or [""])[-1]
