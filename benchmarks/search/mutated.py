"""A second strain: a GenBank record in which some genes encode other proteins."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from Bio.Data.CodonTable import unambiguous_dna_by_id
from Bio.Seq import MutableSeq, Seq
from Bio.SeqFeature import SeqFeature, SimpleLocation
from Bio.SeqRecord import SeqRecord

CODE = unambiguous_dna_by_id[11]
EXCHANGED_CODONS = 0.05
"""Of a mutated gene: as two strains of a species may differ."""
SPECIAL = ("pseudo", "pseudogene", "transl_except", "ribosomal_slippage")
"""Genes whose translation is not simply read off."""


class Mutated(NamedTuple):
    """What was done.

    Attributes:
        genes: Proteins of the record.
        changed: Those of them that are others now.
    """

    genes: int
    changed: int


@dataclass(frozen=True, slots=True)
class _Gene:
    """A coding sequence in one piece."""

    feature: SeqFeature
    start: int
    end: int
    strand: int


def mutate(record: SeqRecord, share: float, seed: int = 1) -> Mutated:
    """Exchange codons in a share of the genes, and their translations with them.

    Codons that reach into another gene stay, so that no protein changes by accident.

    Args:
        record: Changed in place.
        share: Of the genes with a translation, 0..1.
        seed: The same seed makes the same strain.
    """
    chance = random.Random(seed)
    coding = [feature for feature in record.features if feature.type == "CDS"]
    translated = [feature for feature in coding if "translation" in feature.qualifiers]
    covered = Counter(
        base for feature in coding for part in feature.location.parts for base in _bases(part)
    )
    plain = [gene for feature in translated if (gene := _plain(feature))]
    bases = MutableSeq(record.seq)
    changed = 0
    for gene in chance.sample(plain, min(len(plain), round(share * len(translated)))):
        changed += _mutate_gene(gene, bases, covered, chance)
    record.seq = Seq(bases)
    return Mutated(len(translated), changed)


def _bases(part: SimpleLocation) -> Iterable[int]:
    return range(int(part.start), int(part.end))


def _plain(feature: SeqFeature) -> _Gene | None:
    where = feature.location
    if any(name in feature.qualifiers for name in SPECIAL):
        return None
    if feature.qualifiers.get("codon_start", ["1"]) != ["1"] or len(where.parts) != 1:
        return None
    start, end = int(where.start), int(where.end)
    return None if (end - start) % 3 else _Gene(feature, start, end, where.strand)


def _mutate_gene(
    gene: _Gene, bases: MutableSeq, covered: Counter[int], chance: random.Random
) -> bool:
    """Exchange some inner codons; whether the protein is another one now."""
    inner = range(gene.start + 3, gene.end - 3, 3)
    free = [at for at in inner if all(covered[base] == 1 for base in range(at, at + 3))]
    if not free:
        return False
    before = gene.feature.qualifiers["translation"][0]
    for at in chance.sample(free, max(1, round(EXCHANGED_CODONS * len(free)))):
        codon = Seq(bases[at : at + 3])
        now = codon if gene.strand == 1 else codon.reverse_complement()
        other = Seq(_other_codon(str(now), chance))
        bases[at : at + 3] = str(other if gene.strand == 1 else other.reverse_complement())
    coding = Seq(bases[gene.start : gene.end])
    coding = coding if gene.strand == 1 else coding.reverse_complement()
    protein = "M" + str(coding.translate(table=11))[1:].removesuffix("*")
    gene.feature.qualifiers["translation"] = [protein]
    return bool(protein != before)


def _other_codon(codon: str, chance: random.Random) -> str:
    """A codon for another amino acid that differs in one base; the same where there is none."""
    others = [
        candidate
        for at in range(3)
        for base in "ACGT"
        if (candidate := codon[:at] + base + codon[at + 1 :]) in CODE.forward_table
        and CODE.forward_table[candidate] != CODE.forward_table.get(codon)
    ]
    return chance.choice(others) if others else codon
