"""How well sequence features go with names: ``python -m training.feature_check --help``.

Where a protein of E. coli K-12 lies is told by its name in the record: transporters and inner
membrane proteins, periplasmic and outer membrane proteins, lipoproteins, and proteins that
surely stay inside (ribosome, tRNA synthetases, DNA-binding regulators, polymerases). That is a
proxy: some names are wrong, and some proteins are in two places. Proteins of phages are taken
by the names that submitters gave them.

Thresholds were fitted on E. coli and on holins, on one half of the proteins by a hash of their
residues (the pattern of the lipobox on all of E. coli); ``held out`` is the other half. Of the
other bacteria both halves are unseen.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from Bio import SeqIO

from genint.formats.reader import read_genome
from genint.interpret.uncertainty import feature_uncertainties
from genint.model.evidence import FeatureKind, SequenceFeature
from genint.model.genome import CalledBy, Gene
from genint.model.interval import Interval, Location, Strand
from genint.model.rescue import wilson
from genint.sources.sequence.features import observe_features

DATA = Path("../shared/data")
BACTERIA = {
    "E. coli K-12": "E_coli_K12_MG1655_NC_000913.gbk.gz",
    "S. pyogenes M1": "S_pyogenes_M1_NC_002737.gb.gz",
    "M. mycoides GM12": "M_mycoides_GM12_NZ_CP001668.gbff.gz",
}
MOST_OF_ONE_NAME = 1500
"""Of phage proteins with one name so many are taken, in the order of their hash."""
DOUBTED = {
    "holin": "holin",
    "spanin": "spanin",
    "inner spanin": "inner membrane spanin",
    "outer spanin": "outer membrane spanin",
    "major capsid": "major capsid protein",
    "portal": "portal protein",
    "integrase": "integrase",
    "inner membrane": "ABC transporter permease",
    "periplasmic": "periplasmic protein",
    "outer membrane": "outer membrane protein",
    "lipoprotein": "lipoprotein",
    "cytoplasmic": "30S ribosomal protein S1",
}
"""Names that doubts are measured for, by class."""
INSERTED = frozenset(
    {FeatureKind.TRANSMEMBRANE, FeatureKind.SIGNAL_PEPTIDE, FeatureKind.LIPOPROTEIN_SIGNAL}
)


class NameRule(NamedTuple):
    """Which names are taken for a class.

    Attributes:
        label: The class.
        wanted: Pattern that a name has.
        unwanted: Pattern that it must not have.
    """

    label: str
    wanted: str
    unwanted: str = "$^"

    def takes(self, name: str) -> bool:
        """Whether a name, in lower case, is of the class."""
        return bool(re.search(self.wanted, name)) and not re.search(self.unwanted, name)


class Named(NamedTuple):
    """A protein under the name that its record gives it."""

    label: str
    name: str
    residues: str
    held_out: bool


BACTERIAL = (
    NameRule(
        "lipoprotein",
        r"lipoprotein",
        r"signal peptidase|transporter|chaperone|transferase|releas|export|locali[sz]|permease"
        r"|apolipo|atpase|involved|regulator|effector|prolipo|\blol|anchored",
    ),
    NameRule(
        "outer membrane",
        r"outer membrane|porin\b",
        r"lps|assembly|export|regulat|integrity|aquaporin|inner membrane|protease|anti|maint"
        r"|inhib|related|chaperone|lipoprotein",
    ),
    NameRule(
        "periplasmic",
        r"periplasmic|pilin chaperone|secreted|fimbrial-like adhesin|pilin subunit",
        r"inner|membrane|regulat|sens|permease|anchor|atpase|kinase|fused|complex|lipoprotein",
    ),
    NameRule(
        "inner membrane",
        r"permease|inner membrane (transporter|protein)|antiporter|symporter|efflux transporter"
        r"|putative transporter$|transport protein$",
        r"atp-binding|atpase|periplasmic|fused|accessory|regulat|associated|pts|phospho"
        r"|lipoprotein|outer membrane|energy transducing",
    ),
    NameRule(
        "cytoplasmic",
        r"ribosomal (subunit )?protein|trna (synthetase|ligase)|dna polymerase|rna polymerase"
        r"|glyceraldehyde|pyruvate kinase|enolase|phosphoglycerate|aldolase|elongation factor"
        r"|initiation factor|dna gyrase|topoisomerase|helicase|aminotransferase|methyltransferase"
        r"|response regulator|transcriptional (regulator|repressor|activator)|chorismate synth",
        r"membrane|periplas|lipo|murein|peptidoglycan|sens|c-di-gmp|uroporphyrinogen"
        r"|cadba|sialic",
    ),
)
PHAGE = (
    NameRule("holin", r"\bholins?\b", r"anti-?holin|lysin|inhibitor|associated"),
    NameRule("antiholin", r"\banti-?holin\b"),
    NameRule("inner spanin", r"\brz\b(?!-like)|i-spanin|inner membrane spanin", r"\brz1"),
    NameRule("outer spanin", r"\brz1\b|o-spanin|outer membrane spanin", r"\brz\b"),
    NameRule("spanin", r"spanin", r"tetraspanin|[io]-spanin|(inner|outer) membrane|\brz1?\b(?!-)"),
    NameRule("endolysin", r"\bendolysins?\b|phage lysin\b", r"holin|virion|structural|tail"),
    NameRule("major capsid", r"major capsid|major head", r"protease|scaffold|fusion|#fam"),
    NameRule("large terminase", r"terminase.*large|large.*terminase", r"small"),
    NameRule("small terminase", r"terminase.*small|small.*terminase", r"large"),
    NameRule("portal", r"\bportal\b", r"protease|fusion"),
    NameRule("integrase", r"\bintegrase\b"),
    NameRule("tape measure", r"tape.?measure", r"chaperone|assembly"),
    NameRule("tail fiber", r"tail fib(er|re)", r"assembly|chaperone"),
    NameRule("baseplate", r"baseplate", r"assembly"),
    NameRule("DNA polymerase", r"dna polymerase"),
    NameRule("helicase", r"helicase"),
    NameRule("repressor", r"\brepressor\b", r"anti"),
)


def main() -> None:
    """Read the proteins, look for features, print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=DATA, help="folder with genomes/ and train/")
    parser.add_argument("--conflicts", action="store_true", help="print names with a doubt")
    options = parser.parse_args()
    for organism, file in BACTERIA.items():
        print(f"# {organism}, by the names of its record")
        print_shares(tuple(named_of(_bacterial(options.data, file), BACTERIAL)), BACTERIAL)
    print("# phage proteins, by the names of submitters")
    phage = tuple(thinned(named_of(_phage(options.data), PHAGE)))
    print_shares(phage, PHAGE)
    others = tuple(sample(_phage(options.data), PHAGE))
    print("# doubts about names of phage proteins")
    print_doubts(phage, others, each=options.conflicts)
    for organism, file in BACTERIA.items():
        print(f"# doubts about names of {organism}")
        proteins = tuple(_bacterial(options.data, file))
        bacterial = tuple(named_of(proteins, BACTERIAL))
        print_doubts(bacterial, tuple(sample(proteins, BACTERIAL, every=1)), each=options.conflicts)


def _bacterial(data: Path, file: str) -> Iterator[tuple[str, str]]:
    for contig in read_genome(data / "genomes" / file).contigs:
        for gene in contig.genes:
            if gene.protein and gene.product and not gene.pseudo:
                yield gene.product, gene.protein


def _phage(data: Path) -> Iterator[tuple[str, str]]:
    with gzip.open(data / "train" / "phage_proteins.faa.gz", "rt") as handle:
        for record in SeqIO.parse(handle, "fasta"):
            yield record.description.rsplit("|", 1)[-1], str(record.seq)


def named_of(proteins: Iterable[tuple[str, str]], rules: Sequence[NameRule]) -> Iterator[Named]:
    """Proteins whose names are of exactly one class; of equal sequences one."""
    seen: set[str] = set()
    for name, residues in proteins:
        labels = [rule.label for rule in rules if rule.takes(name.lower())]
        if len(labels) == 1 and residues not in seen:
            seen.add(residues)
            yield Named(labels[0], name, residues, is_held_out(residues))


def is_held_out(residues: str) -> bool:
    """Whether a protein is in the half that no threshold was fitted on."""
    return bool(hashlib.sha256(residues.encode()).digest()[0] % 2)


def thinned(proteins: Iterable[Named]) -> Iterator[Named]:
    """At most ``MOST_OF_ONE_NAME`` of a class, chosen by hash."""
    counts: dict[str, int] = {}
    for one in sorted(proteins, key=lambda one: hashlib.sha256(one.residues.encode()).digest()):
        counts[one.label] = counts.get(one.label, 0) + 1
        if counts[one.label] <= MOST_OF_ONE_NAME:
            yield one


def sample(
    proteins: Iterable[tuple[str, str]], rules: Sequence[NameRule], every: int = 10
) -> Iterator[Named]:
    """Every tenth protein of whatever name, by a hash; its class where it has one."""
    for name, residues in proteins:
        digest = hashlib.sha256(residues.encode()).digest()
        if int.from_bytes(digest[1:3]) % every == 0:
            labels = [rule.label for rule in rules if rule.takes(name.lower())]
            yield Named(labels[0] if labels else "", name, residues, is_held_out(residues))


def features_of(proteins: Sequence[Named]) -> tuple[tuple[SequenceFeature, ...], ...]:
    """Features of each protein."""
    place = Location.simple(Interval(0, 3), Strand.FORWARD)
    genes = [
        Gene(str(number), "", place, one.residues, 11, CalledBy.GENBANK)
        for number, one in enumerate(proteins)
    ]
    found = observe_features(genes)
    return tuple(found.get(gene.id, ()) for gene in genes)


def print_shares(proteins: Sequence[Named], rules: Sequence[NameRule]) -> None:
    """Share of each class with each kind of feature, in both halves."""
    shown = tuple(zip(proteins, features_of(proteins), strict=True))
    print("class\thalf\tproteins\t" + "\t".join(kind.value for kind in FeatureKind), end="")
    print("\tmembrane or signal\twith 1, 2, 3, 4 or more segments")
    for label in (rule.label for rule in rules):
        for held_out in (False, True):
            rows = [
                [feature.kind for feature in found]
                for one, found in shown
                if one.label == label and one.held_out == held_out
            ]
            told = [_share(sum(kind in row for row in rows), len(rows)) for kind in FeatureKind]
            inserted = _share(sum(not INSERTED.isdisjoint(row) for row in rows), len(rows))
            counts = [min(row.count(FeatureKind.TRANSMEMBRANE), 4) for row in rows]
            spread = [counts.count(number) for number in range(1, 5)]
            half = "held out" if held_out else "fitted"
            print(label, half, len(rows), *told, inserted, spread, sep="\t")


def _share(part: int, whole: int) -> str:
    low, high = wilson(part, whole)
    return f"{part / max(1, whole):.1%} ({low:.1%}-{high:.1%})"


def print_doubts(proteins: Sequence[Named], others: Sequence[Named], *, each: bool) -> None:
    """How often names as submitted get a doubt, and would if other proteins had them."""
    print("named\tproteins\twith a doubt\tother proteins, were they so named\tratio")
    shown = tuple(zip(proteins, features_of(proteins), strict=True))
    elsewhere = tuple(zip(others, features_of(others), strict=True))
    for label, name in DOUBTED.items():
        own = [_doubts(name, row) for row in shown if row[0].label == label]
        if not own:
            continue
        rest = [_doubts(name, row) for row in elsewhere if row[0].label != label]
        told, unlike = sum(map(bool, own)), sum(map(bool, rest))
        # Half a protein more on either side, so that nothing is divided by none.
        ratio = ((unlike + 0.5) / (len(rest) + 1)) / ((told + 0.5) / (len(own) + 1))
        print(
            name,
            len(own),
            _share(told, len(own)),
            _share(unlike, len(rest)),
            f"{ratio:.0f}",
            sep="\t",
        )
    for one, found in shown if each else ():
        doubts = _doubts(DOUBTED.get(one.label, ""), (one, found))
        if doubts:
            print(len(one.residues), one.name, *doubts, sep="\t")


def _doubts(name: str, row: tuple[Named, tuple[SequenceFeature, ...]]) -> tuple[str, ...]:
    one, found = row
    return feature_uncertainties(name, None, found, len(one.residues))


if __name__ == "__main__":
    main()
