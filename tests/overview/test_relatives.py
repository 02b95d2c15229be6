"""Named relatives by shared families, and the host that they agree on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from genint.knowledge.relatives import (
    Limits,
    NamedPhage,
    RelativeTable,
    load_relatives,
    parse_limits,
    parse_relatives,
    text_of_relatives,
)
from genint.model import Topic
from genint.model.overview import Outcome
from genint.overview.ends import predicted_ends
from genint.overview.relatives import host_of
from tests.builders.overviews import described, genome_of

LIMITS = Limits(2, 0, 1, 0.05, 0.1, 0.8, 9, 10, 0.9, 9, 10, 0.8, 9, 10)


def phage(name, families, host="Escherichia", ends=""):
    accessions = frozenset(f"GF{family}" for family in families.split())
    return NamedPhage(name, name, host, "virulent", "made", ends, 50, accessions)


def table(*phages):
    return RelativeTable(phages, LIMITS)


def test_the_phage_with_most_families_in_common_is_nearest():
    found = table(phage("far", "A B X Y Z"), phage("near", "A B C D")).nearest(
        {"GFA", "GFB", "GFC"}, 50
    )
    assert [one.phage.name for one in found] == ["near", "far"]
    assert found[0].shared == {"GFA", "GFB", "GFC"}


def test_rare_families_weigh_more_than_common_ones():
    common = [phage(f"other{at}", "A B") for at in range(8)]
    found = table(*common, phage("rare", "R S")).nearest({"GFA", "GFB", "GFR", "GFS"}, 50)
    assert found[0].phage.name == "rare"


def test_too_few_shared_families_make_no_relative():
    assert table(phage("one", "A X")).nearest({"GFA", "GFB"}, 50) == ()


def test_a_phage_can_be_left_out_of_the_table():
    assert [one.name for one in table(phage("a", "A"), phage("b", "B")).without({"a"}).phages] == [
        "b"
    ]


@pytest.mark.parametrize(
    ("hosts", "told"),
    [(("Vibrio", "Vibrio"), "Vibrio"), (("Vibrio", "Bacillus"), None), (("", ""), None)],
)
def test_a_host_is_told_only_where_relatives_agree(hosts, told):
    phages = [phage(f"p{at}", "A B C", host) for at, host in enumerate(hosts)]
    found = table(*phages).nearest({"GFA", "GFB", "GFC"}, 50)
    host = host_of(found, LIMITS)
    assert (host and host.genus) == told


def test_a_very_near_relative_tells_the_host_alone():
    own = phage("own", "A B C", "Vibrio")
    others = [phage(f"p{at}", "A B X", "Bacillus") for at in range(4)]
    found = table(own, *others).nearest({"GFA", "GFB", "GFC"}, 50)
    assert host_of(found, LIMITS)[:2] == ("Vibrio", 1.0)
    farther = table(*others, phage("far", "A B C Y", "Vibrio")).nearest({"GFA", "GFB", "GFC"}, 50)
    assert host_of(farther, LIMITS) is None


def test_the_host_in_the_name_of_the_organism_is_the_files_word():
    genome = genome_of(("terminase large subunit",))
    named = replace(genome.contigs[0], organism="Acinetobacter phage Made")
    said = described(replace(genome, contigs=(named,)))
    (host,) = [one for one in said if one.topic is Topic.HOST]
    assert (host.value, host.probability) == ("Acinetobacter", None)


@pytest.mark.parametrize("organism", ["Enterobacteria phage X", "Bacteriophage X", None])
def test_a_name_without_a_genus_tells_no_host(organism):
    genome = genome_of(("terminase large subunit",))
    named = replace(genome.contigs[0], organism=organism)
    said = described(replace(genome, contigs=(named,)))
    (host,) = [one for one in said if one.topic is Topic.HOST]
    assert host.outcome is Outcome.CANNOT_TELL


def test_a_genome_without_relatives_says_how_many_phages_were_compared():
    said = described(genome_of(("terminase large subunit",)))
    (one,) = [one for one in said if one.topic is Topic.RELATIVE]
    assert one.outcome is Outcome.NOT_FOUND
    assert str(len(load_relatives().phages)) in one.text


def test_the_ends_are_told_where_phages_with_the_same_terminase_agree():
    like = [phage(f"p{at}", "T", ends="headful") for at in range(4)]
    assert predicted_ends(frozenset({"GFT"}), table(*like)).ends == "headful"
    mixed = table(*like, phage("q", "T", ends="cohesive ends"), phage("r", "T", ends="x"))
    assert predicted_ends(frozenset({"GFT"}), mixed) is None
    assert predicted_ends(frozenset({"GFU"}), table(*like)) is None


def test_the_table_is_read_back_as_it_was_written():
    made = table(phage("a", "A B"), phage("b", "C", host=""))
    assert parse_relatives(text_of_relatives(made.phages, "# made"), LIMITS) == made


def test_a_limit_that_is_missing_is_an_error():
    with pytest.raises(TypeError):
        parse_limits("[limits]\nleast_shared = 3\n")


@pytest.mark.parametrize(
    ("host", "genus"),
    [("Escherichia coli O157:H7", "Escherichia"), ("gut metagenome", None), ("Homo", "Homo")],
)
def test_the_host_that_the_file_names_is_taken(host, genus):
    genome = genome_of(("terminase large subunit", "portal protein"))
    genome = replace(genome, contigs=(replace(genome.contigs[0], host=host),))
    (said,) = [one for one in described(genome) if one.topic is Topic.HOST]
    assert (said.value if said.outcome is Outcome.FOUND else None) == genus
