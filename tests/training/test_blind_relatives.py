"""What is a near relative, and what a blind build must not know of it."""

from __future__ import annotations

from training.blind.relatives import Alignment, Hidden, decide, parse_alignment
from training.families.values import Corpus, Lineage, Naming, Origin, TrainingProtein


def corpus(**records: str) -> Corpus:
    """Proteins by their letters: ``phage="abc"`` is a record with proteins a, b and c."""
    names = sorted(set("".join(records.values())))
    return Corpus(
        {
            name: TrainingProtein(
                name,
                "M" * 30,
                tuple(
                    Naming(record, "", "", Origin.SUBMITTER, Lineage.PHAGE)
                    for record, members in sorted(records.items())
                    if name in members
                ),
            )
            for name in names
        }
    )


def alike(query: int, target: str, identity: float = 0.97, coverage: float = 1.0) -> Alignment:
    return Alignment(query, target, identity, coverage)


def hidden(*alignments: Alignment, known: Corpus, genes: int = 4, novel: bool = False) -> Hidden:
    return decide(alignments, genes, known, own_records=["own"], novel=novel)


def test_a_record_with_more_than_half_of_the_genomes_genes_is_hidden() -> None:
    known = corpus(near="abcdefghij", far="klmnopqrst")
    found = hidden(*map(alike, range(3), "abc"), *map(alike, range(2), "kl"), known=known)
    assert found.records == ("near",)


def test_a_small_record_is_hidden_for_half_of_its_own_genes() -> None:
    found = hidden(alike(0, "a"), alike(1, "b"), known=corpus(small="abc", large="abcdefg"))
    assert found.records == ("small",)


def test_a_pooled_protein_is_a_record_of_its_own() -> None:
    assert hidden(alike(0, "a"), known=corpus(pooled="a", phage="abcde")).records == ("pooled",)


def test_less_identity_or_a_shorter_alignment_makes_no_relative() -> None:
    known = corpus(pooled="a", other="b")
    assert hidden(alike(0, "a", 0.94), alike(1, "b", 1.0, 0.79), known=known).records == ()


def test_the_genomes_own_record_is_hidden_whatever_it_shares() -> None:
    assert hidden(known=corpus(own="abc", other="def")).records == ("own",)
    assert hidden(known=corpus(other="def")).records == ()


def test_the_novel_regime_hides_single_proteins_too() -> None:
    known = corpus(far="abcdefgh")
    alignments = (alike(0, "a", 0.91), alike(1, "b", 0.89))
    assert hidden(*alignments, known=known, novel=True).proteins == ("a",)
    assert hidden(*alignments, known=known).proteins == ()


def test_coverage_is_that_of_the_shorter_protein() -> None:
    assert parse_alignment("3\tx\t0.960\t1\t90\t100\t101\t190\t400") == (3, "x", 0.96, 0.9)
    assert parse_alignment("3\tx\t0.960\t101\t190\t400\t1\t45\t50").coverage == 0.9


def test_the_exclusion_file_says_what_it_hides() -> None:
    text = Hidden(("NC_001416",), ("0" * 64,)).text("lambda")
    assert text == f"# lambda\nrecord NC_001416\nprotein {'0' * 64}\n"
