"""What ships with genint: all tables as one value, and the list of databases with their sources."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from genint.knowledge.confidence import ConfidenceParameters, load_confidence
from genint.knowledge.dark_ranking import DarkRanking, load_dark_ranking
from genint.knowledge.gene_order import GeneOrder, load_gene_order
from genint.knowledge.name_lengths import NameLengths, load_name_lengths
from genint.knowledge.own_families import DATABASE as OWN_FAMILIES
from genint.knowledge.own_families import (
    FamilyPack,
    OwnFamilyTable,
    build_version,
    load_own_families,
)
from genint.knowledge.pfam import FamilyTable, load_families
from genint.knowledge.products import ProductVocabulary, load_products
from genint.knowledge.roles import RoleTable, load_roles
from genint.knowledge.table_files import (
    GO_TERMS,
    HEADER_BYTES,
    NOTHING_INSTALLED,
    PFAM_COG,
    PFAM_FAMILIES,
    PFAM_PACK,
    InstalledTables,
    Terms,
    load_terms,
    read_from,
    read_header,
    read_rows,
    read_start,
)
from genint.model.interpretation import DatabaseUsed


@dataclass(frozen=True, slots=True)
class Knowledge:
    """All tables that an interpretation uses; profiles are read by the searches.

    Attributes:
        families: Names and meaning of the Pfam families.
        own_families: The same of genint's own families.
        products: The controlled vocabulary of product names.
        roles: Functions that product names denote.
        confidence: Parameters of the confidence model.
        gene_order: Model of the order of genes.
        name_lengths: How long proteins of a name are.
        dark_ranking: How likely a dark gene is unknown to science.
        terms: What identifiers of the file mean, where such tables are installed.
    """

    families: FamilyTable
    own_families: OwnFamilyTable
    products: ProductVocabulary
    roles: RoleTable
    confidence: ConfidenceParameters
    gene_order: GeneOrder
    name_lengths: NameLengths
    dark_ranking: DarkRanking
    terms: Terms


def load_knowledge(
    families_folder: Path | None = None, installed: InstalledTables = NOTHING_INSTALLED
) -> Knowledge:
    """Read the tables that ship with genint, and those that are installed.

    Args:
        families_folder: A build of own families to take instead of the one that ships.
        installed: Tables of installed databases.

    Raises:
        UnavailableError: the folder lacks a file, or an installed table is gone.

    Cost: 0.1 s, and 10 ms from then on; no profile is read.
    """
    products = load_products()
    return Knowledge(
        families=load_families(installed),
        own_families=load_own_families(families_folder, products),
        products=products,
        roles=load_roles(),
        confidence=load_confidence(),
        gene_order=load_gene_order(),
        name_lengths=load_name_lengths(),
        dark_ranking=load_dark_ranking(),
        terms=load_terms(installed),
    )


_ENTRY = 4
"""Column of the table of Pfam families that holds their InterPro entry."""
_OWN_PACKS = {FamilyPack.PHAGE: "phages", FamilyPack.BACTERIA: "bacteria"}


class DatabaseKind(StrEnum):
    """What a database holds."""

    PROFILES = "profiles"
    VOCABULARY = "vocabulary"
    MAPPING = "mapping"


@dataclass(frozen=True, slots=True)
class Database:
    """One database that ships with genint.

    Attributes:
        name: In reports.
        kind: What it holds.
        version: Release of the source.
        licence: Under which it is passed on.
        source: Where it comes from and what to cite.
        made_by: The script that made its file.
        file: Name in ``genint/knowledge/data``.
        folder: Where the file is; None for what ships.
    """

    name: str
    kind: DatabaseKind
    version: str
    licence: str
    source: str
    made_by: str
    file: str
    folder: Path | None = None

    @property
    def entries(self) -> int:
        """How many profiles, terms or rows it holds."""
        if self.kind is DatabaseKind.PROFILES:
            return read_header(read_start(self.folder, self.file, HEADER_BYTES)).profiles
        rows = read_rows(self.file, self.folder)
        return sum(bool(row[_ENTRY]) for row in rows) if self.file == PFAM_FAMILIES else len(rows)

    @property
    def size_bytes(self) -> int:
        """Size of the file."""
        return len(read_from(self.folder, self.file))

    @property
    def sha256(self) -> str:
        """Of the file, hex."""
        return hashlib.sha256(read_from(self.folder, self.file)).hexdigest()

    @property
    def used(self) -> DatabaseUsed:
        """As the report's table of databases lists it."""
        version = self.version
        if self.name.startswith(OWN_FAMILIES):
            version += f", {self.entries:,} famil{'ies' if self.entries != 1 else 'y'}"
        return DatabaseUsed(self.name, version, self.licence)


_SHIPPED = (
    Database(
        name="Pfam",
        kind=DatabaseKind.PROFILES,
        version="35.0 (pack)",
        licence="CC0 1.0",
        source="Pfam 35.0, Mistry et al. 2021, doi:10.1093/nar/gkaa913; the families of "
        "prokaryotes and phages among those that gecco 0.11.0 carries",
        made_by="training/pfam/pack.py",
        file=PFAM_PACK,
    ),
    Database(
        name="InterPro",
        kind=DatabaseKind.MAPPING,
        version="entries up to IPR046937",
        licence="CC0 1.0",
        source="InterPro, Paysan-Lafosse et al. 2023, doi:10.1093/nar/gkac993; the table that "
        "gecco 0.11.0 carries, which does not state its release",
        made_by="training/pfam/pack.py",
        file=PFAM_FAMILIES,
    ),
    Database(
        name="Gene Ontology",
        kind=DatabaseKind.VOCABULARY,
        version="terms of that InterPro table",
        licence="CC BY 4.0",
        source="Gene Ontology Consortium 2023, doi:10.1093/genetics/iyad031",
        made_by="training/pfam/pack.py",
        file=GO_TERMS,
    ),
    Database(
        name="COG letters of Pfam families",
        kind=DatabaseKind.MAPPING,
        version="learned from E. coli and Synechocystis",
        licence="public domain",
        source="COG, Galperin et al. 2025, doi:10.1093/nar/gkae983; letters counted on proteins "
        "of Escherichia coli K-12 and Synechocystis sp. PCC 6803 with COG by RPS-BLAST",
        made_by="training/pfam/cog.py",
        file=PFAM_COG,
    ),
)


def databases(families_folder: Path | None = None) -> tuple[Database, ...]:
    """Every database that an interpretation uses, profiles first.

    Args:
        families_folder: A build of own families to use instead of the one that ships.

    Raises:
        UnavailableError: the folder lacks a file.

    Cost: 2 ms; size, checksum and entries read the files on access.
    """
    own = (_own(pack, families_folder) for pack in FamilyPack)
    return (*(database for database in own if database.entries), *_SHIPPED)


def _own(pack: FamilyPack, folder: Path | None) -> Database:
    return Database(
        name=f"{OWN_FAMILIES} of {_OWN_PACKS[pack]}",
        kind=DatabaseKind.PROFILES,
        version=build_version(folder),
        licence="CC BY 4.0",
        source="built for genint from annotated proteins of phages, archaeal viruses, bacteria "
        "and archaea: records of INSDC and RefSeq, and Swiss-Prot (UniProt Consortium 2025, "
        "doi:10.1093/nar/gkae1010)",
        made_by="training/families",
        file=pack.file,
        folder=folder,
    )
