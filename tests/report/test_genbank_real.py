"""GenBank output of every real genome: nothing is lost, and every reader reads it."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import gb_io
import pytest
from Bio import SeqIO
from Bio.SeqRecord import SeqRecord

from genint.errors import FormatError
from genint.formats import Original, read_genome, read_original
from genint.knowledge.confidence import load_confidence
from genint.model.genome import FileFormat, Gene
from genint.pipeline.library import interpret_genome
from genint.report.build import build_result
from genint.report.genbank import render_genbank

from .real_genomes import Interpreted, interpreted

ODD = (
    "odd_AF222649_revcomp.gbk odd_EU851978.gbk odd_NC_002127_region.gbff odd_NC_005816.gb "
    "odd_TEST-DNA.gbk odd_addgene11664.gbk odd_bad_origin_wrap_CDS.gb "
    "odd_chloroplast_NC_000932_transsplice.gb odd_colon_id.gbk odd_cor6_6.gb.bgz "
    "odd_cor6_6_multi.gb odd_empty_accession.gbk odd_empty_feature_qualifier.gb "
    "odd_incomplete_qualifier.gbk odd_influA_8segments.gbff odd_invalid_locus_spacing.gb "
    "odd_invalid_product.gb odd_lambda_5contigs.gbk odd_lambda_bad_orfs.gbk "
    "odd_negative_location.gb odd_no_cds_example.gb odd_no_end_marker.gb odd_one_of.gb "
    "odd_origin_line.gb odd_pBAD30_crlf.gb odd_pDCAF3.gbk odd_ribosome_slippage.gb "
    "odd_sequence_only.gbk odd_shady_nonascii.gbk odd_singlescore.gbk "
    "odd_split_feature_no_translation.gbk"
).split()
REGULAR = (
    "AcinetobacterApostate_NC_049491.gbk B3_NC_006548.gbk DE3_EU078592.gbk "
    "E_coli_K12_MG1655_NC_000913.gbk.gz L5_Z18946.gb M_mycoides_GM12_NZ_CP001668.gbff.gz "
    "M_mycoides_LAEX01_multi.gbff.gz REL606_fragment.gbk SAOMS1_MW460250_pharokka.gbk "
    "SMA6_HG315669.gbk S_pyogenes_M1_NC_002737.gb.gz SodalisSO1_NC_013600.gbk T7_NC_001604.gb "
    "VT2Sakai_NC_000902.gbk Yersinia201_16_NC_070914.gbk lambda_NC_001416.gb "
    "microviruses100_pharokka.gbk phageK_NC_005880.gbk phiX174_J02482.gb phiX174_NC_001422.gb "
    "phiX174_PHANOTATE_nolabels.gbk syn3A_CP016816.gb"
).split()
FASTA = (
    "SpV4_NC_003438.fa T7_V01146.fasta crAss_BK025033.fa lambda_NC_001416.fasta "
    "odd_HIV_lowercase_NC_001802.fna odd_NC_002127_crlf.fna.gz odd_NC_005816.fna "
    "odd_bakta_valid_iupac.fasta odd_dupe_header.fasta phiX174.fasta "
    "table4_phage_SRR1747055_scaffold7.fa SAOMS1_MW460250.fasta"
).split()


class Rendered(NamedTuple):
    found: Interpreted
    original: Original
    text: str


def rendered(path: Path) -> Rendered:
    found = interpreted(path)
    original = read_original(path.read_bytes(), path.name)
    return Rendered(found, original, render_genbank(found.result, original))


def facts(genes: Iterable[Gene]) -> list[tuple[object, ...]]:
    """All that a file says of its genes."""
    return [
        (g.id, g.contig, g.location, g.protein, g.codon_start, g.product, g.pseudo, g.qualifiers)
        for g in genes
    ]


def places(genes: Iterable[Gene]) -> list[tuple[object, ...]]:
    return [(g.id, g.contig, g.location, g.protein, g.translation_table) for g in genes]


def is_within(lines: Iterable[str], others: Iterable[str]) -> bool:
    """Whether all lines stand in the others, in order."""
    rest = iter(others)
    return all(any(line == other for other in rest) for line in lines)


def test_every_genbank_file_of_the_folder_is_tested(shared_data: Path) -> None:
    read = set()
    for path in (shared_data / "genomes").iterdir():
        try:
            genome = read_genome(path)
        except FormatError:
            continue
        if genome.source.format is FileFormat.GENBANK:
            read.add(path.name)
    assert read == {*ODD, *REGULAR}


@pytest.mark.parametrize("name", [*REGULAR, *ODD])
def test_users_record_is_kept_and_read_as_before(
    name: str, shared_data: Path, tmp_path: Path
) -> None:
    found, original, text = rendered(shared_data / "genomes" / name)
    lines = text.split("\n")
    assert is_within(original.text.split("\n"), lines)
    added = set(lines) - set(original.text.split("\n"))
    assert all(len(line) < 80 and line.isascii() and line.isprintable() for line in added)
    again = tmp_path / "again.gbk"
    again.write_text(text, "utf-8")
    second = rendered(again)
    if original.genome.genes:
        assert facts(second.original.genome.genes) == facts(original.genome.genes)
    else:
        assert sorted(map(repr, places(second.found.genome.genes))) == sorted(
            map(repr, places(found.genome.genes))
        )
    assert [c.bases for c in second.original.genome.contigs] == [
        contig.bases for contig in original.genome.contigs
    ]
    assert second.text == text


@pytest.mark.parametrize("phage", [False, True])
def test_only_genes_that_the_file_has_not_become_new_features(
    phage: bool, shared_data: Path, tmp_path: Path
) -> None:
    path = shared_data / "genomes" / "lambda_NC_001416.gb"
    summary = interpret_genome(path, ignore_annotations=True, phage=phage)
    result = build_result(summary, load_confidence())
    original = read_original(path.read_bytes(), path.name)
    text = render_genbank(result, original)
    assert is_within(original.text.split("\n"), text.split("\n"))
    assert result.comparison is not None
    extra = result.comparison.extra
    assert text.count("\n     CDS  ") == 73 + len(extra)
    again = tmp_path / "again.gbk"
    again.write_text(text)
    genes = read_genome(again).genes
    assert sorted(gene.id for gene in genes) == sorted(
        [gene.id for gene in original.genome.genes] + list(extra)
    )
    assert "genint: predicted start 14872 instead of 14773" in " ".join(text.split())
    assert "genint: predicted start 33112 instead of 33232" in " ".join(text.split())


@pytest.mark.parametrize("name", FASTA)
def test_fasta_becomes_records_with_the_same_genes(
    name: str, shared_data: Path, tmp_path: Path
) -> None:
    found, _, text = rendered(shared_data / "genomes" / name)
    assert all(len(line) < 80 and line.isascii() for line in text.split("\n"))
    again = tmp_path / "again.gbk"
    again.write_text(text, "utf-8")
    second = rendered(again)
    contigs = second.original.genome.contigs
    assert [(c.id, c.bases, c.topology) for c in contigs] == [
        (contig.id, contig.bases, contig.topology) for contig in found.genome.contigs
    ]
    if any(contig.genes for contig in contigs):
        assert places(second.original.genome.genes) == places(found.genome.genes)
        assert second.text == text
    assert len(biopython(text)) == len(gb_io.load(io.BytesIO(text.encode()))) == len(contigs)


def biopython(text: str) -> list[SeqRecord]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return list(SeqIO.parse(io.StringIO(text), "genbank"))


WELL_FORMED = (
    "lambda_NC_001416.gb T7_NC_001604.gb phiX174_NC_001422.gb VT2Sakai_NC_000902.gbk "
    "M_mycoides_LAEX01_multi.gbff.gz E_coli_K12_MG1655_NC_000913.gbk.gz "
    "odd_chloroplast_NC_000932_transsplice.gb odd_ribosome_slippage.gb odd_cor6_6.gb.bgz "
    "odd_influA_8segments.gbff"
).split()


@pytest.mark.parametrize("name", WELL_FORMED)
def test_biopython_reads_all_that_it_read_before_and_what_was_added(
    name: str, shared_data: Path
) -> None:
    found, original, text = rendered(shared_data / "genomes" / name)
    told = 0
    for old, new in zip(biopython(original.text), biopython(text), strict=True):
        assert (old.id, old.seq, old.annotations) == (new.id, new.seq, new.annotations)
        for before, after in zip(old.features, new.features, strict=True):
            assert (before.type, before.location) == (after.type, after.location)
            for key, values in before.qualifiers.items():
                assert after.qualifiers[key][: len(values)] == values
            told += any(note.startswith("genint: ") for note in after.qualifiers.get("note", ()))
    assert told == len(found.result.genes) > 0


@pytest.mark.parametrize("name", WELL_FORMED)
def test_gb_io_reads_all_that_it_read_before_and_what_was_added(
    name: str, shared_data: Path
) -> None:
    found, original, text = rendered(shared_data / "genomes" / name)
    told = 0
    old_records = gb_io.load(io.BytesIO(original.text.encode()))
    for old, new in zip(old_records, gb_io.load(io.BytesIO(text.encode())), strict=True):
        assert (old.name, old.length, old.sequence) == (new.name, new.length, new.sequence)
        for before, after in zip(old.features, new.features, strict=True):
            assert (before.kind, repr(before.location)) == (after.kind, repr(after.location))
            values = [(one.key, one.value) for one in before.qualifiers]
            assert [(one.key, one.value) for one in after.qualifiers][: len(values)] == values
            told += any((q.value or "").startswith("genint: ") for q in after.qualifiers)
    assert told == len(found.result.genes) > 0
