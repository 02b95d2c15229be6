"""What the name of a similar protein rests on in the end: what rests on one thing counts once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from genint.knowledge.name_keys import name_key
from genint.knowledge.name_words import alike, words_of
from genint.knowledge.own_families import FamilyPack, OwnFamilyTable, member_hash
from genint.knowledge.products import Product, ProductVocabulary, Relation
from genint.model.evidence import Evidence
from genint.model.genome import Gene
from genint.model.reference import ReferenceEntry
from genint.model.vocabulary import EvidenceSource
from genint.sources.family_strength import FEW_NAMES
from genint.sources.homology_strength import COPY_IDENTITY, Likeness, ReferenceName, is_copy

_PHAGE_COPY_IDENTITY = 0.9
"""From here on a protein of a phage has the name of a member of its family from that."""


class NamedFamily(NamedTuple):
    """A family and the members that it has its name from."""

    family: str
    pack: FamilyPack
    members: frozenset[str]

    @property
    def copy_identity(self) -> float:
        """Identity from which another protein is taken for a member."""
        return _PHAGE_COPY_IDENTITY if self.pack is FamilyPack.PHAGE else COPY_IDENTITY

    def rests_on(self, *proteins: str) -> bool:
        """Whether the family's name and that of a member of it are one word (by digests).

        Names of phage proteins are handed on from record to record: with an entry that is
        a member, family and entry agreed in 10 wrong names of 75 of three phages. In
        bacteria it takes a family that few others have named; agreement beside three
        members and more was as good as with entries that are none (60 of 62 of S. pyogenes).

        Args:
            proteins: The member, and the gene's own protein, which is no witness.
        """
        others = self.members.difference(proteins)
        return self.pack is FamilyPack.PHAGE or len(others) < FEW_NAMES


class Witnesses(NamedTuple):
    """What the families of genint's own have their names from.

    Attributes:
        named_by: By digest of an entry or a gene's protein, the family that has its name
            from it and others.
        of_phages: By gene, what families of phages say of it.
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
    ) -> Witnesses:
        """Those of some genes, the entries that they are like, and their families.

        Cost: 10 ms.
        """
        asked = {entry.digest for entry in entries}
        asked.update(member_hash(gene.protein) for gene in genes)
        of_phages: defaultdict[str, list[Evidence]] = defaultdict(list)
        for item in families:
            id_ = item.accession or ""
            if id_ in table and table[id_].pack is FamilyPack.PHAGE:
                of_phages[item.gene_id].append(item)
        return cls(_name_givers(asked, table), of_phages, table)


def _name_givers(digests: set[str], table: OwnFamilyTable) -> dict[str, NamedFamily]:
    """Families by the digests of proteins that they have their names from."""
    found: dict[str, NamedFamily] = {}
    for id_ in table.agreeing:
        members = table.named_members_of(id_)
        if not members.isdisjoint(digests):
            told = NamedFamily(id_, table[id_].pack, members)
            found.update(dict.fromkeys(members & digests, told))
    return found


def origin_of(
    gene: Gene, likeness: Likeness, witnesses: Witnesses, products: ProductVocabulary
) -> str:
    """What the name rests on: a family's own witness, or the entry's residues.

    A protein of the user's that agrees with a family of phages rests on what that rests on.
    Entries of two references with the same residues and name are one witness.
    """
    entry, name = likeness.hit.entry, likeness.name
    if likeness.hit.source is EvidenceSource.USER_PROTEINS:
        for item in witnesses.of_phages.get(gene.id, ()):
            if _agree(name, item, products):
                return item.origin
    named = _named_family(gene, likeness, witnesses)
    if named is not None:
        family = witnesses.table[named]
        if _same(name, family.name, family.product, products):
            return f"genint_family:{named}"
    told = name.product.id if name.product else name_key(name.text)
    return f"protein:{entry.digest or entry.accession}:{told}"


def _named_family(gene: Gene, likeness: Likeness, witnesses: Witnesses) -> str | None:
    """The family that has its name from the entry, or from the protein that it is a copy of."""
    entry, own = likeness.hit.entry.digest, member_hash(gene.protein)
    named = witnesses.named_by.get(entry)
    if named is not None and named.rests_on(entry, own):
        return named.family
    named = witnesses.named_by.get(own)
    if named is not None and is_copy(likeness.hit, named.copy_identity) and named.rests_on(own):
        return named.family
    return None


def _agree(name: ReferenceName, item: Evidence, products: ProductVocabulary) -> bool:
    """Whether a name is that of a family, or another one that it goes by."""
    product = products.products.get(item.product) if item.product else None
    return _same(name, item.subject, product, products) or any(
        _same(name, alias, None, products) for alias in item.aliases
    )


def _same(
    name: ReferenceName, text: str, product: Product | None, products: ProductVocabulary
) -> bool:
    """Whether two names may be of one thing; in doubt they are."""
    if name.product is not None and product is not None:
        relation = products.related(name.product.id, product.id)
        if relation is not Relation.UNRELATED:
            return relation is not Relation.OPPOSITE
        if name.product.role is not None and name.product.role == product.role:
            return True
    return alike(words_of(name.text), words_of(text))
