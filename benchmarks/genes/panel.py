"""Annotated genomes that gene finders are judged on, and how their annotation is put aside.

Truth is what people or reviewed records annotated. Not used: SAOMS1, microviruses100 and the
record NC_043029 (annotated by pipelines built on the gene finders that are measured), syn3A
(edited by the authors of a model), hand-made oddities. RefSeq annotates bacteria by a pipeline
of its own, so their figures say agreement rather than truth. The record of Yersinia phage 201
agrees with PHANOTATE in all 52 stops and starts, so it was evidently made with it: figures are
given with and without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from genint.formats import read_genome
from genint.model.genome import Contig, Genome, Topology

PANEL = "12 phages"
OTHERS = "others"
BACTERIA = "bacteria"
MADE_WITH_A_FINDER = "Yersinia201"
"""A genome whose record was evidently made with one of the gene finders that are measured."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A genome of the bench.

    Attributes:
        name: For tables.
        file: In the folder of genomes.
        pool: Genomes whose figures are summed up.
        relative: File of a near relative that parameters are fitted on; empty where it is
            fitted on itself, or is like none of them.
    """

    name: str
    file: str
    pool: str
    relative: str = ""


_E_COLI = "E_coli_K12_MG1655_NC_000913.gbk.gz"
GENOMES = (
    Listed("lambda", "lambda_NC_001416.gb", PANEL),
    Listed("T7", "T7_NC_001604.gb", PANEL),
    Listed("phiX174", "phiX174_NC_001422.gb", PANEL),
    Listed("DE3", "DE3_EU078592.gbk", PANEL),
    Listed("VT2Sakai", "VT2Sakai_NC_000902.gbk", PANEL),
    Listed("L5", "L5_Z18946.gb", PANEL),
    Listed("phageK", "phageK_NC_005880.gbk", PANEL),
    Listed("B3", "B3_NC_006548.gbk", PANEL),
    Listed("SodalisSO1", "SodalisSO1_NC_013600.gbk", PANEL),
    Listed("Yersinia201", "Yersinia201_16_NC_070914.gbk", PANEL),
    Listed("Apostate", "AcinetobacterApostate_NC_049491.gbk", PANEL),
    Listed("SMA6", "SMA6_HG315669.gbk", PANEL),
    # Annotated by people of a phage centre, one gene at a time.
    Listed("Shady", "odd_shady_nonascii.gbk", OTHERS),
    Listed("Moonbeam", "odd_split_feature_no_translation.gbk", OTHERS),
    # A plasmid, and a piece of a chromosome.
    Listed("pPCP1", "odd_NC_005816.gb", OTHERS),
    Listed("REL606 part", "REL606_fragment.gbk", OTHERS, _E_COLI),
    Listed("E_coli", _E_COLI, BACTERIA),
    Listed("S_pyogenes", "S_pyogenes_M1_NC_002737.gb.gz", BACTERIA),
    Listed("M_mycoides", "M_mycoides_GM12_NZ_CP001668.gbff.gz", BACTERIA),
)
QUICK = ("lambda", "T7", "phiX174", "B3")


@dataclass(frozen=True, slots=True)
class Subject:
    """A genome to be searched.

    Attributes:
        listed: Where it comes from; of a decoy, what it was made from.
        annotated: The record, with its genes.
        bare: All that gene finders get: bases and shape.
    """

    listed: Listed
    annotated: Genome
    bare: Genome

    @property
    def name(self) -> str:
        """For tables."""
        return self.listed.name


def chosen(*, bacteria: bool, quick: bool) -> tuple[Listed, ...]:
    """The genomes that options ask for."""
    if quick:
        return tuple(one for one in GENOMES if one.name in QUICK)
    return tuple(one for one in GENOMES if bacteria or one.pool != BACTERIA)


def read(listed: Iterable[Listed], folder: Path) -> Iterator[Subject]:
    """Read records and put their annotation aside."""
    for one in listed:
        annotated = read_genome(folder / one.file)
        yield Subject(one, annotated, without_genes(annotated))


def missing(listed: Iterable[Listed], folder: Path) -> tuple[str, ...]:
    """Files that are not there."""
    return tuple(one.file for one in listed if not (folder / one.file).is_file())


def without_genes(genome: Genome) -> Genome:
    """The same bases in the same shape, and nothing that the record says of them."""
    return replace(genome, contigs=tuple(map(_bare, genome.contigs)))


def _bare(contig: Contig) -> Contig:
    return Contig(
        id=contig.id,
        bases=contig.bases,
        topology=contig.topology,
        topology_stated=contig.topology_stated,
    )


def in_shape(genome: Genome, topology: Topology | None) -> Genome:
    """All contigs as the file would have them: a line, a circle, or None for no word of it."""
    shape = Topology.LINEAR if topology is None else topology
    contigs = (
        replace(contig, topology=shape, topology_stated=topology is not None)
        for contig in genome.contigs
    )
    return replace(genome, contigs=tuple(contigs))
