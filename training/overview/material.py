"""Named phages of the training proteins, interpreted by genint without what their records say.

Only the proteins and their order are known of them. Searches are kept in a cache folder, so that
rules on top of them can be changed and judged again in two minutes.
"""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from genint.formats import read_genome
from genint.knowledge.roles import load_roles
from genint.model.genome import CalledBy, Contig, FileFormat, Gene, Genome, GenomeSource
from genint.model.interpretation import Parameters
from genint.model.interval import Interval, Location, Strand
from genint.model.vocabulary import GenomeKind
from genint.overview.record import RecordView, players_of
from genint.pipeline.conclude import conclude
from genint.pipeline.evidence import observe
from genint.pipeline.gene_calling import Called
from genint.pipeline.resources import Folders, load_resources
from genint.pipeline.searches import gather, plan_search, prepare, search
from training.families.inputs import INPUTS, Reader, load_inputs
from training.families.readers import read_all, record_id

PHAGES: Final = Path(__file__).with_name("phages.tsv")
"""What is known of the phages: host, lifestyle, group, each with its source."""
RECORDS: Final = "train/records.tsv"
HELD_BACK: Final = ("genomes/lambda_NC_001416.gb", "genomes/phageK_NC_005880.gbk")
"""Genomes on which other measurements are made: they are relatives, nothing is fitted on them."""
_FEWEST_GENES: Final = 4
_AT_ONCE: Final = 40
"""Records that are searched together."""
_WHOLE: Final = 0.8
_GAP_BP: Final = 30
_CODON_BP: Final = 3
_CACHE_BYTES: Final = 4_000_000_000
_NO_PHAGE: Final = re.compile(
    r"sulfolob|acidianus|\bhalo(?!monas)|thermoproteus|pyrobaculum|aeropyrum|metallosphaera|natri"
    r"|stygiolobus|nitrosopumilus|pyrococcus|hyperthermophilic|thermococcus|\bhis ?[12]\b"
    r"|bacteriophage sh1|phich1|psim|archaeal|sputnik|pisum|synthetic|rotated|anellovirus",
    re.IGNORECASE,
)
"""Viruses of archaea and eukaryotes, and records without a name."""
_WORDS_BEFORE: Final = re.compile(
    r"^(?:[A-Z]{1,2}_?\d+\.\d+ |viruses |unclassified |clade |caudovirales |autographivirinae "
    r"|[A-Z][a-z]+viri?dae |picovirinae |[\w-]+[- ]like (?:viruses|phages) |microvirus |inovirus "
    r"|tectivirus |chlamydiamicrovirus |microviridae )+(?=\S+ \S+|phage)",
    re.IGNORECASE,
)
_WORDS_BEHIND: Final = re.compile(r"(?:,? complete genome| viruses\.?| unclassified\.?)+$", re.I)


class Known(NamedTuple):
    """What is known of a phage.

    Attributes:
        record: Accession, or the name that its collection has for it.
        name: As its record says.
        host: Genus; empty where unknown.
        lifestyle: ``temperate``, ``virulent`` or ``chronic``; empty where none is known for sure.
        group: Of like phages, which are left out together.
        source: Of the lifestyle.
        ends: How it cuts and packs its genome; empty where none is known for sure.
        ends_source: Of that.
    """

    record: str
    name: str
    host: str
    lifestyle: str
    group: str
    source: str
    ends: str
    ends_source: str


def read_known(path: Path = PHAGES) -> dict[str, Known]:
    """The table of what is known, by record."""
    with path.open(encoding="utf-8") as stream:
        rows = csv.reader((line for line in stream if not line.startswith("#")), delimiter="\t")
        next(rows)
        return {row[0]: Known(*row) for row in rows}


class NamedPhage(NamedTuple):
    """A phage whose proteins and name are known.

    Attributes:
        record: Accession, or the name that the collection has for it.
        name: As its record says, without words of the classification.
        proteins: Residues in the order of its genes, as far as the collection has them.
        in_record: Proteins that its record has.
        is_held_back: It is in the table of relatives alone.
    """

    record: str
    name: str
    proteins: tuple[str, ...]
    in_record: int
    is_held_back: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether nearly all proteins are there: those like held-out genomes' were left out."""
        return len(self.proteins) >= _WHOLE * self.in_record


def read_phages(data: Path) -> tuple[NamedPhage, ...]:
    """The named phages of bacteria, in the order of the table of records.

    Args:
        data: The data folder.

    Cost: 3 s.
    """
    names: dict[str, tuple[str, int]] = {}
    with (data / RECORDS).open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream, delimiter="\t"):
            organism = row["organism"]
            if row["kind"] == "phage" and len(organism) > 1 and not _NO_PHAGE.search(organism):
                said = (plain_name(organism), int(row["n_cds_kept"]))
                names[record_id(row["record"])] = said
    inputs = load_inputs(INPUTS)
    wanted = [one for one in inputs if one.reader in (Reader.RECORD_TABLE, Reader.TRAIN_FASTA)]
    proteins: defaultdict[str, list[str]] = defaultdict(list)
    for reading in read_all(data, wanted):
        if reading.naming.record in names:
            proteins[reading.naming.record].append(reading.residues.upper().rstrip("*"))
    return tuple(
        NamedPhage(record, name, tuple(proteins[record]), in_record)
        for record, (name, in_record) in names.items()
        if len(proteins[record]) >= _FEWEST_GENES
    )


def read_held_back(data: Path) -> Iterator[NamedPhage]:
    """The genomes of :data:`HELD_BACK`, without what their records say of genes."""
    for name in HELD_BACK:
        (contig,) = read_genome(data / name).contigs
        proteins = tuple(gene.protein for gene in contig.genes if gene.protein)
        yield NamedPhage(contig.id, contig.organism or contig.id, proteins, len(proteins), True)


def plain_name(organism: str) -> str:
    """Name of a phage without the family and genus that old records put before it."""
    plain = _WORDS_BEHIND.sub("", _WORDS_BEFORE.sub("", organism.strip()))
    return re.sub(r"^(?:Enterobacteria phage )?(.* clade )", "", plain).strip()


def views_of(phages: Iterable[NamedPhage], cache: Path) -> Iterator[tuple[NamedPhage, RecordView]]:
    """Each phage with its interpreted genes.

    Args:
        phages: In any order.
        cache: Folder of searches.

    Cost: 25 ms a protein, 1.5 ms where the folder has its searches.
    """
    batch: list[NamedPhage] = []
    for phage in phages:
        batch.append(phage)
        if len(batch) == _AT_ONCE:
            yield from zip(batch, _interpreted(batch, cache), strict=True)
            batch = []
    if batch:
        yield from zip(batch, _interpreted(batch, cache), strict=True)


def _interpreted(phages: Sequence[NamedPhage], cache: Path) -> Iterator[RecordView]:
    parameters = Parameters(phage=True)
    resources = load_resources(parameters, Folders(cache, cache_limit_bytes=_CACHE_BYTES))
    contigs = tuple(_in_a_row(phage) for phage in phages)
    source = GenomeSource(filename="phages", sha256="", format=FileFormat.FASTA)
    genome = Genome(contigs, source)
    called = Called(genome, None, tuple((gene.id, gene.protein) for gene in genome.genes))
    prepare(genome, resources, parameters)
    plan = plan_search(called, resources, parameters)
    found = gather(called, plan, [answer for task in plan.tasks for answer in search(task)])
    summary = conclude(observe(called, found, resources), parameters, resources)
    roles = load_roles()
    for contig in summary.genome.contigs:
        results = [one for one in summary.results if one.gene.contig == contig.id]
        yield RecordView(contig, GenomeKind.PHAGE, players_of(results, roles), {}, ())


def _in_a_row(phage: NamedPhage) -> Contig:
    genes, at = [], 0
    for number, residues in enumerate(phage.proteins):
        end = at + _CODON_BP * (len(residues) + 1)
        place = Location.simple(Interval(at, end), Strand.FORWARD)
        id = f"{phage.record}_{number}"
        genes.append(Gene(id, phage.record, place, residues, 11, CalledBy.GENBANK))
        at = end + _GAP_BP
    return Contig(phage.record, "N" * at, genes=tuple(genes), kind=GenomeKind.PHAGE)
