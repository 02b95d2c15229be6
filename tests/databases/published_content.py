"""Mirrors for tests: content under the names, formats and places in which it is published.

``write_mirror(folder)`` makes one of a few families, proteins, terms and groups that were
made up for it; with ``shared_data`` of real ones. What it writes is the same every time.
"""

from __future__ import annotations

import gzip
import hashlib
import random
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from genint.databases.recipes import RECIPES, RemoteFile
from tests.databases.published_amr import amr_files
from tests.databases.published_formats import (
    made_profiles,
    mapped,
    ontology,
    packed,
    pfam_files,
    swissprot_entry,
)
from tests.databases.published_padloc import ARCHIVE, archive, padloc_members, sample
from tests.databases.published_rfam import rfam_files

DATABASES = ("pfam", "swissprot", "cog", "go", "rfam", "padloc", "amr")
RESIDUES = "ACDEFGHIKLMNPQRSTVWY"
MADE_FAMILIES = 5
MADE_PROTEINS = 4
"""Of each division."""


@dataclass(frozen=True, slots=True)
class Releases:
    """What the made-up publishers call what they publish."""

    pfam: str = "38.0"
    swissprot: str = "2026_03"
    go: str = "2026-06-15"
    rfam: str = "15.1"
    amr: str = "2024-12-18.1"


def write_mirror(
    folder: Path,
    *,
    shared_data: Path | None = None,
    databases: Iterable[str] = DATABASES,
    releases: Releases | None = None,
    families: int = MADE_FAMILIES,
) -> Path:
    """Write published files into ``<folder>/<host>/<path>``; what was there is replaced.

    Args:
        folder: Made where it is missing.
        shared_data: Folder of real content; None for made-up content.
        databases: Which.
        releases: What to call them.
        families: How many of the made-up families; two releases differ in it.
    """
    releases = releases or Releases()
    for name in databases:
        files = _content(name, shared_data, releases, families)
        files |= _beside(name, files, releases)
        recipe = RECIPES[name]
        extra = (recipe.checksums, recipe.release_file)
        for file in (*recipe.files, *(each for each in extra if each)):
            path = place_in(folder, file)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(files[file.name])
    return folder


def place_in(folder: Path, file: RemoteFile) -> Path:
    """Where a mirror has a published file."""
    place = file.places[0]
    return folder / place.host / place.path


def published_file(folder: Path, database: str, name: str) -> Path:
    """Where a mirror has a file of a database, by its published name."""
    recipe = RECIPES[database]
    extra = (recipe.checksums, recipe.release_file)
    (file,) = (each for each in (*recipe.files, *extra) if each and each.name == name)
    return place_in(folder, file)


def republish(folder: Path, database: str, name: str, content: bytes) -> None:
    """Put other content in the place of a published file, with checksums that fit."""
    published_file(folder, database, name).write_bytes(content)
    recipe = RECIPES[database]
    files = {file.name: place_in(folder, file).read_bytes() for file in recipe.files}
    for beside, text in _beside(database, files, Releases()).items():
        published_file(folder, database, beside).write_bytes(text)


def write_large_ontology(folder: Path, *, terms: int = 40_000, pairs: int = 90_000) -> Path:
    """A mirror of an ontology that takes seconds to build, in several steps."""
    write_mirror(folder, databases=["go"])
    made = ((f"GO:{each:07}", f"activity {each}", "molecular_function") for each in range(terms))
    mapping = ((f"PF{each:06}", f"GO:{each % terms:07}") for each in range(pairs))
    interpro = [("IPR000001", "GO:0000001")]
    files = {
        "go-basic.obo": ontology("2026-06-15", made),
        "pfam2go": mapped("Pfam", mapping),
        "interpro2go": mapped("InterPro", interpro),
    }
    for name, content in files.items():
        published_file(folder, "go", name).write_bytes(content)
    return folder


def _content(  # noqa: PLR0911 - one for each database
    name: str, shared_data: Path | None, releases: Releases, families: int
) -> dict[str, bytes]:
    """Published name -> content."""
    real = shared_data / "reference" if shared_data else None
    match name:
        case "pfam":
            return _real_pfam(real) if real else pfam_files(made_profiles(families))
        case "swissprot":
            return _real_swissprot(real) if real else _made_swissprot()
        case "cog":
            return _real_cog(real) if real else _made_cog()
        case "rfam":
            return rfam_files(releases.rfam)
        case "padloc":
            return {ARCHIVE: archive(sample(real) if real else padloc_members())}
        case "amr":
            return amr_files(releases.amr)
    return _real_go(real, releases.go) if real else _made_go(releases.go)


def _beside(name: str, files: Mapping[str, bytes], releases: Releases) -> dict[str, bytes]:
    """Checksums and releases, as each publisher writes them."""
    md5 = {file: hashlib.md5(files[file]).hexdigest() for file in sorted(files)}  # noqa: S324 - published
    lines = "".join(f"{checksum}  {file}\n" for file, checksum in md5.items()).encode()
    match name:
        case "pfam":
            notes = (
                f"\n{'':24}RELEASE {releases.pfam}\n\n  1. INTRODUCTION\n\nPfam is a collection\n"
            )
            return {"md5_checksums": lines, "relnotes.txt": notes.encode()}
        case "swissprot":
            dates = (
                f"UniProt Knowledgebase Release {releases.swissprot} consists of:\n"
                f"UniProtKB/Swiss-Prot Release {releases.swissprot} of 17-Jun-2026\n"
                f"UniProtKB/TrEMBL Release {releases.swissprot} of 17-Jun-2026\n"
            )
            return {
                "RELEASE.metalink": _metalink(files, releases.swissprot),
                "reldate.txt": dates.encode(),
            }
        case "cog":
            return {"checksums.md5": lines}
    return {}


def _metalink(files: Mapping[str, bytes], release: str) -> bytes:
    entries = "".join(
        f'<file name="{name}"><size>{len(content)}</size><verification>'
        f'<hash type="md5">{hashlib.md5(content).hexdigest()}</hash>'  # noqa: S324 - published so
        "</verification></file>\n"
        for name, content in sorted(files.items())
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<metalink version="3.0" xmlns="http://www.metalinker.org/">\n'
        f"<version>{release}</version>\n<files>\n{entries}</files>\n</metalink>\n"
    ).encode()


# Pfam


def _real_pfam(reference: Path) -> dict[str, bytes]:
    file = reference / "pfam" / "interproscan_mini_pfam38.hmm.gz"
    return pfam_files(gzip.decompress(file.read_bytes()))


# Swiss-Prot

DIVISIONS = ("bacteria", "archaea", "viruses")


def _made_swissprot() -> dict[str, bytes]:
    random_source = random.Random(7)
    return {
        f"uniprot_sprot_{division}.dat.gz": packed(
            "".join(
                swissprot_entry(
                    f"P{at}{number:04}",
                    f"Made-up protein {number}",
                    "M" + "".join(random_source.choices(RESIDUES, k=150)),
                    symbol=f"mad{number}",
                )
                for number in range(1, MADE_PROTEINS + 1)
            ).encode()
        )
        for at, division in enumerate(DIVISIONS)
    }


def _real_swissprot(reference: Path) -> dict[str, bytes]:
    names = {"bacteria": "Bacteria_AMR", "archaea": "Archaea_sprot", "viruses": "Viruses_sprot"}
    return {
        f"uniprot_sprot_{division}.dat.gz": packed("".join(_as_entries(file, at)).encode())
        for at, (division, stem) in enumerate(names.items())
        for file in [reference / "sprot" / f"{stem}.gz"]
    }


def _as_entries(file: Path, division: int) -> Iterator[str]:
    """Entries of FASTA records whose headers are ``EC~~~gene~~~product~~~COG``."""
    records = ("\n" + gzip.decompress(file.read_bytes()).decode()).split("\n>")[1:]
    for number, text in enumerate(records):
        header, *rows = text.splitlines()
        accession, _, described = header.partition(" ")
        ec, symbol, product, *_ = described.split("~~~")
        accession = accession.partition(".")[0]
        if not re.fullmatch(r"[A-Z0-9]{6,10}", accession):
            accession = f"X{division}{number:05}"
        residues = "".join(rows).replace("*", "").upper()
        yield swissprot_entry(accession, product or "Unnamed", residues, symbol=symbol, ec=ec)


# COG


def _made_cog() -> dict[str, bytes]:
    categories = (
        "J\tINFORMATION STORAGE AND PROCESSING\t#FCCCFC\tTranslation and ribosomes\n"
        "L\tINFORMATION STORAGE AND PROCESSING\t#FCDCDC\tReplication and repair\n"
        "X\tMOBILOME\t#9EFC9E\tMobilome: prophages, transposons\n"
    )
    groups = (
        "COG9001\tJ\tMade-up elongation factor\tMadA\tTranslation\t1234567\t1ABC\n"
        "COG9002\tLX\tMade-up integrase of K\xf6nig\tMadB\t\t\t\n"
        "COG9003\tX\tMade-up prophage protein\t\t\t\t\n"
    )
    return {
        "cog-24.def.tab": groups.encode("latin-1"),
        "cog-24.fun.tab": categories.encode(),
    }


def _real_cog(reference: Path) -> dict[str, bytes]:
    groups = (reference / "cog" / "cog-24_cog_definition.tsv.gz").read_bytes()
    categories = (reference / "cog" / "cog-24_cog_func_category.tsv").read_bytes()
    return {"cog-24.def.tab": gzip.decompress(groups), "cog-24.fun.tab": categories}


# Gene Ontology


def _made_go(release: str) -> dict[str, bytes]:
    terms = (
        ("GO:0003677", "DNA binding", "molecular_function"),
        ("GO:0006310", "DNA recombination", "biological_process"),
        ("GO:0019028", "viral capsid", "cellular_component"),
    )
    further = (
        "[Term]\nid: GO:0015074\nname: DNA integration ! of phages\n"
        'namespace: biological_process\nalt_id: GO:0009999\ndef: "Joins \\"DNA\\"." [X:y]\n',
        "[Term]\nid: GO:0000005\nname: obsolete made-up activity\n"
        "namespace: molecular_function\nis_obsolete: true\n",
        "[Typedef]\nid: part_of\nname: part of\nnamespace: external\n",
    )
    return {
        "go-basic.obo": ontology(release, terms, *further),
        "pfam2go": mapped(
            "Pfam",
            (
                ("PF90001", "GO:0003677"),
                ("PF90001", "GO:0009999"),
                ("PF90001", "GO:0015074"),
                ("PF90002", "GO:0000005"),
            ),
        ),
        "interpro2go": mapped("InterPro", (("IPR900001", "GO:0019028"),)),
    }


def _real_go(reference: Path, release: str) -> dict[str, bytes]:
    table = (reference / "go" / "go_terms.tsv").read_text("utf-8").splitlines()[1:]
    rows = [row for row in (line.split("\t")[:3] for line in table) if len(row) == 3 and row[2]]
    return {
        "go-basic.obo": ontology(release, ((term, name, aspect) for term, name, aspect in rows)),
        "pfam2go": gzip.decompress((reference / "go" / "pfam2go.gz").read_bytes()),
        "interpro2go": gzip.decompress((reference / "go" / "interpro2go_2016.gz").read_bytes()),
    }
