"""Pfam families, COG letter and GO terms of a family."""

from __future__ import annotations

import hashlib
import random
from dataclasses import replace
from pathlib import Path

import pytest
from pyhmmer.easel import Alphabet, DigitalMSA, TextMSA, TextSequence
from pyhmmer.plan7 import HMM, Background, Builder

from genint.knowledge import (
    CogCall,
    EntryType,
    Family,
    FamilyTable,
    InterProEntry,
    ProductKind,
    ProductVocabulary,
)
from genint.model import GoTerm
from training.families.attributes import (
    Attributes,
    PfamMatch,
    attributes,
    enzyme_numbers,
    search,
    searched,
)
from training.families.naming import Label
from training.families.store import Store
from training.families.values import CogLetter, Lineage, Naming, Origin, TrainingProtein
from training.vocabulary.sources import build_vocabulary, parse

PRODUCTS = """
version = "test"
[go]
"GO:0098015" = { name = "virus tail", aspect = "cellular_component" }
[[product]]
id = "tail_tube_protein"
name = "tail tube protein"
category = "tail"
cog = "X"
go = ["GO:0098015"]
"""
SEGMENT = "".join(random.Random(7).choices("ACDEFGHIKLMNPQRSTVWY", k=80))
OTHER = "".join(random.Random(8).choices("ACDEFGHIKLMNPQRSTVWY", k=80))


def protein(residues: str, cogs: tuple[str, ...] = ()) -> TrainingProtein:
    key = hashlib.sha256(residues.encode()).hexdigest()
    naming = Naming("record", "name", "", Origin.SUBMITTER, Lineage.PHAGE)
    calls = tuple(CogLetter(naming.record, letter) for letter in cogs)
    return TrainingProtein(key, residues, (naming,), calls)


def members(*cogs: tuple[str, ...]) -> list[TrainingProtein]:
    return [protein(f"M{'A' * at}", letters) for at, letters in enumerate(cogs)]


def label(product: str | None = None, agreeing: tuple[str, ...] = ()) -> Label:
    return Label(
        "name", product, None, False, 1.0, 1.0, 2, 2, agreeing, 2, ((Origin.SUBMITTER, 2),), ()
    )


def pfam_family(kind: EntryType, cog: CogCall | None = None) -> Family:
    return Family(
        accession="PF00001",
        version=1,
        name="Fam",
        description="",
        length_aa=80,
        gathering_bits=20.0,
        interpro=InterProEntry("IPR000001", kind, "family"),
        go=(GoTerm("GO:0016987", "sigma factor activity"),),
        cog=cog,
    )


def table(kind: EntryType = EntryType.FAMILY, cog: CogCall | None = None) -> FamilyTable:
    return FamilyTable({"PF00001": pfam_family(kind, cog)})


@pytest.fixture(scope="module")
def vocabulary() -> ProductVocabulary:
    return build_vocabulary((parse(PRODUCTS, ProductKind.PHAGE),), frozenset())


WHOLE = PfamMatch("PF00001", 0.9, 0.95)
PART = PfamMatch("PF00001", 0.3, 0.95)


def known_of(
    vocabulary: ProductVocabulary,
    proteins: list[TrainingProtein],
    *matches: tuple[PfamMatch, ...],
    product: str | None = None,
    pfam: FamilyTable | None = None,
) -> Attributes:
    found = dict(zip((protein.hash for protein in proteins), matches, strict=False))
    return attributes(label(product), proteins, found, vocabulary, pfam or table())


def test_a_pfam_family_of_most_members_is_kept(vocabulary: ProductVocabulary) -> None:
    rare = PfamMatch("PF00002", 0.5, 0.5)
    proteins = members((), (), ())
    assert known_of(vocabulary, proteins, (WHOLE,), (WHOLE, rare), (rare,)).pfam == (
        "PF00001",
        "PF00002",
    )
    assert known_of(vocabulary, proteins, (WHOLE,), (WHOLE, rare), ()).pfam == ("PF00001",)


def test_terms_of_the_vocabulary_come_before_those_of_pfam(vocabulary: ProductVocabulary) -> None:
    known = known_of(vocabulary, members((), ()), (WHOLE,), (WHOLE,), product="tail_tube_protein")
    assert known.go == ("GO:0098015",)


def test_terms_of_a_pfam_family_hold_where_it_covers_the_protein(
    vocabulary: ProductVocabulary,
) -> None:
    proteins = members((), ())
    assert known_of(vocabulary, proteins, (WHOLE,), (WHOLE,)).go == ("GO:0016987",)
    assert known_of(vocabulary, proteins, (PART,), (PART,)).go == ()


@pytest.mark.parametrize("kind", [EntryType.DOMAIN, EntryType.REPEAT, EntryType.CONSERVED_SITE])
def test_terms_of_a_domain_do_not_hold_for_the_protein(
    vocabulary: ProductVocabulary, kind: EntryType
) -> None:
    assert known_of(vocabulary, members((), ()), (WHOLE,), (WHOLE,), pfam=table(kind)).go == ()


def test_the_letter_of_the_members_comes_first(vocabulary: ProductVocabulary) -> None:
    proteins = members(("L",), ("L",), ())
    known = known_of(vocabulary, proteins, product="tail_tube_protein")
    assert (known.cog, known.cog_purity) == ("L", 1.0)


def test_members_of_many_letters_have_none(vocabulary: ProductVocabulary) -> None:
    known = known_of(vocabulary, members(("L",), ("K",), ("L",)))
    assert (known.cog, known.cog_purity) == (None, 0.0)


def test_unknown_function_is_no_letter(vocabulary: ProductVocabulary) -> None:
    assert known_of(vocabulary, members(("S",), ("S",))).cog is None


def test_without_known_members_the_product_tells_the_letter(vocabulary: ProductVocabulary) -> None:
    known = known_of(vocabulary, members((), ()), product="tail_tube_protein")
    assert (known.cog, known.cog_purity) == ("X", 1.0)


def test_without_a_product_a_pfam_family_of_the_whole_tells_the_letter(
    vocabulary: ProductVocabulary,
) -> None:
    pfam = table(cog=CogCall("K", 0.9, 20))
    known = known_of(vocabulary, members((), ()), (WHOLE,), (WHOLE,), pfam=pfam)
    assert (known.cog, known.cog_purity) == ("K", 0.9)
    assert known_of(vocabulary, members((), ()), (PART,), (PART,), pfam=pfam).cog is None


def test_nothing_is_known_of_members_that_were_not_searched(vocabulary: ProductVocabulary) -> None:
    assert known_of(vocabulary, members((), ())) == Attributes()


def test_members_that_carry_the_name_are_searched_first() -> None:
    proteins = members(*[()] * 9)
    agreeing = tuple(protein.hash for protein in proteins[6:])
    chosen = searched(label(agreeing=agreeing), proteins)
    assert len(chosen) == 3
    assert set(agreeing) <= {protein.hash for protein in chosen}


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """A file of one profile with a gathering threshold."""
    alphabet = Alphabet.amino()
    rows = [TextSequence(name=f"s{at}", sequence=SEGMENT) for at in (1, 2, 3)]
    alignment: DigitalMSA = TextMSA(name="Fam", sequences=rows).digitize(alphabet)
    profile: HMM
    profile, _, _ = Builder(alphabet, seed=42).build_msa(alignment, Background(alphabet))
    profile.accession = "PF00001.3"
    profile.cutoffs.gathering = (25.0, 25.0)
    path = tmp_path / "models.h3m"
    with path.open("wb") as stream:
        profile.write(stream, binary=True)
    return path


def test_matches_say_how_much_they_cover(tmp_path: Path, models: Path) -> None:
    store = Store(tmp_path / "store")
    whole, half, none = protein(SEGMENT), protein(SEGMENT + OTHER), protein(OTHER)
    found = search([whole, half, none], models, store, cpus=1)
    assert found[none.hash] == ()
    (match,) = found[whole.hash]
    assert match.accession == "PF00001"
    assert match.of_protein > 0.9
    assert match.of_family > 0.9
    (match,) = found[half.hash]
    assert 0.4 < match.of_protein < 0.6


def test_matches_are_remembered_by_sequence(tmp_path: Path, models: Path) -> None:
    store = Store(tmp_path / "store")
    first = search([protein(SEGMENT)], models, store, cpus=1)
    both = search([protein(OTHER), protein(SEGMENT)], models, store, cpus=1)
    assert both[protein(SEGMENT).hash] == first[protein(SEGMENT).hash]
    assert list(both) == sorted(both)


def enzyme(number: int, *ec: str, origin: Origin = Origin.SWISSPROT) -> TrainingProtein:
    residues = SEGMENT[number:]
    key = hashlib.sha256(residues.encode()).hexdigest()
    said = Naming(f"sprot:P{number}", "hexokinase", "", origin, Lineage.BACTERIA, ec)
    return TrainingProtein(key, residues, (said,))


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ([("2.7.1.1",), ("2.7.1.1", "2.7.1.2"), ("2.7.1.1",)], ("2.7.1.1",)),
        ([("2.7.1.1",), ("2.7.1.2",), ("2.7.1.4",)], ("2.7.1.-",)),
        ([("2.7.1.1",), ("3.1.1.1",)], ()),
        ([("2.7.1.1",)], ()),
        ([], ()),
    ],
)
def test_a_family_has_the_enzyme_numbers_that_its_curated_members_share(
    members: list[tuple[str, ...]], expected: tuple[str, ...]
) -> None:
    proteins = [enzyme(at, *ec) for at, ec in enumerate(members)]
    automatic = [enzyme(at, "9.9.9.9", origin=Origin.AUTOMATIC) for at in range(20, 30)]
    everyone = [*proteins, *automatic]
    agreed = label(agreeing=tuple(one.hash for one in everyone))
    assert enzyme_numbers(agreed, everyone) == expected
    assert enzyme_numbers(replace(agreed, vague=True), everyone) == ()
