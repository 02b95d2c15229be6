"""What is left to read: claims of the panel whose names nobody has compared yet."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from genint.model.genome import Gene
from genint.model.interpretation import Hypothesis
from training.confidence.measuring import Told
from training.confidence.observations import Observed
from training.confidence.panel import Truth
from training.confidence.readings import is_part, reading_of

LEAST = 0.5
"""Probability before any ceiling from which a claim is worth reading: it may be MODERATE."""
SAMPLE = 30
"""Claims of each genome and level that are written to be read, whatever their names say."""
SAMPLE_COLUMNS = ("genome", "level", "gene", "record", "claim", "score", "judged", "verdict")
COLUMNS = ("judge", "record", "other_names", "claim", "of", "aa", "best", "evidence", "genes")


class Pair(NamedTuple):
    """Names that stand against each other, with one gene to look at.

    Attributes:
        told: The gene with the highest score.
        best: What leads there.
        genes: How many genes have the pair, over regimes and modes.
    """

    told: Told
    best: Hypothesis
    genes: int


def write_reading_list(told: Iterable[Told], observed: Iterable[Observed], path: Path) -> None:
    """Write the disagreements that nobody has read, and the agreements in a random order.

    Args:
        told: Of all regimes and modes.
        observed: The genomes, for lengths and other names of the proteins.
        path: A table, tab-separated; ``judge`` is what the names say by their words.
    """
    genomes = {one.panel.name: one.panel for one in observed}
    genes = {(name, gene.id): gene for name, one in genomes.items() for gene in one.genome.genes}
    lines = ["\t".join(COLUMNS)]
    for pair in _pairs(told):
        gene = genes[pair.told.genome, pair.told.gene]
        lines.append("\t".join(_cells(pair, gene, genomes[pair.told.genome].truth[gene.id])))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_sample(told: Iterable[Told], path: Path) -> None:
    """Write random claims of each genome and level, with what is known of their truth.

    Args:
        told: Of one regime and mode; the order is that of a checksum of genome and gene.
        path: A table, tab-separated.
    """
    found: defaultdict[tuple[str, str], list[Told]] = defaultdict(list)
    for one in told:
        if one.best is not None and one.level.is_supported:
            found[one.genome, one.level.value].append(one)
    lines = ["\t".join(SAMPLE_COLUMNS)]
    for (genome, level), listed in sorted(found.items()):
        for one in sorted(listed, key=_at_random)[:SAMPLE]:
            lines.append("\t".join((genome, level, *_sampled(one))))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _at_random(one: Told) -> bytes:
    return hashlib.sha256(f"{one.genome}\t{one.gene}".encode()).digest()


def _sampled(one: Told) -> Iterator[str]:
    claim = one.best.claim if one.best else ""
    reading = reading_of(one.product, claim)
    yield from (one.gene, one.product, claim, f"{one.best.score:.2f}" if one.best else "")
    yield "read" if reading is not None else "by words"
    if one.judged is None:
        yield "nothing"
    else:
        yield "right" if one.judged.full else "wider" if one.judged.true else "wrong"


def _pairs(told: Iterable[Told]) -> Sequence[Pair]:
    found: defaultdict[tuple[str, str], list[tuple[Told, Hypothesis]]] = defaultdict(list)
    for one in told:
        if one.best is None or one.uncapped < LEAST or one.by_words is None:
            continue
        if is_part(one.best.claim):
            continue
        if reading_of(one.product, one.best.claim) is None:
            found[one.product, one.best.claim].append((one, one.best))
    pairs = [
        Pair(*max(listed, key=lambda one: (one[0].uncapped, one[0].gene)), len(listed))
        for listed in found.values()
    ]
    return sorted(pairs, key=_order)


def _order(pair: Pair) -> tuple[bool, bytes]:
    """Disagreements first; within both an order that has nothing to do with the names."""
    names = f"{pair.told.product}\t{pair.best.claim}"
    return _true(pair.told), hashlib.sha256(names.encode()).digest()


def _true(one: Told) -> bool:
    return one.by_words is not None and one.by_words.true


def _cells(pair: Pair, gene: Gene, truth: Truth) -> Iterator[str]:
    best = pair.best
    others: Mapping[str, None] = dict.fromkeys(truth.others)
    yield "agrees" if _true(pair.told) else "disagrees"
    yield from (pair.told.product, "; ".join(others), best.claim, best.specificity.value)
    yield str(len(gene.protein))
    yield f"{pair.told.uncapped:.2f} {'+'.join(sorted(type_.value for type_ in best.types))}"
    yield ", ".join(
        f"{item.accession or item.type.value}: {item.claim}" for item in best.evidence[:4]
    )
    yield f"{pair.genes} {pair.told.genome} {pair.told.gene}"
