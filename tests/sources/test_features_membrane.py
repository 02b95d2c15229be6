"""Transmembrane segments: how many, and which proteins have any."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from genint.formats import read_genome
from genint.model import Gene, SequenceFeature
from genint.sources import MEMBRANE_METHOD, Residues, find_segments, observe_features

KNOWN = dict(
    **{"lacY": 12, "melB": 12, "glpT": 12, "xylE": 12, "galP": 12, "araE": 12, "proP": 12},
    **{"uhpT": 12, "emrE": 4, "secY": 10, "secE": 3, "secG": 2, "glpF": 6, "aqpZ": 6, "mscL": 2},
    **{"btuC": 10, "malF": 8, "malG": 6, "dsbB": 4, "lepB": 2, "tatC": 6, "exbB": 3, "exbD": 1},
    **{"tolQ": 3, "tolR": 1, "tonB": 1, "atpE": 2, "sdhC": 3, "sdhD": 3, "frdC": 3, "frdD": 3},
    **{"ftsQ": 1, "ftsL": 1, "zipA": 1, "tsr": 2, "tar": 2, "envZ": 2, "phoQ": 2, "narI": 5},
    **{"cyoA": 2, "lspA": 4, "plsY": 5, "kdpA": 10, "nuoH": 8, "nuoK": 3, "nuoA": 3, "ftsX": 4},
)
"""Segments of proteins of E. coli whose structure or topology was worked out."""
HELIX = "LLIVALFLLAIVGLLAIVL"
WATER = "DEKQRNSTEEKDQKRNSEDTGKEQDNSRKP"


def segments(protein: str, first_allowed: int = 0) -> tuple[SequenceFeature, ...]:
    found = find_segments(Residues.of([protein]), np.array([first_allowed]))
    return found.get(0, ())


def test_a_segment_lies_where_the_hydrophobic_residues_are() -> None:
    (one,) = segments(WATER + HELIX + WATER)
    assert (one.first, one.last, one.method) == (31, 49, MEMBRANE_METHOD)


def test_the_more_hydrophobic_the_higher_the_score() -> None:
    (leucines,) = segments(WATER + "L" * 19 + WATER)
    (weaker,) = segments(WATER + "LALALALALALALALALAL" + WATER)
    assert leucines.score == 10.45  # 19 times 0.55 kcal/mol
    assert weaker.score < leucines.score


def test_nothing_begins_before_the_residue_that_is_allowed() -> None:
    assert not segments(HELIX + WATER, first_allowed=19)


def test_a_weak_segment_counts_in_a_membrane_protein_only() -> None:
    weak = "LSSVAGFSTAISGLTAIVG"
    long = WATER * 5
    assert not segments(long + weak + long)
    assert len(segments(long + weak + long + HELIX + WATER)) == 2


def test_a_short_protein_needs_less() -> None:
    weak = "LSSVAGFSTAISGLTAIVG"
    assert len(segments(WATER + weak + WATER)) == 1


def test_known_membrane_proteins_have_about_their_number_of_segments(shared_data: Path) -> None:
    genome = read_genome(shared_data / "genomes" / "E_coli_K12_MG1655_NC_000913.gbk.gz")
    genes: dict[str, Gene] = {
        gene.symbol: gene
        for contig in genome.contigs
        for gene in contig.genes
        if gene.symbol in KNOWN
    }
    assert len(genes) == len(KNOWN)
    found = observe_features(genes.values())
    errors = []
    for symbol, gene in genes.items():
        told = [one for one in found.get(gene.id, ()) if one.method == MEMBRANE_METHOD]
        errors.append(abs(len(told) - KNOWN[symbol]))
    assert sum(error == 0 for error in errors) >= 0.65 * len(errors)
    assert sum(error <= 1 for error in errors) >= 0.9 * len(errors)
