"""Peptides of mass spectrometry: which genes they are of, which starts and new genes they show.

A peptide that only one place of the genome encodes and that lies before the start of a predicted
gene, in its frame, moves the start; one that begins with the first residue of a protein settles
it. Peptides in a frame that is no gene speak for that frame: each multiplies its odds as its false
discovery rate allows. Genes of the user's file stay as they are; remarks say what peptides show.

Leucine and isoleucine have one mass, so that they are one residue here.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from genint.genes.calls import Candidate, ContigCalls, GeneCalls
from genint.genes.orf_features import NESTED_SHARE
from genint.genes.prodigal import Integers
from genint.model.genome import CalledBy, Contig, Gene, GenePeptide, Genome, ReadWarning, Topology
from genint.model.imported import ReadPeptide
from genint.model.interval import Interval, Location, Strand
from genint.model.rescue import RescueKind, RescueTerm
from genint.model.sequence import START_CODONS, reverse_complement, translate, translate_cds

_SEED_AA: Final = 7
"""Residues by which places are looked up: no peptide is shorter."""
_ODDS_OF_A_FRAME: Final = math.log(144 / 20_691)
"""Of 20,835 frames of 60 bases and more that gene finders leave out in 24 genomes 144 are genes."""
_ODDS_OF_A_PEPTIDE: Final = math.log(0.99 / 0.01)
"""Peptides are reported at a false discovery rate of 1 %."""
_MOST_COUNTED: Final = 3
_OVER_ORIGIN_BP: Final = 30_000
"""Behind the origin of a circle: longer than the genes of phages and nearly all of bacteria."""
_THRESHOLD: Final = 0.5
_STANDARD_CODE: Final = 11
_IDS_IN_A_GAP: Final = 9
_SHOWN: Final = 3
_MASSES: Final = str.maketrans("I", "L")
REMARK: Final = "peptides_beside_genes"
"""Code of the remark on what peptides show of genes that stay as they are."""


class Place(NamedTuple):
    """Where a contig encodes a peptide.

    Attributes:
        peptide: That was seen.
        strand: It is read from.
        start: First base in reading direction, 0-based on that strand.
        stop: Behind the stop codon of its frame, likewise; None where the contig ends before.
        opening: First base behind the stop codon in front of it, likewise.
        is_initial: Its first residue is read from a start codon that elsewhere is no methionine,
            or carries a group that only first residues carry.
    """

    peptide: ReadPeptide
    strand: Strand
    start: int
    stop: int | None
    opening: int
    is_initial: bool = False


@dataclass(frozen=True, slots=True)
class PlacedPeptides:
    """The peptides of an experiment on a genome.

    Attributes:
        places: By contig, only of peptides that one place of the genome encodes.
        encoded: All peptides that any place encodes.
    """

    places: Mapping[str, tuple[Place, ...]]
    encoded: frozenset[str]


def place(contigs: Sequence[Contig], peptides: Iterable[ReadPeptide]) -> PlacedPeptides:
    """Find what encodes each peptide, on both strands of all contigs.

    Args:
        contigs: With topology, and genetic code where it is known.
        peptides: At least seven residues each.

    Cost: 1 us a base.
    """
    seeds: defaultdict[str, list[ReadPeptide]] = defaultdict(list)
    for peptide in peptides:
        seeds[_bare(peptide.residues)[:_SEED_AA]].append(peptide)
        if peptide.residues.startswith("M") and len(peptide.residues) > _SEED_AA:
            # The first codon may be GTG or TTG, which is another residue elsewhere.
            seeds[_bare(peptide.residues)[1 : _SEED_AA + 1]].append(peptide)
    found: defaultdict[str, dict[tuple[str, Strand, int], tuple[str, Place]]] = defaultdict(dict)
    for contig in contigs:
        for one in _places(contig, seeds):
            key = (contig.id, one.strand, one.start)
            found[one.peptide.residues].setdefault(key, (contig.id, one))
    unique: defaultdict[str, list[Place]] = defaultdict(list)
    for places in found.values():
        if len(places) == 1:
            [(contig_id, one)] = places.values()
            unique[contig_id].append(one)
    places_of = {name: tuple(places) for name, places in unique.items()}
    return PlacedPeptides(places_of, frozenset(found))


def _bare(residues: str) -> str:
    return residues.translate(_MASSES)


def _places(contig: Contig, seeds: Mapping[str, Sequence[ReadPeptide]]) -> Iterator[Place]:
    length_bp, table = len(contig), _code_of(contig)
    wanted = np.unique([_numbers(seed)[0] for seed in seeds])
    circular = contig.topology is Topology.CIRCULAR
    for strand in Strand:
        bases = contig.bases if strand is Strand.FORWARD else reverse_complement(contig.bases)
        text = _unrolled(bases) if circular else bases
        for frame in range(3):
            residues = _bare(translate(text[frame:], table))
            for at in _seeded(residues, wanted):
                for peptide in seeds.get(residues[at : at + _SEED_AA], ()):
                    one = _place_at(peptide, residues, at, text, frame)
                    if one is not None and one.start < length_bp:
                        yield one._replace(strand=strand)


def _unrolled(bases: str) -> str:
    """A circle as a line that goes on behind its origin, so that frames over it are whole."""
    return bases + bases[:_OVER_ORIGIN_BP]


def _seeded(residues: str, wanted: Integers) -> Iterator[int]:
    """Where seeds begin; verified by who looks them up, since a few letters share a number."""
    if len(residues) < _SEED_AA or not len(wanted):
        return
    numbers = _numbers(residues)
    nearest = wanted[np.minimum(np.searchsorted(wanted, numbers), len(wanted) - 1)]
    yield from np.flatnonzero(nearest == numbers).tolist()


def _numbers(residues: str) -> Integers:
    """Of every stretch of seven residues, five bits of each letter."""
    letters = np.frombuffer(residues.encode("ascii"), np.uint8).astype(np.int64) & 31
    places = len(letters) - _SEED_AA + 1
    numbers = np.zeros(places, np.int64)
    for at in range(_SEED_AA):
        numbers = (numbers << 5) | letters[at : at + places]
    return numbers


def _place_at(peptide: ReadPeptide, residues: str, at: int, text: str, frame: int) -> Place | None:
    """The place of a peptide whose first or second residue is at ``at``; None where it differs."""
    wanted, first, is_initial = _bare(peptide.residues), at, peptide.is_n_terminal
    if not residues.startswith(wanted, at):
        first = at - 1
        codon = text[frame + 3 * first : frame + 3 * at] if first >= 0 else ""
        if wanted[0] != "M" or codon not in START_CODONS or codon == "ATG":
            return None
        if not residues.startswith(wanted[1:], at):
            return None
        is_initial = True
    before = residues.rfind("*", 0, first)
    behind = residues.find("*", first)
    return Place(
        peptide,
        Strand.FORWARD,
        frame + 3 * first,
        frame + 3 * behind + 3 if behind >= 0 else None,
        frame + 3 * (before + 1),
        is_initial,
    )


def _code_of(contig: Contig) -> int:
    calling = contig.calling
    if calling is not None:
        return calling.translation_table
    return contig.translation_table or _STANDARD_CODE


def with_peptides(calls: GeneCalls, peptides: Sequence[ReadPeptide]) -> GeneCalls:
    """Move starts of base calls, and propose the frames that peptides show.

    Args:
        calls: Base calls and candidates.
        peptides: Of any experiments.

    Returns:
        Base calls with the starts that peptides show, each with a note; frames that peptides lie in
        as candidates, which become genes where all that is known makes that likely.

    Cost: see :func:`place`.
    """
    placed = place([one.contig for one in calls.contigs], peptides)
    contigs = tuple(_on_contig(one, placed.places.get(one.contig.id, ())) for one in calls.contigs)
    return replace(calls, contigs=contigs)


def _on_contig(calls: ContigCalls, places: Sequence[Place]) -> ContigCalls:
    contig = calls.contig
    frames = _by_frame(places, contig)
    called = {_end(gene, contig): gene for gene in contig.genes}
    moved = {
        gene.id: found
        for end, gene in called.items()
        if end in frames and (found := _with_start(gene, contig, frames[end])) is not None
    }
    genes = tuple(moved.get(gene.id, gene) for gene in contig.genes)
    contig = replace(contig, genes=genes)
    candidates = {_end(one.gene, contig): one for one in calls.candidates}
    taken = {gene.id for gene in genes} | {one.gene.id for one in calls.candidates}
    kept = [one for one in calls.candidates if _end(one.gene, contig) not in frames]
    new: list[Candidate] = []
    for end in sorted(frames.keys() - called.keys(), key=lambda key: (key[0].symbol, key[1])):
        candidate = _candidate(contig, frames[end], candidates.get(end), taken)
        if candidate is not None:
            taken.add(candidate.gene.id)
            new.append(candidate)
    kept += [one for one in calls.candidates if _end(one.gene, contig) in called.keys() & frames]
    untouched = (one for one in calls.starts if one.value.gene_id not in moved)
    order = sorted((*kept, *new), key=lambda one: (one.gene.span.start, one.gene.id))
    return replace(calls, contig=contig, candidates=tuple(order), starts=tuple(untouched))


def _by_frame(
    places: Iterable[Place], contig: Contig
) -> Mapping[tuple[Strand, int], Sequence[Place]]:
    """Places by the strand and the end of the frame that they lie in; none without a stop codon."""
    frames: defaultdict[tuple[Strand, int], list[Place]] = defaultdict(list)
    for one in places:
        if one.stop is not None:
            frames[one.strand, one.stop % len(contig)].append(one)
    return dict(frames)


def _end(gene: Gene, contig: Contig) -> tuple[Strand, int]:
    """Strand and end of a gene, counted along that strand: what its starts have in common."""
    length_bp, span = len(contig), gene.span
    base = span.end if gene.strand is Strand.FORWARD else length_bp - span.start
    return gene.strand, base % length_bp


def _first_base(gene: Gene, contig: Contig) -> int:
    """First base of a gene along its strand."""
    span = gene.span
    base = span.start if gene.strand is Strand.FORWARD else len(contig) - span.end
    return base % len(contig)


class _Start(NamedTuple):
    """A start that peptides show: its base along the strand, and why."""

    base: int
    reason: str
    is_settled: bool = False


def _with_start(gene: Gene, contig: Contig, places: Sequence[Place]) -> Gene | None:
    """A base call with the start that peptides show; None where they fit the one it has."""
    if gene.location.partial_5:
        return None
    start = _start_of(places, contig)
    if start is None:
        return None
    stop = places[0].stop or 0
    length_bp = (stop - _first_base(gene, contig)) % len(contig)
    shift_bp = (stop - start.base) - length_bp
    if shift_bp == 0 or (shift_bp < 0 and not start.is_settled):
        return None
    moved = _gene_at(gene, contig, start.base, stop)
    way = "upstream" if shift_bp > 0 else "downstream"
    codons = abs(shift_bp) // 3
    return replace(
        moved,
        scores=None,
        note=f"The start is {codons} codon{'s' if codons > 1 else ''} {way} of the one that"
        f" {gene.called_by.value} predicts: {start.reason}.",
    )


def _start_of(places: Sequence[Place], contig: Contig) -> _Start | None:
    """The start of a frame: that of a peptide that begins a protein, else the next one before all.

    None where no start codon lies between the stop codon in front and the first peptide.
    """
    first = min(places, key=lambda one: one.start)
    text = contig.bases if first.strand is Strand.FORWARD else reverse_complement(contig.bases)
    text = _unrolled(text) if contig.topology is Topology.CIRCULAR else text
    name = first.peptide.residues
    if first.is_initial:
        for base in (first.start, first.start - 3):  # the methionine itself may be cleaved off
            if base >= first.opening and text[base : base + 3] in START_CODONS:
                reason = f"the peptide {name} begins with the first residue of a protein"
                return _Start(base, reason, is_settled=True)
    starts = [
        base
        for base in range(first.start, first.opening - 1, -3)
        if text[base : base + 3] in START_CODONS
    ]
    if not starts:
        return None
    return _Start(starts[0], f"mass spectrometry saw the peptide {name}, which lies before it")


def _gene_at(gene: Gene, contig: Contig, start: int, stop: int) -> Gene:
    """The gene of a frame from a start on."""
    length_bp = len(contig)
    if gene.strand is Strand.FORWARD:
        interval = Interval(start % length_bp, start % length_bp + stop - start)
    else:
        low = (length_bp - stop) % length_bp
        interval = Interval(low, low + stop - start)
    placed = replace(gene, location=Location.simple(interval, gene.strand))
    protein = translate_cds(contig.coding_bases(placed), gene.translation_table)
    return replace(placed, protein=protein)


def _candidate(
    contig: Contig, places: Sequence[Place], known: Candidate | None, taken: set[str]
) -> Candidate | None:
    """The frame of some peptides as a candidate; None where it has no start codon."""
    start = _start_of(places, contig)
    stop = places[0].stop
    if start is None or stop is None:
        return None
    term = _term(places)
    if known is not None:
        gene, length_bp = known.gene, (stop - _first_base(known.gene, contig)) % len(contig)
        if stop - start.base > length_bp or start.is_settled:
            gene = replace(_gene_at(gene, contig, start.base, stop), scores=None)
        return replace(known, gene=gene, terms=(*known.terms, term), has_peptides=True)
    blank = Gene(
        id="",
        contig=contig.id,
        location=Location.simple(Interval(0, 3), places[0].strand),
        protein="",
        translation_table=_code_of(contig),
        called_by=CalledBy.GENINT_NESTED,
    )
    gene = _gene_at(blank, contig, start.base, stop)
    host, overlap = _host(gene, contig)
    gene_id = _free_id(gene, contig, taken)
    if gene_id is None:
        return None
    kind = RescueKind.OVERLAPPING if overlap else RescueKind.INTERGENIC
    kind = RescueKind.NESTED if overlap >= NESTED_SHARE else kind
    prior = RescueTerm("a frame that the gene finder leaves out", _ODDS_OF_A_FRAME)
    return Candidate(
        gene=replace(gene, id=gene_id),
        kind=kind,
        terms=(prior, term),
        threshold=_THRESHOLD,
        host_id=host.id if host else None,
        host_overlap=overlap,
        same_strand=host is None or host.strand is gene.strand,
        has_peptides=True,
    )


def _term(places: Sequence[Place]) -> RescueTerm:
    """What the peptides of a frame add; those inside another one are no further sight of it."""
    names = sorted({one.peptide.residues for one in places}, key=lambda name: (-len(name), name))
    apart = [
        name
        for at, name in enumerate(names)
        if not any(_bare(name) in _bare(longer) for longer in names[:at])
    ]
    counted = min(len(apart), _MOST_COUNTED)
    shown = ", ".join(apart[:_SHOWN]) + (f" and {len(apart) - _SHOWN} more" * (len(apart) > _SHOWN))
    noun = "peptide" if len(apart) == 1 else "peptides"
    reason = f"mass spectrometry saw {len(apart)} {noun} that nothing else encodes ({shown})"
    return RescueTerm(reason, round(counted * _ODDS_OF_A_PEPTIDE, 3))


def _host(gene: Gene, contig: Contig) -> tuple[Gene | None, float]:
    """The base call that a frame shares most bases with, and which share of its own."""
    span, length_bp = gene.span, len(contig)
    shared = [(span.overlap_on_circle_bp(one.span, length_bp), one) for one in contig.genes]
    most_bp, host = max(shared, key=lambda pair: pair[0], default=(0, None))
    return (host, most_bp / len(span)) if most_bp else (None, 0.0)


def _free_id(gene: Gene, contig: Contig, taken: set[str]) -> str | None:
    """A free number in the gap behind the last base call that starts before a frame."""
    before = [one for one in contig.genes if one.span.start <= gene.span.start]
    anchor = before[-1] if before else next(iter(contig.genes), None)
    if anchor is None:
        return f"{contig.id}_00001"
    stem, _, number = anchor.id.rpartition("_")
    base = int(number) if before else int(number) - _IDS_IN_A_GAP - 1
    numbers = (base + rank for rank in range(1, _IDS_IN_A_GAP + 1))
    ids = (f"{stem}_{one:0{len(number)}d}" for one in numbers if one > 0)
    return next((one for one in ids if one not in taken), None)


def with_seen_peptides(
    genome: Genome, peptides: Sequence[ReadPeptide], *, are_fixed: bool
) -> Genome:
    """The genome with the peptides of each gene, and remarks on what they show beside genes.

    Args:
        genome: With its final genes.
        peptides: Of any experiments.
        are_fixed: The genes are those of the file, which stay as they are.

    Cost: see :func:`place`.
    """
    if not peptides:
        return genome
    placed = place(genome.contigs, peptides)
    contigs = tuple(_with_peptides_of(contig, placed) for contig in genome.contigs)
    unplaced = sum(one.residues not in placed.encoded for one in peptides)
    remarks = []
    if unplaced:
        verb = "is" if unplaced == 1 else "are"
        what = f"{unplaced:,} of {len(peptides):,} peptides {verb} encoded nowhere in this genome"
        remarks.append(f"{what}.")
    if are_fixed:
        remarks += [text for contig in contigs for text in _remarks(contig, placed)]
    warnings = tuple(ReadWarning(REMARK, text) for text in remarks)
    return replace(genome, contigs=contigs, warnings=(*genome.warnings, *warnings))


def _with_peptides_of(contig: Contig, placed: PlacedPeptides) -> Contig:
    """The contig with the peptides that lie in each of its proteins."""
    frames = _by_frame(placed.places.get(contig.id, ()), contig)
    genes = (
        replace(gene, peptides=_peptides_of(gene, frames[end]))
        if (end := _end(gene, contig)) in frames
        else gene
        for gene in contig.genes
    )
    return replace(contig, genes=tuple(genes))


def _peptides_of(gene: Gene, places: Sequence[Place]) -> tuple[GenePeptide, ...]:
    protein = _bare(gene.protein)
    found = []
    for one in places:
        residues = one.peptide.residues
        at = protein.find(_bare(residues))
        if at >= 0:
            begins = one.is_initial and at <= 1
            last = at + len(residues)
            found.append(GenePeptide(residues, at + 1, last, one.peptide.spectra, begins))
    return tuple(sorted(found, key=lambda one: (one.first, one.last)))


def _remarks(contig: Contig, placed: PlacedPeptides) -> Iterator[str]:
    """What peptides show of genes of the file, which stay as they are."""
    frames = _by_frame(placed.places.get(contig.id, ()), contig)
    called = {_end(gene, contig): gene for gene in contig.genes}
    for end, places in frames.items():
        first = min(places, key=lambda one: one.start)
        gene, name = called.get(end), first.peptide.residues
        strand = end[0].symbol
        if gene is None:
            base = first.start + 1 if end[0] is Strand.FORWARD else len(contig) - first.start
            yield (
                f"{contig.id}, base {base}({strand}): mass spectrometry saw {len(places)} peptide"
                f"{'s' if len(places) > 1 else ''} ({name}) in a frame that is no gene of the file."
            )
        elif _bare(name) not in _bare(gene.protein) and not gene.location.partial_5:
            yield (
                f"{gene.id}: mass spectrometry saw the peptide {name}, which lies before the start"
                " that the file gives."
            )
