"""Rfam as it is published, of the few families whose models come with the library that reads them.

Four of the ten families are of bacteria and no tRNA: CopA, FinP, traJ_5 and group II introns.
"""

from __future__ import annotations

import gzip
import re
from importlib.util import find_spec
from pathlib import Path

KEPT = ("RF00029", "RF00042", "RF00107", "RF00243")
"""Families that are to be installed."""
_TYPES = {
    "RF00005": "Gene; tRNA;",
    "RF00006": "Gene;",
    "RF00029": "Intron;",
    "RF00042": "Gene; antisense;",
    "RF00107": "Gene; antisense;",
    "RF00243": "Cis-reg;",
    "RF01185": "Gene; snRNA; snoRNA; CD-box;",
    "RF01852": "Gene; tRNA;",
    "RF01855": "Gene;",
    "RF03523": "Gene; miRNA;",
}
_TAXA = (
    ("562", "Escherichia coli", "Bacteria; Proteobacteria; Enterobacterales; Escherichia."),
    ("2162", "Methanobacterium", "Archaea; Euryarchaeota; Methanobacterium."),
    ("9606", "Homo sapiens", "Eukaryota; Metazoa; Chordata; Primates; Homo."),
    ("10710", "Escherichia phage Lambda", "Viruses; Duplodnaviria; Caudoviricetes; Lambdavirus."),
)
_OF_EUKARYOTES = {"RF00006", "RF01855", "RF03523", "RF01185"}


def library_tests() -> Path:
    """Where pyinfernal keeps the models and sequences of its own tests."""
    spec = find_spec("pyinfernal")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    return Path(spec.submodule_search_locations[0]) / "tests" / "data"


def models() -> bytes:
    """All models, by accession."""
    text = b"".join(file.read_bytes() for file in sorted((library_tests() / "cms").glob("*.cm")))
    found = {}
    for record in re.split(rb"(?m)^(?=INFERNAL1/a)", text):
        if record:
            accession = re.search(rb"(?m)^ACC +(\S+)", record)[1].decode()
            found[accession] = record
    return b"".join(found[accession] for accession in sorted(found))


def rfam_files(release: str = "15.1") -> dict[str, bytes]:
    """Published name -> content."""
    content = models()
    names = dict(
        zip(
            _matches(rb"^ACC      (\S+)", content),
            _matches(rb"^NAME     (\S+)", content),
            strict=True,
        )
    )
    families = "".join(
        f"{accession}\t{name}\t1\tThe family {name}\tAuthor\tSeed\t30.00\t30.10\t29.90\t"
        f"A comment with\\\ttabs and\\\nline ends\\\n\t\\N\tcmbuild\tcmcalibrate\tcmsearch\t"
        f"5\t50\t\\N\t\\N\t{_TYPES[accession]}\tPredicted\t7\n"
        for accession, name in names.items()
    )
    taxonomy = "".join(
        f"{taxon}\t{name}\t{of}\t{name}_[{taxon}]\t\\N\n" for taxon, name, of in _TAXA
    )
    members = "".join(
        f"{'9606' if accession in _OF_EUKARYOTES else '562'}\t{name}\t{accession}\n"
        for accession, name in names.items()
    )
    clan = f"CL00102\t{names['RF00107']}\t{names['RF00243']}\n"
    notes = f"Rfam: alignments and covariance models\n\nRelease {release}\n------------\n"
    return {
        "Rfam.cm.gz": gzip.compress(content, mtime=0),
        "Rfam.clanin": clan.encode(),
        "family.txt.gz": gzip.compress(families.encode("latin-1"), mtime=0),
        "family_ncbi.txt.gz": gzip.compress(members.encode(), mtime=0),
        "taxonomy.txt.gz": gzip.compress(taxonomy.encode(), mtime=0),
        "README": notes.encode(),
    }


def _matches(pattern: bytes, content: bytes) -> list[str]:
    return [found.decode() for found in re.findall(pattern, content, re.MULTILINE)]


def plasmid() -> str:
    """The bases of a real resistance plasmid that has members of all four families."""
    text = (library_tests() / "seqs" / "pANT_R100.fa").read_text("ascii")
    return "".join(text.split("\n")[1:]).upper()
