"""Made-up worlds follow from what they are made of, and from nothing else."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

from tests.online_services import Ids, Known, Protein, by_rule, world_of
from tests.online_services.genomes import proteins_of, world_of_genomes
from tests.online_services.made_entries import accession_of
from tests.online_services.samples import (
    BY_RULE,
    EXPERIMENTAL,
    OTHER_SEQUENCE,
    PROTEINS,
    SAMPLE_WORLD,
    SUBMITTED,
    residues_of,
)

ACCESSION = re.compile(r"[OPQ][0-9][A-Z0-9]{3}[0-9]|[A-NR-Z][0-9]([A-Z][A-Z0-9]{2}[0-9]){1,2}")


def test_accessions_are_those_that_uniprot_could_give():
    made = {accession_of(Protein(residues_of(number))) for number in range(500)}
    assert len(made) == 500
    assert all(ACCESSION.fullmatch(one) for one in made)


def test_names_stand_where_their_kind_puts_them():
    described = {
        one.md5: SAMPLE_WORLD.entry_of[accession_of(one)]["proteinDescription"]
        for one in (EXPERIMENTAL, BY_RULE, SUBMITTED)
    }
    name = described[EXPERIMENTAL.md5]["recommendedName"]
    assert name["fullName"]["value"] == "DNA terminase large subunit"
    assert name["fullName"]["evidences"][0]["evidenceCode"] == "ECO:0000269"
    assert name["ecNumbers"][0]["value"] == "3.6.4.-"
    by_rule_name = described[BY_RULE.md5]["recommendedName"]["fullName"]
    assert by_rule_name["evidences"][0]["evidenceCode"] == "ECO:0000256"
    (submitted,) = described[SUBMITTED.md5]["submissionNames"]
    assert submitted["fullName"]["evidences"] == [
        {"evidenceCode": "ECO:0000313", "source": "EMBL", "id": SUBMITTED.ids.cds}
    ]


def test_an_entry_may_have_another_sequence_than_its_locus():
    entry = SAMPLE_WORLD.entry_of[accession_of(OTHER_SEQUENCE)]
    assert entry["sequence"]["value"] == OTHER_SEQUENCE.other_residues
    assert (OTHER_SEQUENCE.md5 in SAMPLE_WORLD.matches) is True


def test_copies_of_a_protein_are_one_entry_with_the_identifiers_of_all():
    one = Protein(residues_of(77), ids=Ids(refseq="NP_000001.1"))
    world = world_of([one, replace(one, ids=Ids(refseq="NP_000002.1"))])
    assert len(world.entries) == len(world.uniparc) == 1
    for number in (1, 2):
        assert world.entries_by["xref", f"refseq-np_00000{number}.1"] == world.entries


def test_worlds_add_up():
    first, second = world_of(PROTEINS[:2]), world_of(PROTEINS[2:])
    whole = first + second
    assert set(whole.entry_of) == set(SAMPLE_WORLD.entry_of)
    assert whole.matches == SAMPLE_WORLD.matches


def test_the_rule_knows_proteins_in_stated_shares_and_always_the_same():
    proteins = [Protein(residues_of(number)) for number in range(2000)]
    shares = Counter(one.known for one in by_rule(proteins))
    assert by_rule(proteins) == by_rule(proteins)
    assert 0.09 < shares[Known.UNKNOWN] / 2000 < 0.15
    assert 0.30 < shares[Known.REVIEWED] / 2000 < 0.40
    assert Known.UNKNOWN not in {one.known for one in by_rule(proteins, unknown_share=0)}


def test_genes_of_a_file_keep_their_names_and_identifiers(examples: Path):
    proteins = proteins_of(examples / "phiX174.gbk")
    assert len(proteins) == 11
    assert {one.taxon_id for one in proteins} == {10847}
    assert all(one.ids.refseq.startswith("NP_") for one in proteins)
    assert all(one.product for one in proteins)


def test_a_file_without_genes_has_them_predicted_and_named_as_made_up(examples: Path):
    proteins = proteins_of(examples / "lambda.fasta")
    assert len(proteins) > 60
    assert {one.product.startswith(("Made-up", "Uncharacterized")) for one in proteins} == {True}


def test_genomes_share_a_world_under_a_chosen_taxon(examples: Path):
    world = world_of_genomes(examples / "phiX174.gbk", taxon_id=7)
    assert {one["organism"]["taxonId"] for one in world.entries} == {7}
