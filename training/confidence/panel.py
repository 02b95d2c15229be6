"""The genomes that the model is fitted and judged on, with what their records say.

Their annotation is taken off: what is kept of it is the truth that names are judged by.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from genint.formats import read_genome
from genint.formats.proteins import read_proteins
from genint.knowledge.name_comparison import is_informative
from genint.knowledge.products import ProductVocabulary
from genint.model.evidence import Evidence
from genint.model.genome import CalledBy, Contig, FileFormat, Gene, Genome, GenomeSource
from genint.model.interval import Interval, Location, Strand
from genint.model.vocabulary import GenomeKind
from genint.sources import annotation
from training.families.corpus import sequence_hash
from training.families.inputs import Input, Reader
from training.families.readers import Reading, read_all, record_id
from training.families.values import Corpus, Lineage, Origin

PANEL = Path(__file__).with_name("panel.toml")
FOLDS = 2
"""Builds of families that each hide the groups of one fold."""
_GAP_BP = 50
"""Between genes of a record whose coordinates are not known."""
_CODON_BP = 3
_SYMBOL = re.compile(r"[a-z]{3}[A-Z]\d?")
"""Of a gene of a bacterium."""
_UNKNOWN_SYMBOL = re.compile(r"y[a-z]{2}[A-Z]\d?")
"""Of one whose function was not known when it was named."""
_CODE = 11


class Truth(NamedTuple):
    """What is known of a gene by people.

    Attributes:
        product: Of the record, as written; empty where it says nothing.
        telling: Whether it says something of the function.
        curated: Swiss-Prot's names among the others.
        others: Other names of the same protein: the record's with the gene symbol, and
            Swiss-Prot's of the same sequence. Records differ in age and wording.
    """

    product: str
    telling: bool
    others: tuple[str, ...] = ()
    curated: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All of them, the record's first."""
        return (self.product, *self.others)


@dataclass(frozen=True, slots=True)
class PanelGenome:
    """A genome without its annotation, and the truth by gene id.

    Attributes:
        name: Short name.
        kind: Phage or bacterium.
        records: Ids of its records as the training corpus has them.
        genome: Its genes as the record places them, without a word on their function.
        truth: By gene id.
        stated: What the record says of a gene, as evidence: to judge records by curated names.
        placed: Whether coordinates and strands are those of the record.
    """

    name: str
    kind: GenomeKind
    records: tuple[str, ...]
    genome: Genome
    truth: Mapping[str, Truth]
    stated: Mapping[str, Evidence]
    placed: bool = True

    @property
    def proteins(self) -> tuple[str, ...]:
        """Residues of its genes, in order."""
        return tuple(gene.protein for gene in self.genome.genes)


@dataclass(frozen=True, slots=True)
class Group:
    """Genomes that are left out together.

    Attributes:
        name: Of the group.
        genomes: Near relatives among them are in no other group.
        fold: Number of the build of families that knows nothing of it, nor of the others in
            its fold.
    """

    name: str
    genomes: tuple[PanelGenome, ...]
    fold: int = 1

    @property
    def slug(self) -> str:
        """Name for files."""
        return slug_of(self.name)


def slug_of(group: str) -> str:
    """Name of a group for files."""
    return group.lower().replace(" ", "_")


def read_panel(
    data: Path,
    vocabulary: ProductVocabulary,
    path: Path = PANEL,
    kinds: Container[GenomeKind] = frozenset(GenomeKind),
) -> tuple[Group, ...]:
    """The groups of annotated genomes, without those of training records.

    Args:
        data: The data folder.
        vocabulary: Tells which names say something.
        path: The table of groups.
        kinds: Groups of other kinds are not read.
    """
    return tuple(
        _group(entry, data, vocabulary)
        for entry in _table(path)["group"]
        if GenomeKind(entry["kind"]) in kinds
    )


def _table(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _group(entry: Mapping[str, Any], data: Path, vocabulary: ProductVocabulary) -> Group:
    kind = GenomeKind(entry["kind"])
    genomes = [
        _annotated(name, data / "genomes" / file, kind, vocabulary)
        for name, file in entry["genomes"].items()
    ]
    genomes += [
        _proteome(name, data / file, kind, vocabulary)
        for name, file in entry.get("proteins", {}).items()
    ]
    return Group(entry["name"], tuple(genomes), entry.get("fold", 1))


def _annotated(
    name: str, path: Path, kind: GenomeKind, vocabulary: ProductVocabulary
) -> PanelGenome:
    genome = read_genome(path)
    truth = {
        gene.id: _truth(gene.product or "", vocabulary, _with_symbol(gene)) for gene in genome.genes
    }
    contigs = tuple(
        replace(contig, genes=tuple(_bare(gene) for gene in contig.genes if not gene.pseudo))
        for contig in genome.contigs
    )
    records = tuple(record_id(contig.id) for contig in genome.contigs)
    stated = {item.gene_id: item for item in annotation.observe(genome.genes, vocabulary)}
    return PanelGenome(name, kind, records, replace(genome, contigs=contigs), truth, stated)


def _bare(gene: Gene) -> Gene:
    """A gene without what its record says of it."""
    return replace(
        gene, product=None, symbol=None, locus_tag=None, protein_id=None, qualifiers=(), note=None
    )


def _proteome(
    name: str, path: Path, kind: GenomeKind, vocabulary: ProductVocabulary
) -> PanelGenome:
    proteins = [
        (one.entry.accession, one.residues, one.entry.name)
        for one in read_proteins(path.read_bytes(), path.name)
    ]
    return _in_a_row(name, kind, (), proteins, vocabulary)


def _in_a_row(
    name: str,
    kind: GenomeKind,
    records: tuple[str, ...],
    proteins: Iterable[tuple[str, str, str]],
    vocabulary: ProductVocabulary,
) -> PanelGenome:
    """A genome of which only the proteins and their order are known."""
    genes, truth, at = [], {}, 0
    for accession, residues, product in proteins:
        if accession in truth:
            continue
        end = at + _CODON_BP * (len(residues) + 1)
        place = Location.simple(Interval(at, end), Strand.FORWARD)
        gene = Gene(accession, name, place, residues, _CODE, CalledBy.GENBANK, product=product)
        genes.append(gene)
        truth[accession] = _truth(product, vocabulary)
        at = end + _GAP_BP
    stated = {item.gene_id: item for item in annotation.observe(genes, vocabulary)}
    contig = Contig(id=name, bases="N" * at, genes=tuple(map(_bare, genes)))
    source = GenomeSource(filename=name, sha256="", format=FileFormat.FASTA)
    return PanelGenome(name, kind, records, Genome((contig,), source), truth, stated, placed=False)


def _truth(product: str, vocabulary: ProductVocabulary, others: tuple[str, ...] = ()) -> Truth:
    return Truth(product, bool(product) and is_informative(product, vocabulary), others)


def _with_symbol(gene: Gene) -> tuple[str, ...]:
    """The product with the gene symbol behind it, as newer records word it."""
    symbol = gene.symbol or ""
    if not gene.product or not _SYMBOL.fullmatch(symbol) or _UNKNOWN_SYMBOL.fullmatch(symbol):
        return ()
    return (f"{gene.product} {symbol[0].upper()}{symbol[1:]}",)


def with_curated_names(group: Group, corpus: Corpus) -> Group:
    """The group, with Swiss-Prot's names of the very same proteins beside those of the record."""
    return replace(group, genomes=tuple(_curated(genome, corpus) for genome in group.genomes))


def _curated(genome: PanelGenome, corpus: Corpus) -> PanelGenome:
    truth = dict(genome.truth)
    for gene in genome.genome.genes:
        known = corpus.proteins.get(sequence_hash(gene.protein.upper().rstrip("*")))
        names = tuple(
            naming.product
            for naming in (known.namings if known else ())
            if naming.origin is Origin.SWISSPROT and naming.product
        )
        said = truth[gene.id]
        others = tuple(dict.fromkeys((*said.others, *names)))
        truth[gene.id] = said._replace(others=others, curated=names)
    return replace(genome, truth=truth)


def training_groups(
    data: Path,
    inputs: Sequence[Input],
    vocabulary: ProductVocabulary,
    taken: frozenset[str],
    path: Path = PANEL,
) -> tuple[Group, ...]:
    """Groups of phages of the training proteins whose names submitters gave.

    Args:
        data: The data folder.
        inputs: Of the family build.
        vocabulary: Tells which names say something.
        taken: Records that other groups are, or hide as near relatives.
        path: The table of groups.
    """
    rule = _table(path)["training_records"]
    genomes = []
    for record, readings in _by_record(data, inputs).items():
        if record in taken or len(readings) > rule["most_proteins"]:
            continue
        proteins = [
            (f"{record}_{at}", reading.residues.upper().rstrip("*"), reading.naming.product)
            for at, reading in enumerate(readings)
        ]
        found = _in_a_row(record, GenomeKind.PHAGE, (record,), proteins, vocabulary)
        if sum(truth.telling for truth in found.truth.values()) >= rule["least_named"]:
            genomes.append(found)
    number = rule["groups"]
    return tuple(
        Group(f"training phages {at + 1}", tuple(genomes[at::number]), fold=at % FOLDS + 1)
        for at in range(number)
    )


def _by_record(data: Path, inputs: Sequence[Input]) -> Mapping[str, list[Reading]]:
    found: defaultdict[str, list[Reading]] = defaultdict(list)
    for reading in _of_submitters(data, inputs):
        found[reading.naming.record].append(reading)
    return found


def _of_submitters(data: Path, inputs: Sequence[Input]) -> Iterator[Reading]:
    wanted = [one for one in inputs if one.reader in (Reader.RECORD_TABLE, Reader.TRAIN_FASTA)]
    for reading in read_all(data, wanted):
        naming = reading.naming
        if naming.origin is Origin.SUBMITTER and naming.lineage is Lineage.PHAGE:
            yield reading
