"""What other programs write is read as what they told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.accuracy.genomes import BenchGenome
from benchmarks.accuracy.peers import PeerRun, parse_giae, parse_prokka, recalled
from benchmarks.accuracy.usage import Usage
from genint.model import Contig, FileFormat, Genome, GenomeKind, GenomeSource, Interval
from training.blind.truth import Claim, Place, ToldGene

GFF = """##gff-version 3
c0\tProdigal:002006\tCDS\t191\t736\t.\t+\t0\tID=A_1;inference=ab initio prediction:Prodigal,\
similar to AA sequence:UniProtKB:P03707;product=Terminase%2C small subunit
c0\tProdigal:002006\tCDS\t800\t900\t.\t-\t0\tID=A_2;product=hypothetical protein
c1\tProdigal:002006\tCDS\t900\t1000\t.\t+\t0\tID=A_3;product=Holin
c1\tAragorn\ttRNA\t1\t70\t.\t+\t.\tproduct=tRNA-Met
##FASTA
>c0
ACGT
"""


def test_genes_of_prokka_lie_where_its_gff_says() -> None:
    first, second, third = parse_prokka(GFF, (None, 1000))
    assert first.place == Place(0, 736, 1)
    assert second.place == Place(0, 799, -1)
    assert third.place == Place(1, 0, 1)
    assert (first.span, second.span) == (Interval(190, 736), Interval(799, 900))


def test_names_of_prokka_are_decoded_and_hypothetical_is_none() -> None:
    first, second, _ = parse_prokka(GFF, (None, None))
    assert (first.name, first.source) == (
        "Terminase, small subunit",
        "similar to AA sequence:UniProtKB:P03707",
    )
    assert second.name == ""


def test_genes_of_giae_are_half_open_and_begin_at_nought() -> None:
    said = {"name": "Serine protease", "score": 0.35, "level": "low"}
    silent = {"name": None, "score": None, "level": None}
    printed = "a warning\n" + json.dumps(
        [
            {"start": 190, "end": 736, "strand": 1, **said},
            {"start": 70, "end": 631, "strand": -1, **silent},
        ]
    )
    first, second = parse_giae(printed, (None,))
    assert (first.place, first.name, first.level) == (Place(0, 736, 1), "Serine protease", "LOW")
    assert (second.place, second.name) == (Place(0, 70, -1), "")
    assert (first.span, second.span) == (Interval(190, 736), Interval(70, 631))


def test_what_names_a_domain_alone_is_held_for_no_more() -> None:
    line = "c0\tx\tCDS\t1\t90\t.\t+\t0\tID=A;product="
    names = ("CHAP domain-containing protein", "HTH domain protein", "Domain III holin")
    told = parse_prokka("\n".join(line + name for name in names), (None,))
    assert [one.claim for one in told] == [Claim.DOMAIN, Claim.DOMAIN, Claim.WHOLE]


def test_what_a_peer_told_is_recalled_with_what_it_used(tmp_path: Path) -> None:
    genome = made_genome(tmp_path, "ACGT")
    first = PeerRun((ToldGene(Place(0, 3, 1), "holin"),), Usage(3.0, 2.0, 50.0))
    runs = iter([first])
    folder = tmp_path / "peers"
    assert recalled(folder, [b"peer 1"], genome, lambda: next(runs)) == first
    again = recalled(folder, [b"peer 1"], genome, lambda: next(runs))
    assert again == first._replace(kept=True)


@pytest.mark.parametrize(("version", "bases"), [(b"peer 2", "ACGT"), (b"peer 1", "ACGA")])
def test_another_version_or_genome_is_asked_anew(
    tmp_path: Path, version: bytes, bases: str
) -> None:
    old, new = (PeerRun((), Usage(seconds, seconds, 50.0)) for seconds in (1.0, 2.0))
    folder = tmp_path / "peers"
    recalled(folder, [b"peer 1"], made_genome(tmp_path, "ACGT"), lambda: old)
    assert recalled(folder, [version], made_genome(tmp_path, bases), lambda: new) == new


def made_genome(folder: Path, bases: str) -> BenchGenome:
    fasta = folder / f"{bases}.fna"
    fasta.write_text(f">c0\n{bases}\n")
    source = GenomeSource(filename="x", sha256="", format=FileFormat.FASTA)
    annotated = Genome((Contig(id="c0", bases=bases),), source)
    return BenchGenome("x", "group", GenomeKind.PHAGE, 11, annotated, (), fasta, (None,), {})
