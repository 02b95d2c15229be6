"""GenBank output of every real genome: nothing is lost, and every reader reads it."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterable
from pathlib import Path

import gb_io
import pytest
from Bio import SeqIO
from Bio.SeqRecord import SeqRecord

from genint.formats import read_genome, read_original
from genint.knowledge import load_confidence
from genint.model import Gene
from genint.pipeline.library import interpret_genome
from genint.report import build_result, render_genbank
from tests.formats.test_every_genome import EXPECTED, Read

from .real_genomes import EVERY_GENOME, FASTA, ODD, REGULAR, Interpreted, interpreted

_RANK = re.compile(r"research priority [\d.]+, rank \d+")


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


def without_division(line: str) -> str:
    """A LOCUS line may get a division where the file says none."""
    return re.sub(r"^(LOCUS .* )(?:UNK|UNC|CON|PHG|BCT)\b", r"\1   ", line)


def test_every_file_of_the_folder_that_is_read_is_tested() -> None:
    read = {name for name, expected in EXPECTED.items() if isinstance(expected, Read)}
    assert read == set(EVERY_GENOME)


@pytest.mark.parametrize("real", [*REGULAR, *ODD], indirect=True)
def test_users_record_is_kept_and_read_as_before(real: Interpreted, tmp_path: Path) -> None:
    original, text = real.original, real.genbank
    lines = text.split("\n")
    # but a division that the file does not know
    own = [without_division(line) for line in original.text.split("\n")]
    assert is_within(own, map(without_division, lines))
    added = set(map(without_division, lines)) - set(own)
    assert all(len(line) < 80 and line.isascii() and line.isprintable() for line in added)
    again = tmp_path / "again.gbk"
    again.write_text(text, "utf-8")
    second = interpreted(again)
    if original.genome.genes:
        assert facts(second.original.genome.genes) == facts(original.genome.genes)
    else:
        assert sorted(map(repr, places(second.genome.genes))) == sorted(
            map(repr, places(real.genome.genes))
        )
    assert [c.bases for c in second.original.genome.contigs] == [
        contig.bases for contig in original.genome.contigs
    ]
    assert without_ranks(second.genbank) == without_ranks(text)


def without_ranks(text: str) -> str:
    """GenBank without ranks of dark genes: a predicted gene is less sure than one of a file."""
    return _RANK.sub("", " ".join(text.split()))


@pytest.mark.slow
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


@pytest.mark.parametrize("real", FASTA, indirect=True)
def test_fasta_becomes_records_with_the_same_genes(real: Interpreted, tmp_path: Path) -> None:
    text = real.genbank
    assert all(len(line) < 80 and line.isascii() for line in text.split("\n"))
    again = tmp_path / "again.gbk"
    again.write_text(text, "utf-8")
    second = interpreted(again)
    contigs = second.original.genome.contigs
    assert [(c.id, c.bases, c.topology) for c in contigs] == [
        (contig.id, contig.bases, contig.topology) for contig in real.genome.contigs
    ]
    if any(contig.genes for contig in contigs):
        assert places(second.original.genome.genes) == places(real.genome.genes)
        assert without_ranks(second.genbank) == without_ranks(text)
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


@pytest.mark.parametrize("real", WELL_FORMED, indirect=True)
def test_biopython_reads_all_that_it_read_before_and_what_was_added(real: Interpreted) -> None:
    told = 0
    for old, new in zip(biopython(real.original.text), biopython(real.genbank), strict=True):
        if old.annotations["data_file_division"] in {"CON", "UNK", "UNC"}:  # says nothing
            old.annotations["data_file_division"] = new.annotations["data_file_division"]
        assert (old.id, old.seq, old.annotations) == (new.id, new.seq, new.annotations)
        for before, after in zip(old.features, new.features, strict=True):
            assert (before.type, before.location) == (after.type, after.location)
            for key, values in before.qualifiers.items():
                assert after.qualifiers[key][: len(values)] == values
            told += any(note.startswith("genint: ") for note in after.qualifiers.get("note", ()))
    assert told == len(real.result.genes) > 0


@pytest.mark.parametrize("real", WELL_FORMED, indirect=True)
def test_gb_io_reads_all_that_it_read_before_and_what_was_added(real: Interpreted) -> None:
    told = 0
    old_records = gb_io.load(io.BytesIO(real.original.text.encode()))
    new_records = gb_io.load(io.BytesIO(real.genbank.encode()))
    for old, new in zip(old_records, new_records, strict=True):
        assert (old.name, old.length, old.sequence) == (new.name, new.length, new.sequence)
        for before, after in zip(old.features, new.features, strict=True):
            assert (before.kind, repr(before.location)) == (after.kind, repr(after.location))
            values = [(one.key, one.value) for one in before.qualifiers]
            assert [(one.key, one.value) for one in after.qualifiers][: len(values)] == values
            told += any((q.value or "").startswith("genint: ") for q in after.qualifiers)
    assert told == len(real.result.genes) > 0
