"""What ships and what is installed, loaded once and passed around as one value."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from genint.knowledge.confidence import ConfidenceParameters, load_confidence
from genint.knowledge.gene_order import GeneOrder, load_gene_order
from genint.knowledge.own_families import OwnFamilyTable, load_own_families
from genint.knowledge.pfam import FamilyTable, load_families
from genint.knowledge.products import ProductVocabulary, load_products
from genint.knowledge.roles import RoleTable, load_roles
from genint.knowledge.table_files import NOTHING_INSTALLED, InstalledTables, Terms, load_terms


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Everything that interpreting needs to know, besides the profiles themselves.

    Attributes:
        families: Names and meaning of the Pfam families.
        own_families: The same of genint's own families.
        products: The controlled vocabulary of product names.
        roles: What product names stand for.
        confidence: Parameters of the confidence model.
        gene_order: What neighbours tell of a gene.
        terms: What identifiers of the file mean, where that is installed.
    """

    families: FamilyTable
    own_families: OwnFamilyTable
    products: ProductVocabulary
    roles: RoleTable
    confidence: ConfidenceParameters
    gene_order: GeneOrder
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

    Cost: 0.1 s; no profile is read.
    """
    products = load_products()
    return Knowledge(
        families=load_families(installed),
        own_families=load_own_families(families_folder, products),
        products=products,
        roles=load_roles(),
        confidence=load_confidence(),
        gene_order=load_gene_order(),
        terms=load_terms(installed),
    )
