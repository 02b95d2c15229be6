"""Reliability of the name of a similar protein: its class, how much it may claim, its origin.

Measured on S. pyogenes, M. mycoides, lambda, T7 and phage K against named proteins of other
genomes, those of 90 % identity and more left out: what matters is identity over the whole length
of both, and whether other proteins that are nearly as similar have another name. The figures are
given with the classes in ``confidence.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from genint.knowledge.own_families import FamilyPack, OwnFamilyTable
from genint.knowledge.product_names import (
    NameKind,
    alike,
    classify_product,
    clean_product,
    words_of,
)
from genint.knowledge.products import Product, ProductVocabulary, Relation, name_key
from genint.model.evidence import Evidence, ReferenceEntry, SimilarityHit, by_gene, residues_digest
from genint.model.genome import Gene
from genint.model.rescue import percent
from genint.model.vocabulary import EvidenceSource, Specificity
from genint.sources.family_reliability import FEW_NAMES

STRENGTH_NEAR = "homology_near"
STRENGTH_CLOSE = "homology_close"
STRENGTH_REMOTE = "homology_remote"
STRENGTH_DISTANT = "homology_distant"
STRENGTH_CONTESTED = "homology_contested"
"""Near or close, but proteins that are nearly as similar have another name."""
STRENGTH_PART = "homology_part"
"""Less than both whole proteins is alike."""
STRENGTH_RIVAL = "homology_rival"
"""Another name than that of the most similar protein."""

NEAR_IDENTITY = 0.6
"""From here on all four digits of an EC number are the same in nine of ten pairs.

Source: Tian & Skolnick 2003, doi:10.1016/j.jmb.2003.08.057
"""
CLOSE_IDENTITY = 0.4
"""From here on a name is right in five of six; the first three digits of an EC number are
the same in nine of ten pairs (same source)."""
REMOTE_IDENTITY = 0.3
WHOLE = 0.7
"""Share of both proteins from which they are alike as a whole."""
WHOLE_OF_A_PIECE = 0.3
"""Share of the entry that is enough where the end of a sequence cuts the gene off."""
COPY_IDENTITY = 0.95
"""From here on two whole proteins are copies of one, but for a few residues."""
_WHOLE_OF_A_COPY = 0.9
"""Share of both: another start codon, or changes near an end, make no other protein of it."""
_CHANCE_EVALUE = 1e-5
"""Worse ones may be chance in one of a hundred genomes' proteins."""
_SURE_EVALUE = 1e-10
"""From here on a part that is less than REMOTE_IDENTITY identical is evidence too."""
_FRAGMENT = re.compile(r"\s*\(Fragments?\)$")
_UNCHARACTERIZED = re.compile(r"^(?:putative |probable )?uncharacteri[sz]ed ", re.IGNORECASE)
_UNKNOWN_SYMBOL = re.compile(r"\s+[Yy][a-z]{2}[A-Z]{1,2}$")
"""E. coli's and B. subtilis's symbols of genes of unknown function."""
_RELATIVE = re.compile(
    r"\b(?:family|superfamily|like|related|homolog(?:ue)?|domain[- ]containing)\b", re.IGNORECASE
)
_SUPERFAMILY = re.compile(r"\bsuperfamily\b", re.IGNORECASE)
_FAMILY = re.compile(r"\b(?:sub)?family\b", re.IGNORECASE)
_LAST_WORD = re.compile(r"\s+protein$")
_NUMBERED_PROTEIN = re.compile(r"(putative )?(.+ )?protein ((?:[A-Za-z]+-?)?[A-Z0-9][\w-]*)")
"""Partition protein Smc, replication protein A, outer membrane protein 2."""
_SYMBOL = re.compile(r"(?![IVX]+$)[A-Za-z][\w-]+")
_DOUBTFUL_EXISTENCE = 4


class ReferenceName(NamedTuple):
    """The name of an entry, and how much it states.

    Attributes:
        text: Cleaned; without what holds for the entry's own genome only.
        kind: Of the name; PLACEHOLDER where it is uninformative, or the entry is a fragment.
        vague: It names a class (tail protein), not one function.
        product: The term of the vocabulary that it is; None where it is none.
    """

    text: str
    kind: NameKind
    vague: bool
    product: Product | None

    @property
    def informative(self) -> bool:
        """Whether it names a function."""
        return self.kind not in (NameKind.PLACEHOLDER, NameKind.SYMBOL)


class NamedHit(NamedTuple):
    """A hit, the name of its entry, how much of the two is similar, and hits with other names.

    Attributes:
        whole: Both proteins are similar over their whole length.
        piece: The gene is cut off, and the part present is similar.
        others: Hits that are nearly as good and have another name, best first.
        nearer: A better hit with an uninformative name; None where there is none.
        rival: It is one of the others itself.
    """

    hit: SimilarityHit
    name: ReferenceName
    whole: bool
    piece: bool = False
    others: tuple[SimilarityHit, ...] = ()
    nearer: SimilarityHit | None = None
    rival: bool = False

    @property
    def close(self) -> bool:
        """Whether the entry's function may be taken to be the protein's."""
        alike = self.whole and self.hit.identity >= CLOSE_IDENTITY
        return alike and not self.others and not self.rival

    @property
    def near(self) -> bool:
        """Whether its exact reaction may."""
        return self.close and self.hit.identity >= NEAR_IDENTITY


def read_name(text: str, products: ProductVocabulary) -> ReferenceName:
    """Classify the name of an entry. Cost: 20 us for names not seen before."""
    kept = _FRAGMENT.sub("", text)
    bare = _UNCHARACTERIZED.sub("", clean_product(kept))
    uncharacterized = bare != clean_product(kept)
    name = _UNKNOWN_SYMBOL.sub("", bare) if uncharacterized else bare
    kind = classify_product(kept)
    if kept != text or classify_product(name) is NameKind.PLACEHOLDER:
        kind = NameKind.PLACEHOLDER
    elif uncharacterized:
        kind = NameKind.BROAD
    product = products.find(name)
    vague = product.vague if product else kind is NameKind.BROAD
    vague = vague or uncharacterized or _SUPERFAMILY.search(name) is not None
    return ReferenceName(name, kind, vague, product)


def is_copy(hit: SimilarityHit, identity: float = COPY_IDENTITY) -> bool:
    """Whether the two proteins are the same, but for a few residues."""
    covered = min(hit.protein_coverage, hit.target_coverage)
    return hit.identity >= identity and covered >= _WHOLE_OF_A_COPY


def is_no_chance(named: NamedHit) -> bool:
    """Whether a hit is evidence at all: a part or a remote protein needs a better E-value.

    Each genome has some chance hits with an E-value of 1e-3, and nearly all entries of a large
    reference have informative names.
    """
    hit = named.hit
    if named.whole and hit.identity >= CLOSE_IDENTITY:
        return True
    if hit.evalue > _CHANCE_EVALUE:
        return False
    return named.whole or hit.identity >= REMOTE_IDENTITY or hit.evalue <= _SURE_EVALUE


def strength_of(named: NamedHit) -> str:
    """Name of the reliability class that a hit falls in; see ``confidence.toml``."""
    hit = named.hit
    if named.rival:
        return STRENGTH_RIVAL
    if not named.whole:
        return STRENGTH_PART
    if hit.identity < REMOTE_IDENTITY or hit.evalue > _CHANCE_EVALUE:
        return STRENGTH_DISTANT
    if hit.identity < CLOSE_IDENTITY:
        return STRENGTH_DISTANT if named.others else STRENGTH_REMOTE
    if named.others:
        return STRENGTH_CONTESTED
    return STRENGTH_NEAR if hit.identity >= NEAR_IDENTITY else STRENGTH_CLOSE


def specificity_of(named: NamedHit) -> Specificity:
    """How much of the entry's name may be claimed."""
    if not named.whole:
        return Specificity.DOMAIN
    if named.name.vague:
        return Specificity.CATEGORY
    if named.piece or named.hit.identity < CLOSE_IDENTITY:
        return Specificity.FAMILY
    if _FAMILY.search(named.name.text):
        return Specificity.FAMILY  # a near relative of a family's member is no more than one
    return Specificity.PROTEIN


def claim_of(named: NamedHit) -> str:
    """The claim of a hit: the entry's name, its family, or a region like it."""
    name = named.name.text
    match specificity_of(named):
        case Specificity.DOMAIN:
            return f"contains a region like {name}"
        case Specificity.FAMILY if named.hit.identity < CLOSE_IDENTITY:
            return family_of(name)
    return name


def family_of(name: str) -> str:
    """A name as that of a family, in the wording of the nomenclature guidelines.

    ``chromosome partition protein Smc`` is ``Smc family chromosome partition protein``.

    Source: International Protein Nomenclature Guidelines (NCBI, EBI, PIR, SIB; 2020).
    """
    if _RELATIVE.search(name):
        return name
    numbered = _NUMBERED_PROTEIN.fullmatch(name)
    if numbered is None:
        return f"{_LAST_WORD.sub('', name)} family protein"
    doubt, function, symbol = numbered.groups(default="")
    if _SYMBOL.fullmatch(symbol):
        return f"{doubt}{symbol} family {function}protein"
    return f"{name} family member"


def caveats_of(named: NamedHit) -> Iterable[str]:
    """Uncertainties about a hit, each as a short phrase."""
    hit, name = named.hit, named.name
    entry = hit.entry
    if named.rival:
        yield "a protein that is more similar has another name"
    for other in named.others:
        name_of_other = clean_product(other.entry.name)
        yield f"nearly as similar to {other.entry.accession}, “{name_of_other}”"
    if named.nearer is not None:
        entry_of_it, identity = named.nearer.entry, percent(named.nearer.identity)
        nearer = f"{entry_of_it.accession} ({identity} identical)"
        yield f"the most similar protein, {nearer}, has no informative name"
    if not named.whole:
        yield (
            f"only a region resembles protein {entry.accession}; the function of the rest is "
            "unknown"
        )
    elif hit.identity < CLOSE_IDENTITY:
        yield (
            f"remote similarity: {percent(hit.identity)} identical to {entry.accession}; the exact "
            "function may be another"
        )
    if name.vague:
        yield f"“{name.text}” is a wide class, not one function"
    elif name.kind is NameKind.HEDGED:
        yield f"the name of {entry.accession} is itself hedged"
    if entry.existence is not None and entry.existence >= _DOUBTFUL_EXISTENCE:
        yield f"{entry.accession} was never seen as a protein or transcript, only predicted"


_PHAGE_COPY_IDENTITY = 0.9
"""From here on a phage protein is taken to have its name from a member of its family."""


class NamedFamily(NamedTuple):
    """A family and the members that it is named after."""

    family: str
    pack: FamilyPack
    members: frozenset[str]

    @property
    def copy_identity(self) -> float:
        """Identity from which another protein is taken for a member."""
        return _PHAGE_COPY_IDENTITY if self.pack is FamilyPack.PHAGE else COPY_IDENTITY

    def rests_on(self, *proteins: str) -> bool:
        """Whether the family's name depends on the name of a member (by digests).

        Names of phage proteins are copied from record to record: with an entry that is a
        member, family and entry agreed in 10 wrong names of 75 of three phages. In bacteria
        this holds only for families with few other named members; with three and more,
        agreement was as good as with entries that are no members (60 of 62 of S. pyogenes).

        Args:
            proteins: The member, and the gene's own protein, which is no independent evidence.
        """
        others = self.members.difference(proteins)
        return self.pack is FamilyPack.PHAGE or len(others) < FEW_NAMES


class NameSources(NamedTuple):
    """The proteins that genint's own families are named after.

    Attributes:
        named_by: By digest of an entry or a gene's protein, the family that is named after
            it and others.
        of_phages: By gene, evidence of families of phages.
        table: All families.
    """

    named_by: Mapping[str, NamedFamily]
    of_phages: Mapping[str, Sequence[Evidence]]
    table: OwnFamilyTable

    @classmethod
    def of(
        cls,
        genes: Iterable[Gene],
        entries: Iterable[ReferenceEntry],
        table: OwnFamilyTable,
        families: Iterable[Evidence],
    ) -> NameSources:
        """Those of some genes, the entries that they are like, and their families.

        Cost: 10 ms.
        """
        digests = {entry.digest for entry in entries}
        digests.update(residues_digest(gene.protein) for gene in genes)
        of_phages = (
            item
            for item in families
            if (id_ := item.accession or "") in table and table[id_].pack is FamilyPack.PHAGE
        )
        return cls(_naming_proteins(digests, table), by_gene(of_phages), table)


def _naming_proteins(digests: set[str], table: OwnFamilyTable) -> dict[str, NamedFamily]:
    """Families by the digests of proteins that they are named after."""
    found: dict[str, NamedFamily] = {}
    for id_ in table.agreeing:
        members = table.named_members_of(id_)
        if not members.isdisjoint(digests):
            family = NamedFamily(id_, table[id_].pack, members)
            found.update(dict.fromkeys(members & digests, family))
    return found


def origin_of(
    gene: Gene, named: NamedHit, name_sources: NameSources, products: ProductVocabulary
) -> str:
    """Origin of a name: the family that is named after the entry, or the entry's residues.

    A protein of the user's that agrees with a family of phages has the origin of that family.
    Entries of two references with the same residues and name have one origin.
    """
    entry, name = named.hit.entry, named.name
    if named.hit.source is EvidenceSource.USER_PROTEINS:
        for item in name_sources.of_phages.get(gene.id, ()):
            if _agree(name, item, products):
                return item.origin
    family_id = _named_family(gene, named, name_sources)
    if family_id is not None:
        family = name_sources.table[family_id]
        if _same(name, family.name, family.product, products):
            return f"genint_family:{family_id}"
    key = name.product.id if name.product else name_key(name.text)
    return f"protein:{entry.digest or entry.accession}:{key}"


def _named_family(gene: Gene, named: NamedHit, name_sources: NameSources) -> str | None:
    """The family that is named after the entry, or after the protein that it is a copy of."""
    entry, own = named.hit.entry.digest, residues_digest(gene.protein)
    family = name_sources.named_by.get(entry)
    if family is not None and family.rests_on(entry, own):
        return family.family
    family = name_sources.named_by.get(own)
    if family is not None and is_copy(named.hit, family.copy_identity) and family.rests_on(own):
        return family.family
    return None


def _agree(name: ReferenceName, item: Evidence, products: ProductVocabulary) -> bool:
    """Whether a name is that of a family, or one of its aliases."""
    product = products.products.get(item.product) if item.product else None
    return _same(name, item.subject, product, products) or any(
        _same(name, alias, None, products) for alias in item.aliases
    )


def _same(
    name: ReferenceName, text: str, product: Product | None, products: ProductVocabulary
) -> bool:
    """Whether two names may mean one thing; where uncertain, they do."""
    if name.product is not None and product is not None:
        relation = products.related(name.product.id, product.id)
        if relation is not Relation.UNRELATED:
            return relation is not Relation.OPPOSITE
        if name.product.role is not None and name.product.role == product.role:
            return True
    return alike(words_of(name.text), words_of(text))
