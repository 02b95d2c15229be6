"""Domains that proteins of one name have, learned from the families of genint's own.

Pfam calls a family a domain where it does not span the protein, and a domain names no protein:
many proteins share it. Of some, though, nine tenths and more of the named members of our families
have one name, which is that of the domain: the delta subunit of DNA polymerase III, SecE, the
epsilon subunit of ATP synthase. Such a domain names a protein of about the length of those.
In phages, whose genomes are small, what several families of phages with a domain are called holds
for the next one too, whatever the domain is called: the dCMP deaminase, Lom.
Regulators of transcription have names of their own, by what they regulate, and are of one family
all the same: that of the domain which binds DNA, GntR's, or of another that only this family has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from genint.knowledge.name_comparison import Verdict, compare_names
from genint.knowledge.own_families import FamilyPack, OwnFamily, OwnFamilyTable
from genint.knowledge.products import Product, ProductVocabulary, Relation

LEAST_SHARE = 0.9
"""Of the named members of all families with the domain, those of the name or of a kind of it."""
LEAST_MEMBERS = 3
"""Named members of the families that are called so."""
SHARE_OF_PHAGES = 0.95
"""The same among families of phages, where the name may be another than the domain's, ..."""
LEAST_FAMILIES_OF_PHAGES = 2
"""... and so many have to have it. Of 406 such families of phages the name that the others give is
that of 344, wider for 43 and another for 19."""
REGULATOR = "transcriptional_regulator"
_FAMILY_OF_REGULATORS = "_family_transcriptional_regulator"
"""In the ids of terms: ``gntr_family_transcriptional_regulator`` is the family GntR."""
SHARE_OF_A_FAMILY = 0.95
"""Of the named members of families of regulators with the domain, those of one family; the members
of other families may be of it, but have to be regulators (``LEAST_SHARE``)."""
_SHORTEST, _LONGEST = 0.8, 1.25
"""Lengths of a protein that a domain names, as multiples of that of one of these families."""
_OTHER = frozenset({Verdict.WRONG, Verdict.OPPOSITE})
_AS_MUCH = frozenset({Relation.SAME, Relation.NARROWER})


class NamedDomain(NamedTuple):
    """A domain, and the proteins that have it.

    Attributes:
        name: What nearly all of them are called.
        product: The term of the vocabulary; None where the name is none.
        families: Families of genint's own with this name.
        alike: Named members that are called so, or a kind of it; of a family of regulators all that
            regulate transcription.
        members: Named members of all families with the domain.
        lengths_aa: Of the profiles of these families.
        of_phages: Only families of phages were asked.
        of_regulators: The name is that of a family of regulators, which all of them are.
    """

    name: str
    product: Product | None
    families: int
    alike: int
    members: int
    lengths_aa: tuple[int, ...]
    of_phages: bool = False
    of_regulators: bool = False

    def is_of_length(self, length_aa: int) -> bool:
        """Whether a protein is about as long as the members of one of these families."""
        return any(_SHORTEST * one <= length_aa <= _LONGEST * one for one in self.lengths_aa)


@dataclass(frozen=True)
class DomainNames:
    """What domains say of whole proteins.

    Attributes:
        families: Of genint's own; a build that hides a genome knows nothing by it.
        products: The vocabulary.
    """

    families: OwnFamilyTable
    products: ProductVocabulary
    _known: dict[tuple[str, str, bool], NamedDomain | None] = field(
        default_factory=dict, repr=False
    )

    def of(self, accession: str, subject: str, *, in_phage: bool = False) -> NamedDomain | None:
        """The name of the proteins that have a domain; None where they have several or none.

        Args:
            accession: Of Pfam, without version.
            subject: What the domain is called: proteins of another name are not named by it, but
                for what families of phages agree on.
            in_phage: The protein is a phage's.

        Cost: 50 us for the first time.
        """
        key = accession, subject, in_phage
        if key not in self._known:
            if in_phage:
                found = self._read_of_phages(accession)
            else:
                found = self._read_of_regulators(accession, subject)
            self._known[key] = found or self._read(accession, subject)
        return self._known[key]

    def differ(self, named: NamedDomain, name: str) -> bool:
        """Whether a name of a whole protein is another than that of the proteins with a domain."""
        return compare_names(name, named.name, self.products) in _OTHER

    def _read(self, accession: str, subject: str) -> NamedDomain | None:
        found = self._agreed(self._carrying(accession), LEAST_SHARE)
        if found is None or not compare_names(found.name, subject, self.products).right:
            return None
        return found

    def _read_of_phages(self, accession: str) -> NamedDomain | None:
        carrying = [
            family for family in self._carrying(accession) if family.pack is FamilyPack.PHAGE
        ]
        found = self._agreed(carrying, SHARE_OF_PHAGES)
        if found is None or found.families < LEAST_FAMILIES_OF_PHAGES:
            return None
        return found._replace(of_phages=True)

    def _read_of_regulators(self, accession: str, subject: str) -> NamedDomain | None:
        """The family of regulators that has a domain, which is called after it."""
        carrying = self._carrying(accession)
        of_family: Counter[Product] = Counter()
        for family in carrying:
            if family.product and family.product.id.endswith(_FAMILY_OF_REGULATORS):
                of_family[family.product] += family.named_members
        if not of_family:
            return None
        product, alike = of_family.most_common(1)[0]
        members = sum(family.named_members for family in carrying)
        regulators = sum(family.named_members for family in carrying if self._regulates(family))
        if (
            alike < max(LEAST_MEMBERS, SHARE_OF_A_FAMILY * of_family.total())
            or regulators < LEAST_SHARE * members
            or not _is_called_after(subject, product)
        ):
            return None
        own = [family for family in carrying if family.product == product]
        lengths = tuple(sorted(family.length_aa for family in own))
        said = product.name
        return NamedDomain(
            said, product, len(own), regulators, members, lengths, of_regulators=True
        )

    def _regulates(self, family: OwnFamily) -> bool:
        if family.product:
            return self._is_kind_of(family.product.id, REGULATOR)
        name = self.products.products[REGULATOR].name
        verdict = compare_names(family.name, name, self.products)
        return verdict.right or verdict is Verdict.VAGUER

    def _carrying(self, accession: str) -> list[OwnFamily]:
        return [self.families[id] for id in self.families.with_pfam.get(accession, ())]

    def _agreed(self, carrying: Sequence[OwnFamily], least_share: float) -> NamedDomain | None:
        """What nearly all named members of some families are called."""
        members: Counter[str] = Counter()
        for family in carrying:
            members[_name(family)] += family.named_members
        if not members.total():
            return None
        name, _ = members.most_common(1)[0]
        own = [family for family in carrying if _name(family) == name]
        alike = sum(members[one] for one in members if self._is_kind_of(one, name))
        lead, total = own[0], members.total()
        if lead.vague or members[name] < LEAST_MEMBERS or alike < least_share * total:
            return None
        said = lead.product.name if lead.product else lead.name
        lengths = tuple(sorted(family.length_aa for family in own))
        return NamedDomain(said, lead.product, len(own), alike, total, lengths)

    def _is_kind_of(self, one: str, name: str) -> bool:
        known = one in self.products.products and name in self.products.products
        return one == name or (known and self.products.related(one, name) in _AS_MUCH)


def _is_called_after(subject: str, product: Product) -> bool:
    """Whether a domain has the symbol of a family of regulators: "AsnC-type" of Lrp/AsnC."""
    symbols = product.name.split()[0].casefold().split("/")
    return any(symbol in subject.casefold() for symbol in symbols)


def _name(family: OwnFamily) -> str:
    """The term of a family's name, else the name itself."""
    return family.product.id if family.product else family.name.casefold()
