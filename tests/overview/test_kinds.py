"""The kind of a record by its genes."""

from __future__ import annotations

from dataclasses import replace

from genint.model import Topic
from genint.model.overview import Outcome
from tests.builders.overviews import described, genome_of
from tests.overview.test_prophages import HOUSE, PHAGE


def kind_of(products):
    (found,) = [one for one in described(genome_of(products)) if one.topic is Topic.KIND]
    return found


def test_a_record_of_phage_genes_is_a_phage_by_them_with_a_measured_probability():
    kind = kind_of(PHAGE)
    assert kind.value == "phage"
    assert "g8" in {role.gene_id for role in kind.genes}
    assert 0 < kind.right <= kind.judged
    assert kind.probability is not None


def test_a_plasmid_is_told_by_its_replication_and_transfer_and_has_no_probability():
    kind = kind_of(("plasmid replication protein RepA", "relaxase", *HOUSE[:6]))
    assert kind.value == "plasmid"
    assert [role.gene_id for role in kind.genes] == ["g1", "g2"]
    assert kind.probability is None


def test_a_phage_with_a_partition_gene_is_no_plasmid():
    assert kind_of((*PHAGE, "plasmid partition protein ParA")).value == "phage"


def test_two_genes_are_too_few_to_tell():
    kind = kind_of(("terminase large subunit", "portal protein"))
    assert kind.outcome is Outcome.CANNOT_TELL
    assert kind.searched


def test_of_a_plasmid_nothing_is_said_that_only_phages_have():
    topics = {
        one.topic
        for one in described(genome_of(("plasmid replication protein RepA", "relaxase", *HOUSE)))
    }
    assert Topic.KIND in topics
    assert not topics & {Topic.LIFESTYLE, Topic.COMPLETENESS, Topic.SAFETY, Topic.MODULE}


def test_of_a_phage_lifestyle_and_safety_are_judged():
    topics = {one.topic for one in described(genome_of(PHAGE))}
    assert {Topic.KIND, Topic.LIFESTYLE, Topic.SAFETY, Topic.MODULE} <= topics


def test_genes_that_only_lie_like_those_of_bacteria_show_no_kind():
    kind = kind_of(("hypothetical protein", "chemokine receptor", "ubiquitin ligase", None))
    assert kind.outcome is Outcome.CANNOT_TELL
    assert "None is recognised" in kind.reasoning[-1]


def test_a_record_of_an_eukaryote_is_taken_for_neither():
    genome = genome_of(PHAGE)
    (contig,) = genome.contigs
    named = replace(contig, organism="Homo sapiens", lineage=("Eukaryota", "Metazoa"))
    (kind,) = [
        one for one in described(replace(genome, contigs=(named,))) if one.topic is Topic.KIND
    ]
    assert kind.outcome is Outcome.CANNOT_TELL
    assert kind.reasoning[-1] == "The file says Homo sapiens (Eukaryota)."
