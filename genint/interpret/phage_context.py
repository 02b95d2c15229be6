"""Names of phages in bacterial genomes: they hold where other phage genes lie around.

Regulators, injection systems and wall enzymes of bacteria are relatives of phage proteins and
match their families. Among bacterial genes such a family shows a region like its members, not
that the protein is one of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from genint.interpret.claims import ScoringModel
from genint.knowledge.products import Product, ProductKind, ProductVocabulary
from genint.model.evidence import Evidence
from genint.model.genome import Contig, Gene, Topology
from genint.model.vocabulary import Category, EvidenceType, GenomeKind, Specificity

REACH: Final = 10
"""Genes on either side that are looked at: a prophage remnant is seldom longer."""
ENOUGH_GENES: Final = 3
"""Of them with a phage's name, to take the place for one of phage genes. One or two are what
single mistaken names, or a regulator beside its paralogue, make."""
FAR_REACH: Final = 30
ENOUGH_FAR_GENES: Final = 5
"""The same for a whole prophage, whose regulators lie far from the genes of its virion. Chosen on
Streptococcus pyogenes, Escherichia coli, Neisseria meningitidis and Brucella melitensis, with
families that know them: of six names that only these bring to their place three are the record's,
three say more than it does. Not measured on genomes never seen."""
_MODULES: Final = frozenset(
    {
        Category.PACKAGING,
        Category.HEAD,
        Category.CONNECTOR,
        Category.TAIL,
        Category.LYSOGENY,
        Category.LYSIS,
    }
)
"""What phages do and bacteria don't, but for wall enzymes and regulators in general."""
_OF_BACTERIA_TOO: Final = re.compile(
    r"ase\b|lysozyme|peptidoglycan|^transcriptional |^immunity protein$", re.IGNORECASE
)
"""Terms of these modules that are names of bacterial proteins too."""
_PHAGE_WORDS: Final = re.compile(r"phage\b|\bprophage|\bholin\b|\bterminase\b", re.IGNORECASE)
_PHAGE_RECORD: Final = re.compile(r"phage\b|\bvirus\b|\bviridae\b", re.IGNORECASE)
_NOT_OF_PHAGES: Final = re.compile(r"phage[ -](?:shock|resistan)|macrophage", re.IGNORECASE)
_MARK: Final = "is_phage"
"""Qualifier by which files of prophage finders mark the genes of prophages."""
_STRENGTH_OF_A_PART: Final = "family_part"


def is_of_phages(product: Product) -> bool:
    """Whether a term of the vocabulary is a name that only phage proteins have."""
    if product.kind is not ProductKind.PHAGE:
        return False
    if "phage" in product.name:
        return True
    return product.category in _MODULES and _OF_BACTERIA_TOO.search(product.name) is None


def in_their_place(
    contig: Contig, evidence: Mapping[str, Sequence[Evidence]], model: ScoringModel
) -> dict[str, tuple[Evidence, ...]]:
    """The evidence of a contig's genes, names of phages kept where phage genes lie around.

    Args:
        contig: Its genes, in any order.
        evidence: By gene id.
        model: Vocabulary and kind of genome; in a phage's genome all stays as it is.

    Returns:
        By gene id. Where neither the file nor the neighbours show a phage, families of
        phages' names claim no more than a region like their members, and say why.

    Cost: 20 us a gene.
    """
    places = among_phage_genes(contig, evidence, model)
    return {
        gene.id: tuple(
            item if gene.id in places else _as_region(item, model.products)
            for item in evidence.get(gene.id, ())
        )
        for gene in contig.genes
    }


def among_phage_genes(
    contig: Contig, evidence: Mapping[str, Sequence[Evidence]], model: ScoringModel
) -> frozenset[str]:
    """Ids of the genes of a contig that lie in a phage, or where the file or neighbours show one.

    Args:
        contig: Its genes, in any order.
        evidence: By gene id.
        model: Vocabulary and kind of genome; all genes of a phage are.

    Cost: 20 us a gene.
    """
    genes, products = contig.genes, model.products
    if model.setting.kind is not GenomeKind.BACTERIUM or _is_phage_record(contig):
        return frozenset(gene.id for gene in genes)
    order = sorted(genes, key=lambda gene: gene.span)
    stated = [_is_stated_phage_gene(gene, products) for gene in order]
    named = [
        is_stated or any(_has_phage_name(item, products) for item in evidence.get(gene.id, ()))
        for gene, is_stated in zip(order, stated, strict=True)
    ]
    circular = contig.topology is Topology.CIRCULAR
    return frozenset(
        gene.id
        for at, gene in enumerate(order)
        if stated[at]
        or _around(named, at, REACH, circular=circular) >= ENOUGH_GENES
        or _around(named, at, FAR_REACH, circular=circular) >= ENOUGH_FAR_GENES
    )


def _around(named: Sequence[bool], at: int, reach: int, *, circular: bool) -> int:
    """How many of the genes within reach have a phage's name, the gene itself not counted."""
    size = len(named)
    near = {
        (at + offset) % size
        for offset in range(-reach, reach + 1)
        if circular or 0 <= at + offset < size
    }
    return sum(named[other] for other in near - {at})


def _is_phage_record(contig: Contig) -> bool:
    """Whether the file says that the record is a phage's, among those of bacteria."""
    return _PHAGE_RECORD.search(f"{contig.organism or ''} {contig.description}") is not None


def _is_stated_phage_gene(gene: Gene, products: ProductVocabulary) -> bool:
    """Whether the file says that a gene is a phage's: by a mark, or by the words of its product."""
    if any(value not in ("", "0") for value in gene.values(_MARK)):
        return True
    if gene.product is None or _NOT_OF_PHAGES.search(gene.product):
        return False
    known = products.find(gene.product)
    is_known = known is not None and is_of_phages(known)
    return is_known or _PHAGE_WORDS.search(gene.product) is not None


def _has_phage_name(item: Evidence, products: ProductVocabulary) -> bool:
    """Whether a family names the whole protein as a phage's."""
    if item.type is not EvidenceType.FAMILY or item.specificity is Specificity.DOMAIN:
        return False
    return item.product is not None and is_of_phages(products.products[item.product])


def _as_region(item: Evidence, products: ProductVocabulary) -> Evidence:
    """A phage's name of the whole protein as that of a region."""
    if not _has_phage_name(item, products):
        return item
    doubt = (
        f"“{item.subject}” is a name of phages; neither the file nor the {2 * FAR_REACH} nearest "
        "genes show a phage here, so it is no name of the protein"
    )
    return replace(
        item,
        claim=f"contains a region like {item.subject}",
        specificity=Specificity.DOMAIN,
        strength=_STRENGTH_OF_A_PART,
        cog=None,
        ec=(),
        go=(),
        caveats=(*item.caveats, doubt),
    )
