"""Markers: how alike a protein must be, and what the entries of a reference mean."""

from __future__ import annotations

import io
import random

import pytest
from pyhmmer.easel import Alphabet, TextSequence
from pyhmmer.plan7 import Background, Builder

from genint.errors import UnavailableError, WorkCancelled
from genint.knowledge.markers import MARKERS, MarkerEntry, meaning_of, write_markers
from genint.knowledge.protein_index_build import build_index
from genint.model import EvidenceSource
from genint.model.evidence import ReferenceEntry, ReferenceProtein
from genint.model.overview import MarkerMeaning
from genint.sources.markers import PROFILES, MarkerDatabase, search_markers
from genint.sources.similarity.search import ReferenceDatabase

LETTERS = "ACDEFGHIKLMNPQRSTVWY"
TOXIN, OTHER, METAL = (
    "M" + "".join(random.Random(seed).choices(LETTERS, k=200)) for seed in (1, 2, 3)
)


def changed(protein, share):
    """A share of its residues replaced by others."""
    chance = random.Random(7)
    return "".join(
        chance.choice(LETTERS.replace(letter, "")) if chance.random() < share else letter
        for letter in protein
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("markers")
    proteins = {"T1": TOXIN, "M1": METAL}
    build_index(
        [
            ReferenceProtein(ReferenceEntry(name, f"protein {name}", length_aa=len(one)), one)
            for name, one in proteins.items()
        ],
        folder,
    )
    rows = [
        MarkerEntry("T1", "toxA", "Exotoxin", MarkerMeaning.TOXIN, "toxin A"),
        MarkerEntry("M1", "merA", "MERCURY", None, "mercury reductase"),
        MarkerEntry("NF1", "blaX", "BETA-LACTAM", MarkerMeaning.RESISTANCE, "beta-lactamase X"),
    ]
    assert write_markers(rows, folder) == 3
    (folder / PROFILES).write_bytes(profile_of(OTHER))
    return folder


def profile_of(protein):
    """A profile with trusted cut-offs and one without, in HMMER3 text."""
    text = io.BytesIO()
    builder, background = Builder(Alphabet.amino(), seed=42), Background(Alphabet.amino())
    for accession in ("NF1.2", "NF2.1"):
        sequence = TextSequence(name=accession, sequence=protein).digitize(Alphabet.amino())
        profile, _, _ = builder.build(sequence, background)
        profile.accession = accession
        if accession == "NF1.2":
            profile.cutoffs.trusted = (100.0, 100.0)
        profile.write(text)
    return text.getvalue()


@pytest.fixture(scope="module")
def database(folder):
    reference = ReferenceDatabase(EvidenceSource.USER_PROTEINS, "made", folder, "digest")
    return MarkerDatabase("made 1", reference, folder / PROFILES, "digest", is_installed=True)


def test_the_same_protein_is_found_with_what_it_means(database):
    [hit] = search_markers([("g1", TOXIN)], database)
    assert (hit.gene_id, hit.accession, hit.name, hit.kind) == ("g1", "T1", "toxA", "Exotoxin")
    assert (hit.means, hit.identity, hit.target_coverage) == (MarkerMeaning.TOXIN, 1.0, 1.0)


@pytest.mark.parametrize(
    ("protein", "is_found"),
    [
        (changed(TOXIN, 0.05), True),
        (changed(TOXIN, 0.3), True),  # like it
        (changed(TOXIN, 0.6), False),
        (TOXIN[:120], True),  # a part
        (TOXIN[:80], False),
        (changed(TOXIN, 0.3)[:120], False),
    ],
)
def test_identity_and_coverage_decide_as_documented(database, protein, is_found):
    assert bool(search_markers([("g1", protein)], database)) is is_found


def test_profiles_count_at_their_trusted_cut_offs_and_without_such_never(database):
    [hit] = search_markers([("g0", METAL), ("g1", changed(OTHER, 0.2))], database)
    assert (hit.gene_id, hit.name, hit.means) == ("g1", "blaX", MarkerMeaning.RESISTANCE)
    assert hit.identity is None
    assert search_markers([("g1", OTHER[:40])], database) == ()


def test_entries_that_mean_none_of_these_are_left_out(database):
    assert search_markers([("g1", METAL)], database) == ()


def test_a_search_can_be_cancelled(database):
    with pytest.raises(WorkCancelled):
        search_markers([("g1", TOXIN)], database, is_cancelled=lambda: True)


@pytest.mark.parametrize("content", [None, b"one\tcolumn\n", b"a\tb\tc\todd\te\n", b"\xff\n"])
def test_a_damaged_table_is_an_error_of_one_line(tmp_path, content):
    build_index([ReferenceProtein(ReferenceEntry("T1", "x"), TOXIN)], tmp_path)
    if content is not None:
        (tmp_path / MARKERS).write_bytes(content)
    reference = ReferenceDatabase(EvidenceSource.USER_PROTEINS, "made", tmp_path, "digest")
    broken = MarkerDatabase("made 1", reference, None, "digest", is_installed=False)
    with pytest.raises(UnavailableError, match=r"markers\.tsv"):
        search_markers([("g1", TOXIN)], broken)


@pytest.mark.parametrize(
    ("product", "kind", "means"),
    [
        ("phospholipase C", "Exotoxin", MarkerMeaning.TOXIN),
        ("Shiga toxin subunit A", "", MarkerMeaning.TOXIN),
        ("", "antibiotic resistance", MarkerMeaning.RESISTANCE),
        ("class A beta-lactamase", "", MarkerMeaning.RESISTANCE),
        ("fimbrial subunit", "Adherence", MarkerMeaning.VIRULENCE),
        ("toxin of a kind of its own", "", MarkerMeaning.TOXIN),
        ("antitoxin", "", MarkerMeaning.VIRULENCE),
        ("", "", MarkerMeaning.VIRULENCE),
        ("", "Serum resistance", MarkerMeaning.VIRULENCE),
    ],
)
def test_what_a_users_marker_means_is_told_by_its_class_then_by_its_name(product, kind, means):
    assert meaning_of(product, kind) is means
