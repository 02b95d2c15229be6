"""What can be installed: files, where they are published, licences, citations.

All places are read over https. Folders named "current" change at any time, so a database
with checksums is identified by them: what they name is what is downloaded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple


class Place(NamedTuple):
    """Where a file is published; always read over https.

    Attributes:
        host: Name of the host.
        path: Path on it, without a leading slash.
    """

    host: str
    path: str

    def __str__(self) -> str:
        return f"{self.host}/{self.path}"


class ChecksumFormat(Enum):
    """How checksums are published."""

    MD5_LIST = "md5 list"
    """Lines of an MD5 and a file name, as ``md5sum`` writes them."""

    METALINK = "metalink"
    """Metalink 3, an XML file with release, sizes and MD5."""


class ReleaseFormat(Enum):
    """How the release is published beside the checksums."""

    PFAM_NOTES = "Pfam release notes"
    UNIPROT_DATES = "UniProt release dates"
    RFAM_README = "Rfam release notes"
    NCBI_VERSION = "NCBI version file"


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A published file.

    Attributes:
        name: What it is called here; unique within its database.
        places: Where it can be had, first preferred; at least one.
        required: Whether the database cannot be built without it.
    """

    name: str
    places: tuple[Place, ...]
    required: bool = True


@dataclass(frozen=True, slots=True)
class Recipe:
    """A database that can be installed.

    Attributes:
        name: What it is called on the command line.
        title: What it is called in reports.
        licence: Under which it may be used, with the attribution it demands.
        citation: What to cite, with DOI.
        files: What to download.
        download: How much that is, in words: releases grow.
        entries: What its entries are, plural.
        subject: What reports call it where a run had to do without it.
        without: What was done instead, in words that follow the reason.
        checksums: Published checksums of the files; None where none are published.
        checksum_format: How to read them.
        release_file: Where the release is published; None where other files name it.
        release_format: How to read it.
        fixed_release: The release, where the place itself names it.
        build_factor: Disk needed for what is built, as a multiple of the download.
    """

    name: str
    title: str
    licence: str
    citation: str
    files: tuple[RemoteFile, ...]
    download: str
    entries: str
    subject: str
    without: str
    checksums: RemoteFile | None = None
    checksum_format: ChecksumFormat | None = None
    release_file: RemoteFile | None = None
    release_format: ReleaseFormat | None = None
    fixed_release: str | None = None
    build_factor: float = 1.0


_EBI, _UNIPROT, _EXPASY = "ftp.ebi.ac.uk", "ftp.uniprot.org", "ftp.expasy.org"
_NCBI, _GO = "ftp.ncbi.nlm.nih.gov", "current.geneontology.org"


def _pfam(name: str) -> RemoteFile:
    return RemoteFile(name, (Place(_EBI, f"pub/databases/Pfam/current_release/{name}"),))


def _uniprot(name: str, *, required: bool = True) -> RemoteFile:
    path = f"databases/uniprot/current_release/knowledgebase/taxonomic_divisions/{name}"
    return RemoteFile(
        name,
        (Place(_UNIPROT, f"pub/{path}"), Place(_EBI, f"pub/{path}"), Place(_EXPASY, path)),
        required,
    )


def _cog(name: str, *other_names: str) -> RemoteFile:
    folder = "pub/COG/COG2024/data"
    return RemoteFile(
        name, tuple(Place(_NCBI, f"{folder}/{each}") for each in (name, *other_names))
    )


_PFAM = Recipe(
    name="pfam",
    title="Pfam-A",
    licence="CC0 1.0",
    citation=(
        "Paysan-Lafosse T, et al. The Pfam protein families database: embracing AI/ML. "
        "Nucleic Acids Res 2025;53:D523-D534. doi:10.1093/nar/gkae997"
    ),
    files=(_pfam("Pfam-A.hmm.gz"), _pfam("Pfam-A.hmm.dat.gz"), _pfam("Pfam-A.clans.tsv.gz")),
    download="some 0.4 GB",
    entries="families",
    subject="Pfam-A",
    without="the embedded profile pack was searched instead",
    checksums=_pfam("md5_checksums"),
    checksum_format=ChecksumFormat.MD5_LIST,
    release_file=_pfam("relnotes.txt"),
    release_format=ReleaseFormat.PFAM_NOTES,
    build_factor=5.0,
)

_SWISSPROT = Recipe(
    name="swissprot",
    title="UniProtKB/Swiss-Prot (bacteria, archaea, viruses)",
    licence="CC BY 4.0 (UniProt Consortium)",
    citation=(
        "The UniProt Consortium. UniProt: the Universal Protein Knowledgebase in 2025. "
        "Nucleic Acids Res 2025;53:D609-D617. doi:10.1093/nar/gkae1010"
    ),
    files=(
        _uniprot("uniprot_sprot_bacteria.dat.gz"),
        _uniprot("uniprot_sprot_archaea.dat.gz"),
        _uniprot("uniprot_sprot_viruses.dat.gz"),
    ),
    download="some 0.3 GB",
    entries="proteins",
    subject="Swiss-Prot",
    without="it was not searched for similar proteins",
    checksums=_uniprot("RELEASE.metalink"),
    checksum_format=ChecksumFormat.METALINK,
    release_file=_uniprot("reldate.txt", required=False),
    release_format=ReleaseFormat.UNIPROT_DATES,
    build_factor=12.0,
)

_COG = Recipe(
    name="cog",
    title="COG 2024",
    licence="public domain (NCBI)",
    citation=(
        "Galperin MY, et al. COG database update 2024. "
        "Nucleic Acids Res 2025;53:D356-D363. doi:10.1093/nar/gkae983"
    ),
    files=(_cog("cog-24.def.tab"), _cog("cog-24.fun.tab")),
    download="1 MB",
    entries="groups",
    subject="COG",
    without="the letters that ship were used instead",
    checksums=_cog("checksums.md5", "checksums.md5.txt"),
    checksum_format=ChecksumFormat.MD5_LIST,
    fixed_release="2024",
    build_factor=2.0,
)

_GENE_ONTOLOGY = Recipe(
    name="go",
    title="Gene Ontology with the mappings of Pfam and InterPro",
    licence="CC BY 4.0 (Gene Ontology Consortium)",
    citation=(
        "Ashburner M, et al. Gene Ontology: tool for the unification of biology. "
        "Nat Genet 2000;25:25-29. doi:10.1038/75556; "
        "The Gene Ontology Consortium. The Gene Ontology knowledgebase in 2023. "
        "Genetics 2023;224:iyad031. doi:10.1093/genetics/iyad031"
    ),
    files=(
        RemoteFile("go-basic.obo", (Place(_GO, "ontology/go-basic.obo"),)),
        RemoteFile("pfam2go", (Place(_GO, "ontology/external2go/pfam2go"),)),
        RemoteFile(
            "interpro2go",
            (
                Place(_GO, "ontology/external2go/interpro2go"),
                Place(_EBI, "pub/databases/interpro/current_release/interpro2go"),
                Place(_EBI, "pub/databases/GO/goa/external2go/interpro2go"),
            ),
        ),
    ),
    download="some 40 MB",
    entries="terms",
    subject="Gene Ontology",
    without="the terms that ship were used instead",
    build_factor=1.5,
)


def _rfam(name: str, folder: str = "", *, required: bool = True) -> RemoteFile:
    path = f"pub/databases/Rfam/CURRENT/{folder}{name}"
    return RemoteFile(name, (Place(_EBI, path),), required)


_RFAM = Recipe(
    name="rfam",
    title="Rfam (bacteria, archaea, phages)",
    licence="CC0 1.0",
    citation=(
        "Ontiveros-Palacios N, et al. Rfam 15: RNA families database in 2025. "
        "Nucleic Acids Res 2025;53:D258-D267. doi:10.1093/nar/gkae1023"
    ),
    files=(
        _rfam("Rfam.cm.gz"),
        _rfam("Rfam.clanin"),
        _rfam("family.txt.gz", "database_files/"),
        _rfam("family_ncbi.txt.gz", "database_files/", required=False),
        _rfam("taxonomy.txt.gz", "database_files/", required=False),
    ),
    download="some 60 MB",
    entries="families",
    subject="Rfam",
    without="RNA genes other than tRNA, tmRNA and rRNA were not searched",
    release_file=_rfam("README", required=False),
    release_format=ReleaseFormat.RFAM_README,
    build_factor=4.0,
)

_PADLOC = Recipe(
    name="padloc",
    title="PADLOC-DB (defence systems)",
    licence="MIT (L. J. Payne, S. A. Jackson and others)",
    citation=(
        "Payne LJ, et al. Identification and classification of antiviral defence systems in "
        "bacteria and archaea with PADLOC reveals new system types. "
        "Nucleic Acids Res 2021;49:10868-10878. doi:10.1093/nar/gkab883"
    ),
    files=(
        RemoteFile(
            "padloc-db.tar.gz",
            (Place("github.com", "padlocbio/padloc-db/archive/refs/tags/v2.0.0.tar.gz"),),
        ),
    ),
    download="some 80 MB",
    entries="profiles",
    subject="PADLOC-DB",
    without="defence systems were judged by the names of genes alone",
    fixed_release="2.0.0",
    build_factor=6.0,
)


def _amr(name: str, *older_names: str, required: bool = True) -> RemoteFile:
    folder = "pathogen/Antimicrobial_resistance/AMRFinderPlus/database/latest"
    places = tuple(Place(_NCBI, f"{folder}/{each}") for each in (name, *older_names))
    return RemoteFile(name, places, required)


_AMR = Recipe(
    name="amr",
    title="NCBI reference genes of resistance and virulence",
    licence="public domain (NCBI)",
    citation=(
        "Feldgarden M, et al. AMRFinderPlus and the Reference Gene Catalog facilitate examination "
        "of the genomic links among antimicrobial resistance, stress response, and virulence. "
        "Sci Rep 2021;11:12728. doi:10.1038/s41598-021-91456-0"
    ),
    files=(
        _amr("AMRProt.fa", "AMRProt"),
        _amr("fam.tsv", "fam.tab"),
        _amr("AMR.LIB", required=False),
    ),
    download="some 60 MB",
    entries="proteins",
    subject="Reference genes of resistance",
    without="resistance genes were searched with genint's families and Pfam only",
    release_file=_amr("version.txt", required=False),
    release_format=ReleaseFormat.NCBI_VERSION,
    build_factor=3.0,
)

RECIPES: Mapping[str, Recipe] = MappingProxyType(
    {
        recipe.name: recipe
        for recipe in (_PFAM, _SWISSPROT, _GENE_ONTOLOGY, _COG, _RFAM, _PADLOC, _AMR)
    }
)
"""What can be installed, by name."""
