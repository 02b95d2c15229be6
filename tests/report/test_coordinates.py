"""All formats say the same of where a gene lies: one small reader for each.

A reader gives, for every gene in the order of the result, its stretches as pieces of the
forward strand: 1-based, cut at the origin, joined where they touch, with the strand of each.
"""

from __future__ import annotations

import io
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import pytest
from Bio import BiopythonParserWarning, SeqIO
from Bio.SeqFeature import SeqFeature

from genint.model import CalledBy
from genint.report import FORMATS, GenintResult, on_both_strands, parse_result, render

from .real_genomes import Interpreted, interpreted


class Piece(NamedTuple):
    start: int
    end: int
    strand: str


Place = tuple[Piece, ...]
Places = dict[str, Place]
"""Gene id -> where it lies."""


def place(parts: Iterable[tuple[int, int, str]], record_bp: int) -> Place:
    """One way to write a place, whatever the format cuts, wraps or counts on."""
    cut = []
    for start, end, strand in parts:
        if start > record_bp:  # counted on behind the origin
            cut.append(Piece(start - record_bp, end - record_bp, strand))
        elif end > record_bp:
            cut += [Piece(start, record_bp, strand), Piece(1, end - record_bp, strand)]
        elif end < start:
            cut += [Piece(start, record_bp, strand), Piece(1, end, strand)]
        else:
            cut.append(Piece(start, end, strand))
    joined: list[Piece] = []
    for piece in sorted(cut):
        last = joined[-1] if joined else None
        if last and last.strand == piece.strand and last.end + 1 == piece.start:
            joined[-1] = last._replace(end=piece.end)
        else:
            joined.append(piece)
    return tuple(joined)


def lengths(result: GenintResult) -> Mapping[str, int]:
    return {record.id: record.length for record in result.records}


def of_json(result: GenintResult, text: str) -> Places:
    value = json.loads(text)
    bp = {record["id"]: record["length"] for record in value["records"]}
    return {
        gene["id"]: place(
            ((part["start"], part["end"], part["strand"]) for part in gene["parts"]),
            bp[gene["record"]],
        )
        for gene in value["genes"]
    }


PART = re.compile(r"(\d+)-(\d+)(?:\(([+-])\))?")


def parts_of(text: str, strand: str) -> list[tuple[int, int, str]]:
    """Parts as ``12-78(-),134-202(+)``, or all on one strand as ``12-78,134-202``."""
    return [(int(start), int(end), own or strand) for start, end, own in PART.findall(text)]


def of_tsv(result: GenintResult, text: str) -> Places:
    header, *lines = (line.split("\t") for line in text.splitlines())
    rows = [dict(zip(header, line, strict=True)) for line in lines]
    return {
        row["id"]: place(
            parts_of(row["parts"] or f"{row['start']}-{row['end']}", row["strand"]),
            lengths(result)[row["record"]],
        )
        for row in rows[: len(result.genes)]
    }


def of_gff3(result: GenintResult, text: str) -> Places:
    parts: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
    record_of = {}
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        seqid, _, kind, start, end, _, strand, _, ninth = line.split("\t")
        if kind in {"CDS", "pseudogenic_CDS"}:
            name = unquote(ninth.split(";")[0].removeprefix("ID=cds-"))
            parts[name].append((int(start), int(end), strand))
            record_of[name] = unquote(seqid)
    bp = lengths(result)
    return {name: place(found, bp[record_of[name]]) for name, found in parts.items()}


ONE = r"\d+-\d+(?:\([+-]\))?"
LOCUS = re.compile(rf"^\* Locus: (?:.*? )??({ONE}(?:, {ONE})*)(?: \(([+-])\))?, \d+ aa", re.M)
FASTA_PLACE = re.compile(r":(?:((?:\d+-\d+,?)+)\(([+-])\)|((?:\d+-\d+\([+-]\),?)+)) length=")


def of_markdown(result: GenintResult, text: str) -> Places:
    """Sections come by number, so that names play no part."""
    sections = re.split(r"^### Gene (\d+)", text, flags=re.MULTILINE)
    found = {}
    for number, section in zip(sections[1::2], sections[2::2], strict=True):
        gene = result.genes[int(number) - 1]
        line = LOCUS.search(section)
        assert line, section[:200]
        found[gene.id] = place(parts_of(line[1], line[2] or ""), lengths(result)[gene.record])
    return found


NOTED = re.compile(r"(complement \()?(\d+) - (\d+)")


def of_notes(result: GenintResult, text: str) -> Places:
    """Blocks come by number, so that names play no part."""
    blocks = re.findall(r'^CDS (.+)\n +/gene="(\d+)"$', text, re.MULTILINE)
    found = {}
    for told, number in blocks:
        gene = result.genes[int(number) - 1]
        parts = [
            (int(start), int(end), "-" if reverse else "+")
            for reverse, start, end in NOTED.findall(told)
        ]
        found[gene.id] = place(parts, lengths(result)[gene.record])
    return found


def of_dark_fasta(result: GenintResult, text: str) -> Places:
    genes = {gene.id: gene for gene in result.genes}
    found = {}
    for header in re.findall(r"^>(.+)$", text, re.MULTILINE):
        name, rest = header.split(" ", 1)
        places = FASTA_PLACE.search(rest)
        assert places, header
        parts = parts_of(places[1] or places[3], places[2] or "")
        gene = genes[unquote(name)]
        found[gene.id] = place(parts, lengths(result)[gene.record])
    return found


def of_page(result: GenintResult, text: str) -> Places:
    """The data that the script of the HTML page draws from."""
    island = re.search(r'id="page-data">(.*?)</script>', text, re.DOTALL)
    assert island
    data = json.loads(island[1])
    rows = [dict(zip(data["gene_fields"], row, strict=True)) for row in data["genes"]]
    return {
        gene.id: place(
            row["parts"] or [(row["start"], row["end"], row["strand"])],
            lengths(result)[gene.record],
        )
        for gene, row in zip(result.genes, rows, strict=True)
    }


READERS: dict[str, Callable[[GenintResult, str], Places]] = {
    "json": of_json,
    "tsv": of_tsv,
    "gff3": of_gff3,
    "gff3-fasta": lambda result, text: of_gff3(result, text.partition("##FASTA\n")[0]),
    "md": of_markdown,
    "notes": of_notes,
    "dark-fasta": of_dark_fasta,
    "html": of_page,
}


def true_places(found: Interpreted) -> Places:
    """Where the genes lie in the genome itself, before any result."""
    bp = {contig.id: len(contig) for contig in found.genome.contigs}
    return {
        gene.id: place(
            (
                (*part.interval.one_based(bp[gene.contig]), part.strand.symbol)
                for part in gene.location.parts
            ),
            bp[gene.contig],
        )
        for gene in found.genome.genes
    }


def differences(found: Interpreted, name: str) -> list[str]:
    """Genes that a format puts elsewhere or leaves out."""
    expected = true_places(found)
    if name == "dark-fasta":
        shown = {gene.id for gene in found.result.genes if gene.novelty and gene.translation}
        expected = {gene: where for gene, where in expected.items() if gene in shown}
    told = READERS[name](found.result, render(found.result, name))
    return [
        f"{found.path.name} {gene} in {name}: {told.get(gene)} is not {expected.get(gene)}"
        for gene in sorted(expected.keys() | told.keys())
        if told.get(gene) != expected.get(gene)
    ]


def kinds_of(result: GenintResult) -> set[str]:
    """What of all that could go wrong is there to go wrong."""
    tests = {
        "several records": len({gene.record for gene in result.genes}) > 1,
        "over the origin": any(gene.end < gene.start for gene in result.genes),
        "joined": any(len(gene.parts) > 1 for gene in result.genes),
        "joined on -": any(len(gene.parts) > 1 and gene.strand == "-" for gene in result.genes),
        "both strands": any(on_both_strands(gene) for gene in result.genes),
        "partial": any(gene.partial for gene in result.genes),
        "pseudogene": any(gene.pseudo for gene in result.genes),
        "dark": any(gene.is_dark for gene in result.genes),
    }
    return {kind for kind, found in tests.items() if found}


def test_every_real_genome_has_the_same_places_in_every_format(real: Interpreted):
    assert [found for name in READERS for found in differences(real, name)] == []


def test_among_the_real_genomes_is_all_that_could_go_wrong(shared_data: Path):
    kinds: set[str] = set()
    for name in (
        "odd_chloroplast_NC_000932_transsplice.gb",
        "odd_cor6_6_multi.gb",
        "phiX174_NC_001422.gb",
        "REL606_fragment.gbk",
    ):
        kinds |= kinds_of(interpreted(shared_data / "genomes" / name).result)
    assert len(kinds) == 8


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("example", ["phiX174.gbk", "lambda.fasta"])
def test_the_examples_have_the_same_places_in_every_format(examples: Path, example, name):
    assert differences(interpreted(examples / example), name) == []


def test_every_format_has_a_reader_here():
    # Audit, short table and workbook hold no more than both ends of a gene; those are tested
    # with their tables. FASTA holds no places: genes are translated where it is tested. EMBL is
    # compared with GenBank, feature by feature, where it is tested; so is the feature table, which
    # has genes without their ends up to the end of the record.
    others = {
        "gbk",
        "embl",
        "tbl",
        "audit",
        "tsv-short",
        "xlsx",
        "summary",
        "overview",
        "faa",
        "ffn",
        "fna",
    }
    assert READERS.keys() | others == FORMATS.keys()


def feature_place(feature: SeqFeature, record_bp: int) -> Place:
    return place(
        (
            (int(part.start) + 1, int(part.end), "+" if part.strand == 1 else "-")
            for part in feature.location.parts
        ),
        record_bp,
    )


def genbank_differences(found: Interpreted) -> list[str]:
    """Genes that have no feature at their place in the GenBank rendering."""
    text = render(found.result, "gbk", found.original)
    places = true_places(found)
    wrong = []
    for record, read in zip(
        found.result.records, SeqIO.parse(io.StringIO(text), "genbank"), strict=True
    ):
        features = Counter(
            (feature.type, feature_place(feature, record.length))
            for feature in read.features
            if feature.type in {"CDS", "gene"}
        )
        for gene in found.result.genes:
            if gene.record != record.id:
                continue
            key = "gene" if gene.called_by is CalledBy.GENBANK_GENE else "CDS"
            wanted = (key, places[gene.id])
            if not features[wanted]:
                wrong.append(f"{gene.id}: no {key} at {wanted[1]}")
            features[wanted] -= 1
    return wrong


@pytest.mark.filterwarnings(f"ignore::{BiopythonParserWarning.__module__}.BiopythonParserWarning")
@pytest.mark.parametrize(
    "real",
    [
        "lambda_NC_001416.gb",
        "lambda_NC_001416.fasta",
        "phiX174_NC_001422.gb",
        "phiX174_J02482.gb",
        "phiX174.fasta",
        "T7_NC_001604.gb",
        "SpV4_NC_003438.fa",
        "M_mycoides_LAEX01_multi.gbff.gz",
        "odd_chloroplast_NC_000932_transsplice.gb",
        "odd_cor6_6_multi.gb",
        "odd_influA_8segments.gbff",
        "odd_ribosome_slippage.gb",
    ],
    indirect=True,
)
def test_the_genbank_rendering_has_a_feature_at_every_place(real: Interpreted):
    assert genbank_differences(real) == []


@pytest.mark.parametrize("example", ["phiX174.gbk", "lambda.fasta"])
def test_the_genbank_rendering_of_the_examples_has_every_place(examples: Path, example):
    assert genbank_differences(interpreted(examples / example)) == []


@pytest.fixture(scope="module")
def phix_called_linear(examples: Path, tmp_path_factory: pytest.TempPathFactory) -> Interpreted:
    """phiX174, whose genes A and A* run over the origin, in a record that calls itself linear."""
    text = (examples / "phiX174.gbk").read_text()
    head, rest = text.split("\n", 1)
    file = tmp_path_factory.mktemp("linear") / "phiX174_linear.gbk"
    file.write_text(f"{head.replace('circular', 'linear  ')}\n{rest}")
    return interpreted(file)


@pytest.mark.parametrize("name", READERS)
def test_a_gene_over_the_ends_of_a_linear_record_has_one_place_in_every_format(
    phix_called_linear: Interpreted, name
):
    assert differences(phix_called_linear, name) == []


def test_a_gene_over_the_ends_of_a_linear_record_never_covers_the_whole_of_it(
    phix_called_linear: Interpreted,
):
    found = phix_called_linear
    bp = found.result.records[0].length
    joined = [gene for gene in found.result.genes if gene.end < gene.start]
    assert joined
    for gene in joined:
        assert [(part.start, part.end) for part in gene.parts] == [
            (gene.start, bp),
            (1, gene.end),
        ]
    over = "over_linear_ends"
    assert len([one for one in found.result.warnings if one.code == over]) >= len(joined)
    rows = [
        line.split("\t")
        for line in render(found.result, "gff3").splitlines()
        if not line.startswith("#")
    ]
    assert all(1 <= int(row[3]) <= int(row[4]) <= bp for row in rows)
    lines = render(found.result, "tsv").splitlines()
    header, cells = lines[0].split("\t"), [line.split("\t") for line in lines[1:]]
    shown = [dict(zip(header, line, strict=True)) for line in cells]
    assert {f"{gene.start}-{bp},1-{gene.end}" for gene in joined} <= {row["parts"] for row in shown}
    assert genbank_differences(found) == []


def test_a_result_with_such_a_gene_can_be_read_again(phix_called_linear: Interpreted):
    result = phix_called_linear.result
    assert parse_result(render(result, "json").encode()) == result
