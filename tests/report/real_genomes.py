"""Results of real genomes, interpreted on annotations alone or on predicted genes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from genint.formats import Original, read_genome, read_original
from genint.genes import call_genes, decide
from genint.knowledge import load_confidence
from genint.model import Genome
from genint.report import GenintResult, build_result, render_genbank
from tests.builders.results import summarise

_PREDICTED_UP_TO_BP = 300_000

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
    "table4_phage_SRR1747055_scaffold7.fa SAOMS1_MW460250.fasta phiX174.fasta.gz "
    "B_quintana.fna odd_NC_002127.fna odd_badfasta.fa"
).split()
E_COLI = "E_coli_K12_MG1655_NC_000913.gbk.gz"
EVERY_GENOME = (*REGULAR, *ODD, *FASTA)
"""All files of the folder of real genomes that genint reads."""


@dataclass(frozen=True)
class Interpreted:
    """A file, its genome and the result."""

    path: Path
    genome: Genome
    result: GenintResult

    @cached_property
    def original(self) -> Original:
        """The file as it is written into GenBank output."""
        return read_original(self.path.read_bytes(), self.path.name)

    @cached_property
    def genbank(self) -> str:
        """The GenBank output."""
        return render_genbank(self.result, self.original)


@lru_cache(maxsize=4)
def interpreted(path: Path) -> Interpreted:
    """The result of a file; genes are predicted where it has none and is small.

    Modules that ask for the same genome one after the other share it.
    """
    genome = read_genome(path)
    if not genome.genes and genome.length_bp <= _PREDICTED_UP_TO_BP:
        genome = decide(call_genes(genome))
    return Interpreted(path, genome, build_result(summarise(genome), load_confidence()))
