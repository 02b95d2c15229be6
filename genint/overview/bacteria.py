"""What else a bacterium's record holds: insertion sequences, toxin-antitoxin pairs, tRNA genes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from genint.knowledge.overview_tables import OverviewKnowledge
from genint.model.interval import Interval
from genint.model.overview import GenomeStatement, Outcome, Topic
from genint.model.vocabulary import BACTERIUM_BP, ConfidenceLevel, GenomeKind
from genint.overview.record import Player, RecordView

_ANTITOXIN: Final = re.compile(r"\banti-?toxin\b|\bantidote\b", re.IGNORECASE)
_TOXIN: Final = re.compile(r"\btoxin\b|\bmRNA interferase\b|\bendoribonuclease toxin\b", re.I)
_SYSTEM: Final = re.compile(r"\btoxin[-/ ]antitoxin(?: system)?\b", re.IGNORECASE)
"""Names of systems say nothing of the side: ``toxin-antitoxin system, antitoxin component``."""
_PAIR_BP: Final = 150
"""Most space between the two genes, which are one operon."""
_IS_FAMILY: Final = re.compile(r"\b(?:IS[A-Z]?[a-z]{0,3}\d+|Tn\d+)\b")
_TRNA: Final = re.compile(r"\btRNA-(?:f|i)?([A-Z][a-z]{2})")
_AMINO_ACIDS: Final = frozenset(
    "Ala Arg Asn Asp Cys Gln Glu Gly His Ile Leu Lys Met Phe Pro Ser Thr Trp Tyr Val".split()
)


def insertion_sequences(
    view: RecordView, knowledge: OverviewKnowledge
) -> Iterator[GenomeStatement]:
    """One statement on the genes of transposases of a bacterium's record, by family of name.

    Args:
        view: A record; only those of bacteria are looked at.
        knowledge: Not used.
    """
    del knowledge
    found = view.by_role.get("transposase", ())
    if view.kind is not GenomeKind.BACTERIUM or not found:
        return
    families = Counter(_family(player) for player in found)
    listed = ", ".join(
        f"{name} ({number})"
        for name, number in sorted(families.items(), key=lambda one: (-one[1], one[0]))
    )
    yield GenomeStatement(
        Topic.MOBILE_ELEMENT,
        view.contig.id,
        "insertion sequences",
        _count(len(found)),
        f"{_count(len(found)).capitalize()} of transposases: {listed}.",
        genes=tuple(player.as_role() for player in found),
        reasoning=("The family is the one that a gene's name has.",),
        uncertainties=(
            "Elements have one or two such genes; their inverted repeats were not looked for.",
        ),
    )


def _family(player: Player) -> str:
    found = _IS_FAMILY.search(player.name)
    return found.group() if found else "family unknown"


def toxin_antitoxin(view: RecordView, knowledge: OverviewKnowledge) -> Iterator[GenomeStatement]:
    """One statement for each toxin beside its antitoxin, on one strand.

    Args:
        view: A record of any kind: phages and plasmids carry such pairs too.
        knowledge: Not used.
    """
    del knowledge
    number = 0
    for one, other in pairwise(view.players):
        sides = (_side(one), _side(other))
        if set(sides) != {"toxin", "antitoxin"} or not _is_operon(one, other):
            continue
        number += 1
        toxin, antitoxin = (one, other) if sides[0] == "toxin" else (other, one)
        yield GenomeStatement(
            Topic.TOXIN_ANTITOXIN,
            view.contig.id,
            f"pair {number}",
            "found",
            f"Toxin {toxin.gene_id} ({toxin.name}) beside antitoxin {antitoxin.gene_id} "
            f"({antitoxin.name}).",
            interval=Interval(
                one.result.gene.span.start,
                max(one.result.gene.span.end, other.result.gene.span.end),
            ),
            genes=(toxin.as_role("toxin"), antitoxin.as_role("antitoxin")),
            reasoning=(
                f"{toxin.gene_id} is a toxin by its name ({toxin.level}), {antitoxin.gene_id} an "
                f"antitoxin by its name ({antitoxin.level}); they are neighbours on one strand.",
            ),
            uncertainties=("Pairs of which one gene is dark, or of RNA, are not seen.",),
        )


def _side(player: Player) -> str | None:
    if player.level not in (ConfidenceLevel.HIGH, ConfidenceLevel.MODERATE, ConfidenceLevel.LOW):
        return None
    name = _SYSTEM.sub(" ", player.name)
    if _ANTITOXIN.search(name):
        return "antitoxin"
    return "toxin" if _TOXIN.search(name) else None


def _is_operon(one: Player, other: Player) -> bool:
    before, behind = one.result.gene, other.result.gene
    return before.strand is behind.strand and behind.span.start - before.span.end <= _PAIR_BP


def trna_complement(view: RecordView, knowledge: OverviewKnowledge) -> Iterator[GenomeStatement]:
    """One statement on which amino acids the tRNA genes of a bacterium's chromosome bring.

    Args:
        view: A record of 500 kb or more, with at least one tRNA gene.
        knowledge: Not used.
    """
    del knowledge
    genes = [rna for rna in view.contig.rna_genes if rna.kind == "tRNA" and not rna.pseudo]
    if view.kind is not GenomeKind.BACTERIUM or len(view.contig) < BACTERIUM_BP or not genes:
        return
    read = Counter(
        found.group(1) for rna in genes if (found := _TRNA.search(rna.product or "")) is not None
    )
    missing = tuple(sorted(_AMINO_ACIDS - read.keys()))
    brought = len(_AMINO_ACIDS) - len(missing)
    anticodons = {rna.anticodon for rna in genes if rna.anticodon}
    lacking = f" Not found: {', '.join(missing)}." if missing else ""
    yield GenomeStatement(
        Topic.TRNA,
        view.contig.id,
        "tRNA genes",
        f"{brought} of 20 amino acids",
        f"{_count(len(genes))} of tRNA bring {brought} of the 20 amino acids.{lacking}",
        Outcome.FOUND,
        missing=tuple(f"tRNA-{name}" for name in missing),
        reasoning=tuple(_trna_steps(read, anticodons)),
        searched=("the tRNA genes of the record",) if missing else (),
        uncertainties=(
            ("Another record of the genome may have the missing ones.",) if missing else ()
        ),
    )


def _trna_steps(read: Counter[str], anticodons: set[str]) -> Iterator[str]:
    yield f"By amino acid: {', '.join(f'{name} {read[name]}' for name in sorted(read))}."
    if anticodons:
        yield f"{len(anticodons)} different anticodons: {', '.join(sorted(anticodons))}."
    if read["Sec"]:
        yield "A tRNA of selenocysteine is there: TGA may be read as an amino acid in some genes."


def _count(genes: int) -> str:
    return f"{genes} gene{'' if genes == 1 else 's'}"
