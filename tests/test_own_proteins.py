"""From a genome and a file of its own proteins to results: what is known already adds nothing."""

from __future__ import annotations

import pytest

from genint import interpret_genome
from genint.model import EvidenceSource, EvidenceType

CONTEXT = {EvidenceType.GENE_CONTEXT}


@pytest.fixture(scope="module")
def stranger(tmp_path_factory):
    """A protein like no other: with any to compare with, scores have another calibration."""
    file = tmp_path_factory.mktemp("stranger") / "stranger.faa"
    file.write_text(">s1 spidroin\n" + "GPGGAGQQGPGSQ" * 8 + "\n")
    return file


@pytest.mark.parametrize("name", ["lambda_NC_001416.gb", "T7_NC_001604.gb"])
def test_the_genomes_own_file_moves_no_score_and_no_word(shared_data, searched, stranger, name):
    file = shared_data / "genomes" / name
    alone = interpret_genome(file, proteins=stranger, cache_folder=searched)
    beside = interpret_genome(file, proteins=file, cache_folder=searched)
    assert beside.results == alone.results


def with_one_residue_changed(protein):
    middle = len(protein) // 2
    return f"{protein[:middle]}{'G' if protein[middle] != 'G' else 'A'}{protein[middle + 1 :]}"


def without_its_first_residue(protein):
    return protein[1:]


@pytest.fixture(scope="module")
def phage(shared_data, searched, stranger):
    file = shared_data / "genomes" / "lambda_NC_001416.fasta"
    return interpret_genome(file, proteins=stranger, cache_folder=searched)


@pytest.mark.parametrize("change", [with_one_residue_changed, without_its_first_residue])
def test_a_changed_copy_of_a_phage_protein_is_no_second_witness(
    phage, shared_data, searched, tmp_path, change
):
    named = {
        result.gene_id: result
        for result in phage.results
        if result.interpretation
        and result.interpretation.hypotheses[0].types - CONTEXT == {EvidenceType.FAMILY}
        and result.interpretation.hypotheses[0].evidence[0].source is EvidenceSource.GENINT_FAMILY
    }
    mine = tmp_path / "mine.faa"
    mine.write_text(
        "".join(
            f">{id_} {result.normalized_product}\n{change(result.gene.protein)}\n"
            for id_, result in named.items()
        )
    )
    file = shared_data / "genomes" / "lambda_NC_001416.fasta"
    beside = interpret_genome(file, proteins=mine, cache_folder=searched)
    leading = [
        result.interpretation.hypotheses[0] for result in beside.results if result.gene_id in named
    ]
    copied = [
        best
        for best in leading
        if any(item.type is EvidenceType.HOMOLOGY for item in best.evidence)
    ]
    assert len(copied) > 20
    assert all(len(best.types - CONTEXT) == 1 for best in leading)
    alone = [best for best in leading if len(best.types) == 1]
    assert all(best.score <= 0.79 for best in alone)
