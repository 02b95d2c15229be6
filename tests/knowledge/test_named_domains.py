"""A domain names a protein where all proteins that anybody named have its name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from genint.knowledge import load_products
from genint.knowledge.named_domains import DomainNames
from genint.knowledge.own_families import FamilyPack, OwnFamilyTable, load_own_families

EPSILON = "F0F1 ATP synthase subunit epsilon"
SUBJECT = "ATP synthase, Delta/Epsilon chain, beta-sandwich"


@pytest.fixture(scope="module")
def shipped() -> OwnFamilyTable:
    return load_own_families()


@pytest.fixture(scope="module")
def family(shipped):
    """A family of the epsilon subunit with one domain, and changes to it."""
    found = next(one for one in shipped.families.values() if one.name == EPSILON)

    def make(id_, **changes):
        return replace(found, **({"id": id_, "pfam": ("PF1",), "named_members": 5} | changes))

    return make


def names(*families) -> DomainNames:
    table = OwnFamilyTable("1", {one.id: one for one in families}, {})
    return DomainNames(table, load_products())


def test_families_are_found_by_what_their_members_carry(shipped):
    found = shipped.with_pfam
    some = list(shipped.families.values())[:400]
    for one in some:
        for accession in one.pfam:
            assert one.id in found[accession]
    listed = {id_ for ids in found.values() for id_ in ids}
    assert all((one.id in listed) == bool(one.pfam) for one in some)


def test_a_domain_of_one_name_gives_it_to_proteins_of_that_length(family):
    length = family("a").length_aa
    found = names(family("a"), family("b", length_aa=2 * length)).of("PF1", SUBJECT)
    assert found is not None
    assert found.name == EPSILON
    assert found.product is not None
    assert found.product.name == EPSILON
    assert (found.families, found.alike, found.members) == (2, 10, 10)
    fitting = [
        share
        for share in (0.7, 0.85, 1.0, 1.2, 1.4, 2.0, 3.0)
        if found.is_of_length(round(share * length))
    ]
    assert fitting == [0.85, 1.0, 1.2, 2.0]


def test_a_domain_of_several_names_gives_none(family):
    other = family("b", product=None, name="chaperone", length_aa=90)
    assert names(family("a"), other).of("PF1", SUBJECT) is None
    rare = replace(other, named_members=1)
    assert names(*(family(id_) for id_ in "acd"), rare).of("PF1", SUBJECT) is not None


def test_a_name_that_is_not_the_domains_is_none_of_the_protein(family):
    assert names(family("a")).of("PF1", "helicase C-terminal") is None
    assert names(family("a")).of("PF2", SUBJECT) is None


def test_few_members_and_classes_name_nothing(family):
    assert names(replace(family("a"), named_members=2)).of("PF1", SUBJECT) is None
    assert names(family("a", vague=True)).of("PF1", SUBJECT) is None
    assert names(replace(family("a"), named_members=0)).of("PF1", SUBJECT) is None


def test_what_families_of_phages_agree_on_names_a_phages_protein_whatever_the_domain(family):
    phage = [family(id_, pack=FamilyPack.PHAGE) for id_ in "ab"]
    elsewhere = [family(id_, product=None, name="chaperone") for id_ in "cde"]
    learned = names(*phage, *elsewhere)
    found = learned.of("PF1", "helicase C-terminal", in_phage=True)
    assert found is not None
    assert (found.name, found.members, found.of_phages) == (EPSILON, 10, True)
    assert learned.of("PF1", "helicase C-terminal") is None
    assert learned.of("PF1", SUBJECT) is None


def test_one_family_of_phages_or_two_names_say_nothing_of_a_phages_protein(family):
    one = family("a", pack=FamilyPack.PHAGE, named_members=50)
    assert names(one).of("PF1", "helicase C-terminal", in_phage=True) is None
    others = family("b", pack=FamilyPack.PHAGE, product=None, name="chaperone", named_members=5)
    two = names(one, family("c", pack=FamilyPack.PHAGE), others)
    assert two.of("PF1", "helicase C-terminal", in_phage=True) is None
    few = names(one, family("c", pack=FamilyPack.PHAGE), replace(others, named_members=2))
    assert few.of("PF1", "helicase C-terminal", in_phage=True) is not None


GNTR, TETR = "GntR family transcriptional regulator", "TetR family transcriptional regulator"
GNTR_DOMAIN = "bacterial regulatory protein, gntR"


@pytest.fixture(scope="module")
def regulator(family):
    """A family of regulators of some name; of a term of the vocabulary where it is one."""
    products = load_products()

    def make(id_, name, **changes):
        return family(id_, name=name, product=products.find(name), **changes)

    return make


def test_regulators_with_a_domain_are_of_the_family_that_is_called_after_it(regulator):
    others = [
        regulator("b", "transcriptional regulator"),
        regulator("c", "histidine utilization repressor, HTH-type transcriptional regulator"),
    ]
    found = names(regulator("a", GNTR), *others).of("PF1", GNTR_DOMAIN)
    assert found is not None
    assert (found.name, found.of_regulators) == (GNTR, True)
    assert (found.families, found.alike, found.members) == (1, 15, 15)


def test_a_domain_of_two_families_of_regulators_or_of_other_proteins_tells_none(regulator):
    one = regulator("a", GNTR, named_members=20)
    assert names(one, regulator("b", TETR)).of("PF1", GNTR_DOMAIN) is None
    enzyme = regulator("b", "thymidylate synthase")
    assert names(one, enzyme).of("PF1", GNTR_DOMAIN) is None
    assert names(one, replace(enzyme, named_members=2)).of("PF1", GNTR_DOMAIN) is not None


def test_a_domain_with_another_name_tells_no_family_of_regulators(regulator):
    # The domain may bind a sugar and be in ABC transporters too, which nobody has named yet.
    learned = names(regulator("a", GNTR), regulator("b", "transcriptional regulator"))
    assert learned.of("PF1", "periplasmic binding protein-like") is None


def test_a_phages_regulators_are_not_told_by_those_of_bacteria(regulator):
    learned = names(regulator("a", GNTR), regulator("b", "transcriptional regulator"))
    assert learned.of("PF1", GNTR_DOMAIN, in_phage=True) is None
