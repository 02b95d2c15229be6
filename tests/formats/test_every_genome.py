"""Every file of the folder of real genomes, with what reading it must give."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from genint.errors import FormatError
from genint.formats import (
    WarningLog,
    biopython_features,
    decoded,
    decompressed,
    gb_io_features,
    is_regular,
    read_genome,
    split_records,
)


class Read(NamedTuple):
    """Counts of a file that is read; ``warnings`` is code -> how often."""

    records: int
    genes: int
    rna_genes: int
    other_features: int
    warnings: dict[str, int]


EXPECTED: dict[str, Read | str] = {
    # a str is the beginning of the reason for which the file is refused
    "AcinetobacterApostate_NC_049491.gbk": Read(1, 244, 9, 0, {}),
    "B3_NC_006548.gbk": Read(1, 59, 0, 0, {}),
    "B_quintana.fna": Read(1, 0, 0, 0, {}),
    "DE3_EU078592.gbk": Read(1, 57, 0, 1, {}),
    "E_coli_K12_MG1655_NC_000913.gbk.gz": Read(1, 4319, 178, 1, {}),
    "L5_Z18946.gb": Read(1, 90, 3, 0, {}),
    "MANIFEST.tsv": "this is a table, which genint does not read",
    "M_mycoides_GM12_NZ_CP001668.gbff.gz": Read(1, 861, 39, 0, {}),
    "M_mycoides_LAEX01_multi.gbff.gz": Read(8, 1059, 39, 0, {}),
    "REL606_fragment.gbk": Read(
        1, 51, 4, 0, {"bad_codon_start": 1, "location_guessed": 1, "translation_differs": 1}
    ),
    "SAOMS1_MW460250.fasta": Read(1, 0, 0, 0, {}),
    "SAOMS1_MW460250_pharokka.gbk": Read(1, 246, 3, 0, {"qualifier_mended": 3}),
    "SMA6_HG315669.gbk": Read(1, 10, 0, 0, {}),
    "S_pyogenes_M1_NC_002737.gb.gz": Read(1, 1853, 78, 0, {}),
    "SodalisSO1_NC_013600.gbk": Read(1, 59, 0, 0, {}),
    "SpV4_NC_003438.fa": Read(1, 0, 0, 0, {}),
    "T7_NC_001604.gb": Read(1, 60, 0, 0, {}),
    "T7_V01146.fasta": Read(1, 0, 0, 0, {}),
    "VT2Sakai_NC_000902.gbk": Read(1, 83, 3, 0, {}),
    "Yersinia201_16_NC_070914.gbk": Read(1, 52, 0, 0, {}),
    "crAss_BK025033.fa": Read(1, 0, 0, 0, {}),
    "lambda_NC_001416.fasta": Read(1, 0, 0, 0, {}),
    "lambda_NC_001416.gb": Read(1, 73, 0, 19, {}),
    "microviruses100_pharokka.gbk": Read(100, 1081, 0, 0, {"location_guessed": 41}),
    "nested_truth.tsv": "this is a table, which genint does not read",
    "odd_AF222649_revcomp.gbk": Read(1, 2, 0, 0, {"location_guessed": 1, "translation_missing": 1}),
    "odd_EU851978.gbk": Read(1, 1, 0, 0, {}),
    "odd_HIV_lowercase_NC_001802.fna": Read(1, 0, 0, 0, {}),
    "odd_NC_002127.fna": Read(1, 0, 0, 0, {}),
    "odd_NC_002127_crlf.fna.gz": Read(1, 0, 0, 0, {}),
    "odd_NC_002127_region.gbff": Read(1, 3, 0, 0, {"translation_missing": 1}),
    "odd_NC_005816.fna": Read(1, 0, 0, 0, {}),
    "odd_NC_005816.gb": Read(1, 10, 0, 0, {}),
    "odd_NT_019265_contig_only.gb": (
        "NT_019265 has no sequence: it only lists the pieces that it is joined from (CONTIG)"
    ),
    "odd_TEST-DNA.gbk": Read(1, 3, 0, 0, {"translation_differs": 1}),
    "odd_addgene11664.gbk": Read(1, 6, 3, 0, {}),
    "odd_bad_origin_wrap.gb": (
        "XX_123456 has no sequence: it only lists the pieces that it is joined from (CONTIG)"
    ),
    "odd_bad_origin_wrap_CDS.gb": Read(1, 2, 0, 0, {}),
    "odd_badfasta.fa": Read(3, 0, 0, 0, {}),
    "odd_bakta_invalid.fasta": "digit '2' in the sequence of BAD_1",
    "odd_bakta_valid_iupac.fasta": Read(4, 0, 0, 0, {"gaps_removed": 2}),
    "odd_blank_seq.gb": "NP_001832 is a protein record (GenPept)",
    "odd_chloroplast_NC_000932_transsplice.gb": Read(1, 85, 44, 0, {}),
    "odd_colon_id.gbk": Read(1, 17, 0, 0, {"location_guessed": 1}),
    "odd_cor6_6.gb.bgz": Read(6, 6, 0, 0, {}),
    "odd_cor6_6_multi.gb": Read(6, 6, 0, 0, {}),
    "odd_dupe_header.fasta": Read(2, 0, 0, 0, {"duplicate_record_id": 1}),
    "odd_embl_AE017046.embl": "this is an EMBL file, which genint does not read",
    "odd_empty_0bytes.gb": "the file is empty",
    "odd_empty_accession.gbk": Read(1, 0, 0, 0, {}),
    "odd_empty_feature_qualifier.gb": Read(1, 0, 0, 0, {}),
    "odd_features_only.gbk": "splitseq has no sequence: it has no ORIGIN section with bases",
    "odd_incomplete_qualifier.gbk": Read(1, 0, 0, 0, {"length_differs": 1}),
    "odd_influA_8segments.gbff": Read(8, 11, 0, 1, {}),
    "odd_invalid_locus_spacing.gb": Read(1, 0, 0, 0, {}),
    "odd_invalid_product.gb": Read(
        1, 1, 0, 0, {"location_guessed": 1, "qualifier_mended": 1, "translation_missing": 1}
    ),
    "odd_lambda_5contigs.gbk": Read(
        5, 73, 0, 19, {"location_guessed": 2, "translation_differs": 2}
    ),
    "odd_lambda_bad_orfs.gbk": Read(1, 73, 0, 19, {"translation_differs": 2}),
    "odd_negative_location.gb": Read(1, 1, 0, 0, {"location_clipped": 1}),
    "odd_no_cds_example.gb": Read(1, 0, 1, 0, {}),
    "odd_no_end_marker.gb": Read(1, 0, 0, 0, {"missing_terminator": 1}),
    "odd_one_of.gb": Read(1, 2, 0, 0, {"remote_location": 3}),
    "odd_origin_line.gb": Read(1, 0, 0, 1, {}),
    "odd_pBAD30_crlf.gb": Read(1, 2, 0, 0, {"translation_missing": 1}),
    "odd_pDCAF3.gbk": Read(1, 7, 0, 0, {"translation_missing": 1}),
    "odd_protein_refseq_genpept.gb": "NP_034640 is a protein record (GenPept)",
    "odd_qualifier_escaping.gb": "NP_034640 is a protein record (GenPept)",
    "odd_ribosome_slippage.gb": Read(1, 3, 0, 0, {"translation_missing": 1}),
    "odd_sequence_only.gbk": Read(1, 0, 0, 0, {}),
    "odd_shady_nonascii.gbk": Read(1, 73, 8, 0, {"translation_missing": 1}),
    "odd_singlescore.gbk": Read(1, 1, 0, 0, {"translation_missing": 1}),
    "odd_split_feature_no_translation.gbk": Read(
        1, 230, 3, 0, {"location_guessed": 2, "translation_missing": 1}
    ),
    "odd_tsa_acropora_master.gb": (
        "GHGH01000000 is the master record of an assembly and holds no sequence"
    ),
    "phageK_NC_005880.gbk": Read(1, 233, 4, 0, {}),
    "phiX174.fasta": Read(1, 0, 0, 0, {}),
    "phiX174.fasta.gz": Read(1, 0, 0, 0, {}),
    "phiX174_J02482.gb": Read(1, 11, 0, 0, {}),
    "phiX174_NC_001422.gb": Read(1, 11, 0, 0, {}),
    "phiX174_PHANOTATE_nolabels.gbk": Read(1, 10, 0, 0, {"translation_missing": 1}),
    "syn3A_CP016816.gb": Read(1, 458, 38, 0, {}),
    "table4_phage_SRR1747055_scaffold7.fa": Read(1, 0, 0, 0, {}),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_file_gives_what_the_table_says(name: str, shared_data: Path) -> None:
    path = shared_data / "genomes" / name
    expected = EXPECTED[name]
    if isinstance(expected, str):
        with pytest.raises(FormatError) as caught:
            read_genome(path)
        assert caught.value.source == name
        assert caught.value.reason.startswith(expected)
        assert caught.value.cure
        return
    genome = read_genome(path)
    assert expected == Read(
        len(genome.contigs),
        len(genome.genes),
        sum(len(contig.rna_genes) for contig in genome.contigs),
        sum(len(contig.other_features) for contig in genome.contigs),
        dict(Counter(warning.code for warning in genome.warnings)),
    )
    ids = [gene.id for gene in genome.genes]
    assert len(set(ids)) == len(ids)


def test_table_lists_every_file_of_the_folder(shared_data: Path) -> None:
    assert {path.name for path in (shared_data / "genomes").iterdir() if path.is_file()} == set(
        EXPECTED
    )


GENBANK = [
    name
    for name, expected in EXPECTED.items()
    if isinstance(expected, Read) and not name.endswith((".fa", ".fasta", ".fna", "a.gz"))
]


@pytest.mark.parametrize("name", GENBANK)
def test_both_front_ends_read_the_same_features(name: str, shared_data: Path) -> None:
    raw = (shared_data / "genomes" / name).read_bytes()
    log = WarningLog()
    text = decoded(decompressed(raw, source=name), source=name, log=log)
    for record in split_records(text, source=name, log=log):
        if is_regular(record.table):
            assert gb_io_features(record) == biopython_features(record, contig="", log=log)


def test_gb_io_reads_nearly_every_real_record(shared_data: Path) -> None:
    log = WarningLog()
    regular = Counter[bool]()
    for name in GENBANK:
        raw = decompressed((shared_data / "genomes" / name).read_bytes(), source=name)
        text = decoded(raw, source=name, log=log)
        regular.update(
            is_regular(record.table) for record in split_records(text, source=name, log=log)
        )
    assert regular[True] / regular.total() > 0.9


def test_selenoproteins_of_e_coli_hold_selenocysteine(shared_data: Path) -> None:
    genome = read_genome(shared_data / "genomes" / "E_coli_K12_MG1655_NC_000913.gbk.gz")
    found = {
        gene.symbol: gene.protein.index("U") + 1 for gene in genome.genes if "U" in gene.protein
    }
    assert found == {"fdnG": 196, "fdoG": 196, "fdhF": 140}


def test_lambda_has_73_genes_and_the_19_other_gene_features(shared_data: Path) -> None:
    [contig] = read_genome(shared_data / "genomes" / "lambda_NC_001416.gb").contigs
    assert (len(contig.genes), len(contig.other_features)) == (73, 92 - 73)
    assert {other.reason for other in contig.other_features} == {"no clean open reading frame"}


def test_trans_spliced_rps12_is_read_from_both_strands(shared_data: Path) -> None:
    genome = read_genome(shared_data / "genomes" / "odd_chloroplast_NC_000932_transsplice.gb")
    gene = next(gene for gene in genome.genes if gene.id == "ArthCp047")
    assert [int(part.strand) for part in gene.location.parts] == [-1, 1, 1]
    assert gene.location.trans_spliced
    assert len(gene.protein) == 123


def test_an_exon_on_another_record_leaves_the_files_translation(shared_data: Path) -> None:
    genome = read_genome(shared_data / "genomes" / "odd_one_of.gb")
    sizes = [(len(gene.location), len(gene.protein)) for gene in genome.genes]
    assert sizes == [(279, 237), (279, 694)]


def test_bgzip_gives_the_same_records_as_the_plain_file(shared_data: Path) -> None:
    folder = shared_data / "genomes"
    plain = read_genome(folder / "odd_cor6_6_multi.gb")
    assert read_genome(folder / "odd_cor6_6.gb.bgz").contigs == plain.contigs
