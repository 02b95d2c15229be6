"""The built-in genome, made-up reference proteins, and what is known of both.

``training/selftest_genome.py`` made them; no part is anybody's sequence.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources

from genint.model.interval import Interval, Location, Strand
from genint.model.sequence import extract, translate_cds
from genint.model.vocabulary import ConfidenceLevel

COLUMNS = ("first", "last", "strand", "name", "level", "nearest", "identity")
GENOME = "genome.fasta"
REFERENCES = "references.faa"
ANSWERS = "answers.tsv"
_CODE = 11
"""NCBI genetic code of the built-in genome."""


@dataclass(frozen=True, slots=True)
class KnownGene:
    """One gene of the built-in genome.

    Attributes:
        first: 1-based first base on the forward strand.
        last: 1-based last base, inclusive.
        strand: That it is read from.
        name: Of the product; empty where it has to come out dark.
        level: Of confidence in offline mode.
        nearest: The reference protein that is most like it; empty where none is.
        identity: Share of residues that the two have in common, 0..1.
    """

    first: int
    last: int
    strand: Strand
    name: str
    level: ConfidenceLevel = ConfidenceLevel.NONE
    nearest: str = ""
    identity: float | None = None

    @property
    def location(self) -> Location:
        """Where it lies."""
        return Location.simple(Interval.from_one_based(self.first, self.last), self.strand)

    @property
    def words(self) -> str:
        """Which gene this is, for people."""
        name = self.name or "the gene that is like nothing"
        return f"{name} at {self.first}..{self.last} ({self.strand.symbol})"

    @property
    def cells(self) -> tuple[str, ...]:
        """Its row of the table; see :data:`COLUMNS`."""
        identity = "" if self.identity is None else f"{self.identity:.4f}"
        place = (str(self.first), str(self.last), self.strand.symbol)
        return (*place, self.name, self.level.value, self.nearest, identity)

    @classmethod
    def of(cls, cells: tuple[str, ...]) -> KnownGene:
        """The gene of a row; ValueError where it is none."""
        first, last, strand, name, level, nearest, identity = cells
        return cls(
            int(first),
            int(last),
            Strand.FORWARD if strand == "+" else Strand.REVERSE,
            name,
            ConfidenceLevel(level),
            nearest,
            float(identity) if identity else None,
        )


def read_made(name: str) -> bytes:
    """A file that was made for the self-test.

    Raises:
        FileNotFoundError: the installation lacks it.
    """
    return resources.files("genint.selftest").joinpath("data", name).read_bytes()


def known_genes() -> tuple[KnownGene, ...]:
    """The genes of the built-in genome, in the order of the genome."""
    lines = read_made(ANSWERS).decode("ascii").splitlines()
    rows = [tuple(line.split("\t")) for line in lines if not line.startswith("#")]
    return tuple(KnownGene.of(row) for row in rows[1:])


def known_proteins() -> tuple[tuple[str, str], ...]:
    """The proteins of those genes: ``<first>-<last>`` and residues."""
    lines = read_made(GENOME).decode("ascii").splitlines()
    bases = "".join(lines[1:])
    return tuple(
        (f"{gene.first}-{gene.last}", translate_cds(extract(bases, gene.location), _CODE))
        for gene in known_genes()
    )
