"""NCBI's reference of resistance genes as it is published, of made-up proteins."""

from __future__ import annotations

import io
import random

from pyhmmer.easel import Alphabet, TextSequence
from pyhmmer.plan7 import Background, Builder

COLUMNS = (
    "#node_id\tparent_node_id\tgene_symbol\thmm_id\thmm_tc1\thmm_tc2\tblastrule_complete_ident\t"
    "blastrule_complete_wp_coverage\tblastrule_complete_br_coverage\tblastrule_partial_ident\t"
    "blastrule_partial_wp_coverage\tblastrule_partial_br_coverage\treportable\ttype\tsubtype\tclass\t"
    "subclass\tfamily_name\n"
)
FAMILIES = (
    ("ALL", "", "-", "-", "0", "-", "-", "-", "-", "all"),
    ("blaTEM", "ALL", "blaTEM", "NF000531.2", "1", "AMR", "AMR", "BETA-LACTAM", "BETA-LACTAM",
     "TEM family class A beta-lactamase"),
    ("stxA2", "ALL", "stxA2", "-", "1", "VIRULENCE", "STX_TYPE", "STX2", "-",
     "Shiga toxin Stx2 subunit A"),
    ("eae", "ALL", "eae", "-", "1", "VIRULENCE", "VIRULENCE", "INTIMIN", "-", "intimin"),
    ("merA", "ALL", "merA", "-", "1", "STRESS", "METAL", "MERCURY", "MERCURY", "reductase MerA"),
    ("gyrA", "ALL", "gyrA", "-", "1", "AMR", "POINT", "QUINOLONE", "QUINOLONE", "DNA gyrase A"),
)  # fmt: skip
TEM, OTHER_TEM, STX, EAE, MER, GYR = (
    "M" + "".join(random.Random(seed).choices("ACDEFGHIKLMNPQRSTVWY", k=150 + seed))
    for seed in range(20, 26)
)
HEADERS = (
    ("WP_061158039.1|1|1|blaTEM-156|blaTEM|hydrolase|2|BETA-LACTAM|BETA-LACTAM|"
     "class_A_beta-lactamase_TEM-156", TEM),
    ("0|WP_000027057.1|1|1|blaTEM-1|blaTEM||1|blaTEM-1|BETA-LACTAM|BETA-LACTAM|"
     "broad-spectrum_class_A_beta-lactamase_TEM-1", OTHER_TEM),
    ("AAA16360.1|1|1|stxA2b|stxA2||1|STX2|STX2B|Shiga_toxin_Stx2b_subunit_A", STX),
    ("AAC31504.1|1|1|eae|eae||1|INTIMIN||intimin", EAE),
    ("WP_000000001.1|1|1|merA|merA||1|MERCURY|MERCURY|mercury(II)_reductase", MER),
    ("WP_000000002.1|1|1|gyrA|gyrA|mutation|2|QUINOLONE|QUINOLONE|DNA_gyrase_subunit_A", GYR),
)  # fmt: skip


def amr_files(release: str = "2024-12-18.1") -> dict[str, bytes]:
    """The published files by name."""
    rows = ("\t".join((*one[:4], "100", "100", *("0",) * 6, *one[4:])) + "\n" for one in FAMILIES)
    fasta = "".join(f">{header}\n{residues}*\n" for header, residues in HEADERS)
    return {
        "AMRProt.fa": fasta.encode(),
        "fam.tsv": (COLUMNS + "".join(rows)).encode(),
        "AMR.LIB": _profiles(),
        "version.txt": f"{release}\n".encode(),
    }


def _profiles() -> bytes:
    text = io.BytesIO()
    builder, background = Builder(Alphabet.amino(), seed=42), Background(Alphabet.amino())
    for accession, residues in (("NF000531.2", TEM), ("NF999999.1", MER)):
        sequence = TextSequence(name=accession, sequence=residues).digitize(Alphabet.amino())
        profile, _, _ = builder.build(sequence, background)
        profile.accession = accession
        profile.command_line = None
        profile.cutoffs.trusted = (100.0, 100.0)
        profile.write(text)
    lines = text.getvalue().splitlines(keepends=True)
    return b"".join(line for line in lines if not line.startswith(b"DATE"))
