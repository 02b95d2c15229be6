"""Make the built-in genome of ``genint selftest``: ``python -m training.selftest_genome``.

The genome is nobody's: its proteins are drawn, with a fixed seed, from the profiles of
some of genint's own phage families, one is drawn from no profile at all and has to come
out dark; they are written as genes with codons, ribosome binding sites and spacers that
are drawn too. What is in it is therefore known without asking genint. The script writes

* ``genome.fasta``, a record of about 9,000 bp,
* ``references.faa``, made-up reference proteins: copies of proteins of the genome with a
  counted number of residues exchanged, and proteins that are like nothing,
* ``answers.tsv``, the genes with place, name, level, and nearest reference protein.

Place, name and nearest protein are what was put in; a run of genint has to find all of
them, or nothing is written. Levels are taken from that run. To be run again whenever the
families, the vocabulary or the parameters of confidence were made anew.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from pyhmmer.plan7 import HMM

from genint.knowledge.own_families import FamilyPack, OwnFamily, load_own_families, read_pack
from genint.knowledge.profile_pack import decode
from genint.model.interval import Strand
from genint.model.sequence import reverse_complement, translate
from genint.model.vocabulary import ConfidenceLevel
from genint.pipeline.gene_calling import Payload
from genint.pipeline.library import interpret_genome
from genint.selftest.genome import COLUMNS, KnownGene, differences

OUTPUT = Path(__file__).resolve().parent.parent / "genint" / "selftest" / "data"
SEED = 20260
"""Chosen so that the drawn sequence has no gene beside those that were put in."""
RESIDUES = "ACDEFGHIKLMNPQRSTVWY"
LINE_BP = 70
SHORTEST_AA, LONGEST_AA = 70, 450
LEAST_CONSENSUS = 0.95
LEAST_NAMED = 10
"""Members that carry the name: such families are still there, and called the same, after
the next build."""
EXCHANGED = (0.1, 0.35, 0.55)
"""Shares of the residues that the copies of a protein have exchanged."""
UNTOUCHED_AA = 12
"""Residues at either end that copies keep, so that an alignment reaches the ends."""
UNRELATED = 12
"""Reference proteins that are like nothing in the genome."""

CODONS = {
    "A": "GCG4 GCC3 GCA2 GCT2", "C": "TGC3 TGT2", "D": "GAT6 GAC4", "E": "GAA7 GAG3",
    "F": "TTT6 TTC4", "G": "GGC4 GGT4 GGG1 GGA1", "H": "CAT6 CAC4", "I": "ATT5 ATC4 ATA1",
    "K": "AAA8 AAG2", "L": "CTG5 TTA1 TTG1 CTC1 CTT1", "M": "ATG1", "N": "AAC5 AAT5",
    "P": "CCG5 CCA2 CCT2 CCC1", "Q": "CAG7 CAA3", "R": "CGT4 CGC4 CGG1 CGA1",
    "S": "AGC3 TCT2 TCC2 TCG1 TCA1 AGT1", "T": "ACC4 ACG3 ACA1 ACT2", "V": "GTG4 GTT3 GTC2 GTA2",
    "W": "TGG1", "Y": "TAT6 TAC4",
}  # fmt: skip
"""Codons with how often each is taken, in tenths, roughly as in Escherichia coli."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A gene to be put in: name of the product (empty: dark), strand, length if dark."""

    name: str
    strand: Strand = Strand.FORWARD
    length_aa: int = 0
    referred: bool = False
    """Whether the reference proteins have copies of it."""


PLAN = (
    Planned("integrase", Strand.REVERSE, referred=True),
    Planned("phage repressor", Strand.REVERSE),
    Planned("terminase small subunit"),
    Planned("terminase large subunit", referred=True),
    Planned("portal protein", referred=True),
    Planned("major capsid protein", referred=True),
    Planned("head-tail adaptor protein"),
    Planned("major tail protein"),
    Planned("", length_aa=180),
    Planned("holin"),
    Planned("endolysin", referred=True),
)


@dataclass(frozen=True, slots=True)
class Made:
    """A gene that was put in: 1-based first and last base, and its protein."""

    plan: Planned
    first: int
    last: int
    protein: str


def main() -> None:
    """Make, check, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=OUTPUT, help="folder to write to")
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args()
    bases, made = make_genome(options.seed)
    references, nearest = make_references(made, options.seed)
    genome = fasta("selftest", f"made up for the self-test, seed {options.seed}", bases)
    answers = [
        KnownGene(one.first, one.last, one.plan.strand, one.plan.name, ConfidenceLevel.NONE, *near)
        for one, near in zip(made, nearest, strict=True)
    ]
    with tempfile.TemporaryDirectory() as cache:
        summary = interpret_genome(
            Payload(genome.encode("ascii"), "selftest.fasta"), cache_folder=Path(cache)
        )
    levels = {result.gene.location.span.end: result.confidence_level for result in summary.results}
    answers = [replace(one, level=levels.get(one.last, one.level)) for one in answers]
    if wrong := differences(summary, answers):
        sys.exit("nothing was written: " + "; ".join(wrong))
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "genome.fasta").write_text(genome, encoding="ascii")
    (options.output / "references.faa").write_text(references, encoding="ascii")
    (options.output / "answers.tsv").write_text(table(answers), encoding="ascii")
    print(f"{len(bases):,} bp, {len(made)} genes written to {options.output}")


def make_genome(seed: int) -> tuple[str, tuple[Made, ...]]:
    """Bases of the genome, and the genes that were put in."""
    chance = random.Random(seed)  # noqa: S311 - the same each time
    proteins = tuple(_proteins(chance))
    text = spacer(chance, 120)
    made: list[Made] = []
    previous = PLAN[0].strand
    for plan, protein in zip(PLAN, proteins, strict=True):
        # Between genes that turn their backs on each other lie two promoters.
        text += spacer(chance, 120 if plan.strand is not previous else chance.randint(8, 30))
        previous = plan.strand
        site = spacer(chance, 10) + "AGGAGG" + spacer(chance, 7)
        gene = reverse_translated(protein, chance)
        first = len(text) + 1
        if plan.strand is Strand.FORWARD:
            first += len(site)
            text += site + gene
        else:
            text += reverse_complement(site + gene)
        made.append(Made(plan, first, first + len(gene) - 1, protein))
    return text + spacer(chance, 120), tuple(made)


def _proteins(chance: random.Random) -> Iterator[str]:
    """The proteins of the plan."""
    families = {plan.name: family_of(plan.name) for plan in PLAN if plan.name}
    wanted = {family.id for family in families.values()}
    profiles = {
        profile.name: profile
        for profile in decode(read_pack(FamilyPack.PHAGE))
        if profile.name in wanted
    }
    for plan in PLAN:
        if plan.name:
            yield drawn(profiles[families[plan.name].id], chance)
        else:
            yield made_up(plan.length_aa, chance)


def family_of(name: str) -> OwnFamily:
    """The phage family of this name that most members and the best agreement speak for."""
    candidates = [
        family
        for family in load_own_families().families.values()
        if family.pack is FamilyPack.PHAGE
        and family.name == name
        and family.product is not None
        and SHORTEST_AA <= family.length_aa <= LONGEST_AA
        and family.consensus >= LEAST_CONSENSUS
        and family.named_members >= LEAST_NAMED
    ]
    if not candidates:
        sys.exit(f"no family is well enough named {name!r}")
    return max(candidates, key=lambda family: (family.named_members, family.consensus, family.id))


def drawn(profile: HMM, chance: random.Random) -> str:
    """A protein of a profile: each residue drawn as often as the members have it there.

    The usual residue is preferred (odds are squared): members resemble each other more
    than independent draws would.
    """
    odds = np.asarray(profile.match_emissions, dtype=np.float64)[1:] ** 2
    residues = "".join(chance.choices(RESIDUES, weights=row.tolist())[0] for row in odds)
    return residues if residues.startswith("M") else "M" + residues


def made_up(length_aa: int, chance: random.Random) -> str:
    """A protein that is like nothing."""
    return "M" + "".join(chance.choices(RESIDUES, k=length_aa - 1))


def reverse_translated(protein: str, chance: random.Random) -> str:
    """A gene of a protein, stop codon included."""
    bases = "".join(_codon(residue, chance) for residue in protein) + "TAA"
    if translate(bases, 11) != protein + "*":
        raise AssertionError("the gene does not encode its protein")
    return bases


def _codon(residue: str, chance: random.Random) -> str:
    choices = CODONS[residue].split()
    return chance.choices([one[:3] for one in choices], [int(one[3:]) for one in choices])[0]


def spacer(chance: random.Random, length_bp: int) -> str:
    """Bases between genes, with a stop codon in every frame where there is room for it."""
    stops = "TTAATTAATTAA"
    if length_bp <= len(stops):
        return "".join(chance.choices("ACT", k=length_bp))  # without G: no start, no RBS
    rest = length_bp - len(stops)
    return (
        "".join(chance.choices("ACT", k=rest // 2))
        + stops
        + "".join(chance.choices("ACT", k=rest - rest // 2))
    )


def make_references(
    made: Sequence[Made], seed: int
) -> tuple[str, tuple[tuple[str, float | None], ...]]:
    """Reference proteins as FASTA, and for each gene the nearest of them and its identity."""
    chance = random.Random(seed + 1)  # noqa: S311 - the same each time
    entries: list[str] = []
    nearest: list[tuple[str, float | None]] = []
    for number, one in enumerate(made, start=1):
        if not one.plan.referred:
            nearest.append(("", None))
            continue
        found: list[tuple[str, float | None]] = []
        for share in EXCHANGED:
            copy = exchanged(one.protein, share, chance)
            same = sum(a == b for a, b in zip(one.protein, copy, strict=True))
            identity = same / len(copy)
            accession = f"COPY{number:02d}_{round(100 * identity)}"
            found.append((accession, round(identity, 4)))
            entries.append(fasta(accession, f"{one.plan.name} [made up]", copy))
        nearest.append(found[0])
    for number in range(1, UNRELATED + 1):
        protein = made_up(chance.randint(100, 500), chance)
        entries.append(fasta(f"OTHER{number:02d}", "protein like nothing [made up]", protein))
    chance.shuffle(entries)
    return "".join(entries), tuple(nearest)


def exchanged(protein: str, share: float, chance: random.Random) -> str:
    """A copy with this share of the residues exchanged for others; the ends stay."""
    inner = range(UNTOUCHED_AA, len(protein) - UNTOUCHED_AA)
    copy = list(protein)
    for at in chance.sample(inner, round(share * len(protein))):
        copy[at] = chance.choice(RESIDUES.replace(copy[at], ""))
    return "".join(copy)


def fasta(name: str, description: str, text: str) -> str:
    """One entry of a FASTA file."""
    lines = [text[at : at + LINE_BP] for at in range(0, len(text), LINE_BP)]
    return "\n".join([f">{name} {description}", *lines, ""])


def table(answers: Sequence[KnownGene]) -> str:
    """The answers as a file."""
    rows = ["# Made by training/selftest_genome.py", "\t".join(COLUMNS)]
    rows += ["\t".join(one.cells) for one in answers]
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    main()
