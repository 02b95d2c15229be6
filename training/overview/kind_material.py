"""Pieces of phages and of bacteria without their prophages, and what their genes look like.

Read from JSON results of genomes whose annotations were hidden; kept in ``kind_pieces.tsv``, so
that a test can fit anew. Families that have their name from proteins of the same genome alone
are hidden.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from genint.formats import read_genome
from genint.knowledge.own_families import FamilyPack, OwnFamilyTable, load_own_families
from genint.knowledge.prophages import GeneLook, Recognised, Task
from genint.knowledge.record_kinds import KindTraits, traits_of
from genint.model.evidence import residues_digest
from genint.model.interval import Interval
from genint.model.vocabulary import Category

PIECES = Path(__file__).with_name("kind_pieces.tsv")
SIZES_BP: Final = (5_000, 20_000, 50_000)
_LEAST_GENES: Final = 3
_DIGITS: Final = 8
_FLANK_BP: Final = 5_000
_STEP: Final = {5_000: 40_000, 20_000: 40_000, 50_000: 100_000}
"""Of bacteria, a piece of each size begins every so many bases."""
BACTERIA: Final = {
    "Brucella_melitensis_16M": "Brucella",
    "Neisseria_meningitidis_MC58": "Neisseria",
    "Paracoccus_sp_SCN_68-21": "Paracoccus",
    "Shigella_flexneri_2a_str_301": "Escherichia",
    "Streptococcus_pyogenes_M1_GAS": "Streptococcus",
    "Streptococcus_pyogenes_MGAS315": "Streptococcus",
}
"""File of which prophages are known -> group that is left out together."""
PHAGES: Final = {
    "lambda_NC_001416": "lambdoid phages",
    "DE3_EU078592": "lambdoid phages",
    "VT2Sakai_NC_000902": "lambdoid phages",
    "SAOMS1_MW460250": "Kayvirus",
    "phageK_NC_005880": "Kayvirus",
    "phiX174_NC_001422": "Microviridae",
    "microviruses100_pharokka": "Microviridae",
    "SpV4_NC_003438": "Microviridae",
    "AcinetobacterApostate_NC_049491": "Apostate",
    "B3_NC_006548": "B3",
    "L5_Z18946": "L5",
    "SodalisSO1_NC_013600": "SO1",
    "T7_NC_001604": "T7",
    "Yersinia201_16_NC_070914": "201",
    "crAss_BK025033": "crAss",
    "SMA6_HG315669": "SMA6",
    "table4_phage_SRR1747055_scaffold7": "SRR1747055",
}
_HEAD = """\
# Pieces of phages and of bacteria without prophages, and shares of their genes. Measured, not
# written by hand: python -m training.overview.record_kinds --results FOLDER
"""


class Piece(NamedTuple):
    """Genes that lie in a stretch of a genome.

    Attributes:
        group: What is left out together.
        is_phage: Its kind.
        size_bp: Length of the piece, about.
        place: Record and first base.
        traits: Of its genes.
    """

    group: str
    is_phage: bool
    size_bp: int
    place: str
    traits: KindTraits


def read_pieces(results: Path, data: Path) -> tuple[Piece, ...]:
    """All pieces of all genomes; the same results give the same ones. Cost: 1 min."""
    families = load_own_families()
    found: list[Piece] = []
    for name, group in PHAGES.items():
        found += _pieces(name, group, results, families, {})
    for name, group in BACTERIA.items():
        file = data / "genomes" / "prophages" / f"{name}.gb.gz"
        found += _pieces(name, group, results, families, _prophages(file))
    return tuple(found)


def _prophages(file: Path) -> dict[str, list[Interval]]:
    """By record: marked genes, with what lies around them."""
    return {
        contig.id: [
            Interval(max(gene.span.start - _FLANK_BP, 0), gene.span.end + _FLANK_BP)
            for gene in contig.genes
            if any(value not in ("", "0") for value in gene.values("is_phage"))
        ]
        for contig in read_genome(file).contigs
    }


def _pieces(
    name: str,
    group: str,
    results: Path,
    families: OwnFamilyTable,
    prophages: Mapping[str, Sequence[Interval]],
) -> Iterator[Piece]:
    is_phage = name in PHAGES
    read = json.loads((results / f"{name}_report.json").read_text(encoding="utf-8"))
    own = {residues_digest(gene["translation"])[:_DIGITS] for gene in read["genes"]}
    by_record: dict[str, list[dict[str, Any]]] = {}
    for gene in read["genes"]:
        by_record.setdefault(gene["record"], []).append(gene)
    for record, genes in by_record.items():
        genes.sort(key=lambda gene: (gene["start"], gene["end"]))
        looks = _looks(genes, families, own)
        end_bp = max(gene["end"] for gene in genes)
        starts = [gene["start"] - 1 for gene in genes]
        ends = [gene["end"] for gene in genes]
        for size_bp in SIZES_BP:
            step_bp = size_bp if is_phage else _STEP[size_bp]
            least_bp = 0 if size_bp == SIZES_BP[0] else size_bp // 2
            for start in range(0, max(end_bp - size_bp // 2, least_bp < end_bp), step_bp):
                piece = Interval(start, start + size_bp)
                if any(piece.overlap_bp(one) for one in prophages.get(record, ())):
                    continue
                inside = [
                    look
                    for look, first, last in zip(looks, starts, ends, strict=True)
                    if piece.start <= first and last <= piece.end
                ]
                if len(inside) >= _LEAST_GENES:
                    place = f"{record}:{start + 1}"
                    yield Piece(group, is_phage, size_bp, place, traits_of(inside))


def _looks(
    genes: Sequence[Mapping[str, Any]], families: OwnFamilyTable, own: set[str]
) -> list[GeneLook]:
    found: list[GeneLook] = []
    before: Mapping[str, Any] | None = None
    for gene in genes:
        task, by = _task_and_recognition(gene, families, own)
        turns = before is not None and before["strand"] != gene["strand"]
        apart = before is not None and gene["start"] - 1 - before["end"] > 100
        found.append(GeneLook(task, by, gene["length_aa"], turns, apart))
        before = gene
    return found


def _task_and_recognition(
    gene: Mapping[str, Any], families: OwnFamilyTable, own: set[str]
) -> tuple[Task, Recognised]:
    category = Category(gene["category"]) if gene["category"] else None
    matches = [item for item in gene["evidence"] if item["source"] == "genint_family"]
    shown = [item for item in matches if not _is_of(families, item["accession"], own)]
    has_pfam = any(item["source"] == "pfam" for item in gene["evidence"])
    if shown:
        best = max(shown, key=lambda item: float(item["bits"]))
        is_phage = families[best["accession"]].pack is FamilyPack.PHAGE
        by = Recognised.PHAGE_FAMILY if is_phage else Recognised.BACTERIAL_FAMILY
        return Task.of(category), by
    if has_pfam:
        return Task.of(category), Recognised.PFAM
    return (Task.UNKNOWN if matches else Task.of(category)), Recognised.NOTHING


def _is_of(families: OwnFamilyTable, accession: str, own: set[str]) -> bool:
    """Whether all that carry the name of a family are proteins of the genome itself."""
    text = families.agreeing.get(accession, "")
    members = {text[at : at + _DIGITS] for at in range(0, len(text), _DIGITS)}
    return members <= own


def table_of(pieces: Sequence[Piece]) -> str:
    """The text of ``kind_pieces.tsv``."""
    rows: list[tuple[str, ...]] = [("group", "is_phage", "size_bp", "place", *KindTraits._fields)]
    rows += [
        (
            *(one.group, f"{one.is_phage:d}", f"{one.size_bp}", one.place),
            *map(_short, one.traits),
        )
        for one in pieces
    ]
    return _HEAD + "".join("\t".join(row) + "\n" for row in rows)


def _short(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")


def read_table(text: str) -> tuple[Piece, ...]:
    """The pieces of such a table; ValueError where a value is no number."""
    rows = [line.split("\t") for line in text.splitlines() if line[:1] != "#"][1:]
    return tuple(
        Piece(
            *(group, is_phage == "1", int(size_bp), place),
            KindTraits(*map(float, values)),
        )
        for group, is_phage, size_bp, place, *values in rows
    )
