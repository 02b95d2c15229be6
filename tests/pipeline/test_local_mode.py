"""Local mode from installation to report, on made-up databases and a made-up genome."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import io
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from genint import interpret_genome, render_report
from genint.databases.download.http import Mirror
from genint.databases.install import install
from genint.databases.layout import remove
from genint.errors import UnavailableError
from genint.knowledge import read_swissprot
from genint.model import EvidenceSource, Topic
from genint.pipeline.gene_calling import Payload
from tests.databases import published_content
from tests.databases.published_amr import STX, TEM
from tests.databases.published_content import Releases, write_mirror
from tests.databases.published_formats import made_domain
from tests.databases.published_padloc import defence_domain

CODONS = dict(
    zip(
        "ACDEFGHIKLMNPQRSTVWY",
        "GCG TGC GAT GAA TTT GGC CAT ATT AAA CTG ATG AAC CCG CAG CGT AGC ACC GTG TGG TAT".split(),
        strict=True,
    )
)
LINKER = "GSAGSAGSAG" * 4


@pytest.fixture(scope="module")
def domain_protein() -> str:
    """A protein with the first made-up domain."""
    return "M" + LINKER + made_domain(1) + LINKER


@pytest.fixture(scope="module")
def curated_protein(mirror) -> str:
    """The first bacterial protein of the made-up Swiss-Prot."""
    file = published_content.published_file(mirror, "swissprot", "uniprot_sprot_bacteria.dat.gz")
    return next(read_swissprot(io.BytesIO(gzip.decompress(file.read_bytes())))).residues


@pytest.fixture(scope="module")
def mirror(tmp_path_factory) -> Path:
    return write_mirror(tmp_path_factory.mktemp("mirror"))


@pytest.fixture(scope="module")
def genome(domain_protein, curated_protein) -> Payload:
    """A record of two genes: one with the domain, one that is in Swiss-Prot."""
    return Payload(record(domain_protein, curated_protein).encode(), "made.gbk")


def record(*proteins: str) -> str:
    """A GenBank record of genes one behind the other."""
    features, sequence = [], ""
    for number, protein in enumerate(proteins, start=1):
        coding = "".join(CODONS[residue] for residue in protein) + "TAA"
        sequence += "TTAGGAGGTTTACA"
        start = len(sequence) + 1
        sequence += coding
        features.append(
            f"     CDS             {start}..{len(sequence)}\n"
            f'                     /locus_tag="MADE_{number}"\n'
        )
    rows = "".join(
        f"{at + 1:9} {' '.join(_tens(sequence[at : at + 60].lower()))}\n"
        for at in range(0, len(sequence), 60)
    )
    return (
        f"LOCUS       MADE {len(sequence)} bp    DNA     linear   PHG 01-JAN-2026\n"
        "DEFINITION  Made-up phage.\nACCESSION   MADE\nVERSION     MADE.1\n"
        f"FEATURES             Location/Qualifiers\n{''.join(features)}ORIGIN\n{rows}//\n"
    )


def _tens(row: str) -> Iterator[str]:
    return (row[at : at + 10] for at in range(0, len(row), 10))


def installed_from(mirror, databases, *names) -> None:
    asyncio.run(install(databases, names, mirrors=(Mirror.parse(str(mirror)),)))


@pytest.fixture(scope="module")
def installed_once(mirror, tmp_path_factory) -> Path:
    """All databases, installed."""
    folder = tmp_path_factory.mktemp("installed")
    installed_from(mirror, folder, "pfam", "swissprot", "cog", "go", "rfam", "padloc", "amr")
    return folder


@pytest.fixture
def databases(installed_once, tmp_path) -> Path:
    """All databases, in a folder that a test may damage."""
    return Path(shutil.copytree(installed_once, tmp_path / "databases", symlinks=True))


@pytest.fixture
def local(genome, family_build, databases, cache_of_its_own, monkeypatch):
    """Interprets the genome in local mode, with results kept."""
    monkeypatch.setenv("GENINT_CACHE_MB", "50")

    def run(cache=cache_of_its_own, **options):
        return interpret_genome(
            genome,
            mode="local",
            cache_folder=cache,
            databases_folder=databases,
            families_folder=family_build,
            **options,
        )

    return run


def evidence(summary, gene, source):
    (result,) = (one for one in summary.results if one.gene_id == gene)
    found = result.interpretation.evidence if result.interpretation else ()
    return [item for item in found if item.source is source]


def as_json(summary):
    return render_report(summary, "json")


def test_the_installed_pfam_is_searched_and_cited_with_its_release_and_size(local):
    summary = local()
    (hit,) = evidence(summary, "MADE_1", EvidenceSource.PFAM)
    assert (hit.accession, hit.database) == ("PF90001", "Pfam 38.0")
    used = {item.name: item.version for item in summary.databases}
    assert used["Pfam-A"] == "38.0, 5 entries"
    assert "Pfam" not in used
    assert summary.unavailable == ()


def test_terms_of_a_family_are_those_of_the_installed_mapping(local):
    (hit,) = evidence(local(), "MADE_1", EvidenceSource.PFAM)
    # One is named by an id that was merged into another, which is named too.
    assert [(term.id, term.name) for term in hit.go] == [
        ("GO:0003677", "DNA binding"),
        ("GO:0015074", "DNA integration"),
    ]


def test_a_protein_of_swissprot_names_its_like(local):
    (hit,) = evidence(local(), "MADE_2", EvidenceSource.SWISSPROT)
    assert hit.subject.lower() == "made-up protein 1"
    assert hit.database == "Swiss-Prot 2026_03"


def test_entries_above_the_greatest_identity_are_left_out(local):
    assert evidence(local(max_identity=0.9), "MADE_2", EvidenceSource.SWISSPROT) == []
    assert evidence(local(max_identity=1.0), "MADE_2", EvidenceSource.SWISSPROT) == []
    assert evidence(local(), "MADE_2", EvidenceSource.SWISSPROT)


def test_installed_resistance_genes_are_found_and_named_as_searched(
    mirror, family_build, tmp_path, cache_of_its_own
):
    folder = tmp_path / "only amr"
    installed_from(mirror, folder, "amr")
    genome = Payload(record(TEM, STX).encode(), "made.gbk")

    def panel(mode):
        summary = interpret_genome(
            genome,
            mode=mode,
            cache_folder=cache_of_its_own,
            databases_folder=folder,
            families_folder=family_build,
        )
        return {one.subject: one for one in summary.overview if one.topic is Topic.SAFETY}

    found = panel("local")
    (resistance,) = found["antimicrobial resistance"].genes
    assert (resistance.gene_id, resistance.role) == ("MADE_1", "blaTEM-156")
    assert "NCBI 2024-12-18.1 WP_061158039.1" in resistance.reason
    assert "2024-12-18.1" in found["antimicrobial resistance"].searched[0]
    assert [role.gene_id for role in found["toxins"].genes] == ["MADE_2"]
    offline = panel("offline")["antimicrobial resistance"]
    assert offline.genes == ()
    assert any("genint db install amr" in doubt for doubt in offline.uncertainties)


def test_neither_workers_nor_what_is_remembered_change_a_byte(local, tmp_path):
    first = as_json(local())
    assert as_json(local()) == first
    assert as_json(local(tmp_path / "other cache", workers=2)) == first


def test_another_release_is_asked_anew(local, databases, tmp_path):
    before = as_json(local())
    newer = write_mirror(tmp_path / "newer", releases=Releases(pfam="39.0"), families=7)
    installed_from(newer, databases, "pfam")
    after = as_json(local())
    assert after == as_json(local(tmp_path / "empty cache"))
    assert after != before
    (hit,) = evidence(local(), "MADE_1", EvidenceSource.PFAM)
    assert hit.database == "Pfam 39.0"


def test_evalues_refer_to_all_installed_families(local, databases, tmp_path):
    (of_five,) = evidence(local(), "MADE_1", EvidenceSource.PFAM)
    larger = write_mirror(tmp_path / "larger", releases=Releases(pfam="39.0"), families=10)
    installed_from(larger, databases, "pfam")
    (of_ten,) = evidence(local(), "MADE_1", EvidenceSource.PFAM)
    assert of_ten.measured.evalue == pytest.approx(2 * of_five.measured.evalue)
    assert of_ten.measured.score_bits == of_five.measured.score_bits


def test_what_was_removed_is_replaced_by_what_ships_and_said(local, databases):
    local()
    remove(databases, "pfam")
    remove(databases, "swissprot")
    summary = local()
    assert evidence(summary, "MADE_1", EvidenceSource.PFAM) == []
    assert evidence(summary, "MADE_2", EvidenceSource.SWISSPROT) == []
    assert [text.partition(":")[0] for text in summary.unavailable] == ["Pfam-A", "Swiss-Prot"]
    assert "Pfam" in {item.name for item in summary.databases}


def test_a_damaged_database_is_not_used_and_said(local, databases):
    (block,) = databases.glob("pfam/*/blocks/00.h3p")
    block.write_bytes(block.read_bytes()[:-1])
    summary = local()
    assert evidence(summary, "MADE_1", EvidenceSource.PFAM) == []
    assert "genint db install pfam" in summary.unavailable[0]


def test_genes_of_a_defence_system_are_found_named_with_their_place_and_told_apart(
    local, databases, family_build, cache_of_its_own
):
    proteins = ["M" + LINKER + defence_domain(name) + LINKER for name in ("MadA", "MadB", "MadC")]
    source = Payload(record(*proteins).encode(), "defended.gbk")
    folders = {"databases_folder": databases, "families_folder": family_build}

    def told(mode):
        found = interpret_genome(source, mode=mode, cache_folder=cache_of_its_own, **folders)
        return {one.subject: one for one in found.overview if one.topic is Topic.DEFENCE}

    system = told("local")["Mad Type I"]
    roles = [(role.gene_id, role.role) for role in system.genes]
    assert roles == [("MADE_1", "MadA"), ("MADE_2", "MadB"), ("MADE_3", "MadC")]
    assert all("PADLOC-DB 2.0.0 profile PDLC9" in role.reason for role in system.genes)
    assert told("local")["Mad Type I"] == system  # from the cache
    assert told("offline") == {}


def test_offline_mode_does_not_look_at_what_is_installed(local, genome, family_build, databases):
    offline = interpret_genome(
        genome, families_folder=family_build, databases_folder=databases, cache_folder=None
    )
    assert evidence(offline, "MADE_2", EvidenceSource.SWISSPROT) == []
    assert not any("Swiss-Prot" in used.name for used in offline.databases)


@pytest.mark.parametrize(
    ("file", "cure"),
    [
        ("pfam/*/blocks/00.h3f", "genint db verify pfam"),
        ("pfam/*/blocks/00.h3p", "genint db verify pfam"),
        ("pfam/*/families.tsv", "genint db verify pfam"),
        ("swissprot/*/index/entries.jsonl", "genint db verify swissprot"),
        ("swissprot/*/index/*starts.i64", "genint db verify swissprot"),
        ("go/*/pfam2go.tsv", "genint db verify go"),
        ("padloc/*/profiles.h3p", "genint db verify padloc"),
        ("padloc/*/profiles.tsv", "genint db verify padloc"),
        ("padloc/*/systems.json", "genint db verify padloc"),
    ],
)
def test_damage_that_only_reading_shows_is_told_with_the_cure(local, databases, file, cure):
    for damaged in databases.glob(file):
        status = damaged.stat()
        damaged.write_bytes(b"\xff" * status.st_size)
        os.utime(damaged, ns=(status.st_atime_ns, status.st_mtime_ns))
    with pytest.raises(UnavailableError, match=cure):
        local()


def test_answers_of_a_damaged_database_are_forgotten_with_its_repair(local, databases, mirror):
    sound = as_json(local())
    (residues,) = databases.glob("swissprot/*/index/residues.u8")
    status = residues.stat()
    residues.write_bytes(bytes(status.st_size))
    os.utime(residues, ns=(status.st_atime_ns, status.st_mtime_ns))
    with contextlib.suppress(UnavailableError):
        local()
    installed_from(mirror, databases, "swissprot")
    assert as_json(local()) == sound
