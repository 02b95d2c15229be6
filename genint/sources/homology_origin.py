"""What the name of a similar protein rests on in the end: what rests on one thing counts once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from genint.knowledge.name_keys import name_key
from genint.knowledge.own_families import FamilyPack, OwnFamilyTable, member_hash
from genint.knowledge.product_names import clean_product
from genint.knowledge.products import ProductVocabulary
from genint.model.genome import Gene
from genint.model.vocabulary import EvidenceSource
from genint.sources.family_strength import FEW_NAMES
from genint.sources.homology_strength import Likeness, ReferenceName


class NamedFamily(NamedTuple):
    """A family and the members that it has its name from."""

    family: str
    pack: FamilyPack
    members: frozenset[str]

    def rests_on(self, entry: str, gene: str) -> bool:
        """Whether the family's name and that of an entry are one word (by digests).

        Names of phage proteins are handed on from record to record: with an entry that is
        a member, family and entry agreed in 10 wrong names of 75 of three phages. In
        bacteria it takes a family that few others have named; agreement beside three
        members and more was as good as with entries that are none (60 of 62 of S. pyogenes).
        """
        if entry not in self.members:
            return False
        others = self.members - {entry, gene}  # the gene's own protein is no witness
        return self.pack is FamilyPack.PHAGE or len(others) < FEW_NAMES


def name_givers(digests: set[str], own_families: OwnFamilyTable) -> dict[str, NamedFamily]:
    """Families by the digests of entries that they have their names from.

    Args:
        digests: Of the entries.
        own_families: All families.

    Cost: 10 ms.
    """
    found: dict[str, NamedFamily] = {}
    for id_ in own_families.agreeing:
        members = own_families.named_members_of(id_)
        if not members.isdisjoint(digests):
            told = NamedFamily(id_, own_families[id_].pack, members)
            found.update(dict.fromkeys(members & digests, told))
    return found


def origin_of(
    gene: Gene,
    likeness: Likeness,
    named_by: Mapping[str, NamedFamily],
    products: ProductVocabulary,
) -> str:
    """What the name rests on: the file, a family's own witness, or the entry's residues.

    Entries of two references with the same residues and name are one witness.
    """
    entry, name = likeness.hit.entry, likeness.name
    if (
        likeness.hit.source is EvidenceSource.USER_PROTEINS
        and gene.product is not None
        and entry.digest == member_hash(gene.protein)
        and _same_name(gene.product, name, products)
    ):
        return f"annotation:{gene.contig}"
    named = named_by.get(entry.digest)
    if named is not None and named.rests_on(entry.digest, member_hash(gene.protein)):
        return f"genint_family:{named.family}"
    told = name.product.id if name.product else name_key(name.text)
    return f"protein:{entry.digest or entry.accession}:{told}"


def _same_name(product: str, name: ReferenceName, products: ProductVocabulary) -> bool:
    known = products.find(product)
    if known is not None and name.product is not None:
        return known.id == name.product.id
    return clean_product(product).casefold() == name.text.casefold()
