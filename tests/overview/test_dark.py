"""Dark genes between genes of one module of a phage."""

from __future__ import annotations

import pytest

from genint.model import GenomeKind, Topic
from tests.builders.overviews import described, genome_of
from tests.builders.results import summarise


def dark_of(products, **options):
    found = described(genome_of(products, **options))
    return [one for one in found if one.topic is Topic.DARK_GENES]


def test_a_dark_gene_between_genes_of_lysis_is_named_with_its_neighbours_and_what_to_do():
    (found,) = dark_of(["portal protein", "holin", None, "endolysin", "DNA primase"])
    assert found.subject == "dark genes in lysis"
    assert [role.gene_id for role in found.genes] == ["g3"]
    place, to_do = found.reasoning
    assert "between g2 (holin) and g4 (endolysin)" in place
    assert to_do.startswith("To do next:")
    assert found.probability is None


@pytest.mark.parametrize(
    "products",
    [
        ["holin", None, "portal protein"],
        ["holin", None, None, None, None, "endolysin"],
        [None, "holin", "endolysin", None],
        ["holin", "endolysin"],
    ],
    ids=["two modules", "a long run", "outside", "none dark"],
)
def test_dark_genes_elsewhere_are_not_named(products):
    assert dark_of(products) == []


def test_the_most_promising_dark_gene_of_a_module_is_named_first():
    genome = genome_of(["holin", None, "endolysin", None, "spanin"])
    results = summarise(genome).results
    priorities = {one.gene_id: one.novelty.priority for one in results if one.novelty}
    (found,) = dark_of(["holin", None, "endolysin", None, "spanin"])
    named = [priorities[role.gene_id] for role in found.genes]
    assert len(named) == 2
    assert named == sorted(named, reverse=True)


def test_of_bacteria_nothing_is_said():
    assert dark_of(["holin", None, "endolysin"], kind=GenomeKind.BACTERIUM) == []
