"""Locus tags as the INSDC has them: a registered prefix, one underscore, a number.

Source: INSDC, *Locus tag prefixes* (BioProject and BioSample); NCBI, *Prokaryotic genome
annotation guide*, section on locus tags.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final, TypeVar

from genint.errors import UsageError
from genint.model.genome import Gene, Genome, OtherFeature, RnaGene

PREFIX_RULE: Final = (
    "a locus tag prefix is 3 to 12 letters and digits of ASCII and begins with a letter"
)
"""What the INSDC takes as a prefix."""
_PREFIX: Final = re.compile(r"[A-Za-z][A-Za-z0-9]{2,11}")
TAG_STEP: Final = 10
"""Between the numbers of neighbouring genes, so that genes found later have room."""
_NUMBERED: Final = re.compile(r"([A-Za-z][A-Za-z0-9]{2,11})_(?:RNA|CRISPR)?(\d+)", re.ASCII)
_TAG: Final = re.compile(r"([A-Za-z][A-Za-z0-9]{2,11})_[A-Za-z0-9]+")


def checked_prefix(prefix: str) -> str:
    """The prefix in upper case, as the INSDC registers it.

    Raises:
        UsageError: it breaks the rule of the INSDC, which the message says.
    """
    if not isinstance(prefix, str) or not _PREFIX.fullmatch(prefix):
        raise UsageError(f"{PREFIX_RULE}, such as ABC or A1C2: {prefix!r:.40} is none")
    return prefix.upper()


def prefix_of(tag: str) -> str | None:
    """The prefix of a locus tag by the rules; None where the text is no such tag."""
    found = _TAG.fullmatch(tag)
    return found[1] if found else None


def last_number(tags: Iterable[str], prefix: str) -> int:
    """The highest number behind a prefix, of genes, RNA genes and CRISPR arrays; 0 for none."""
    found = (_NUMBERED.match(tag) for tag in tags)
    return max((int(one[2]) for one in found if one and one[1] == prefix), default=0)


_Tagged = TypeVar("_Tagged", Gene, RnaGene, OtherFeature)
_Name = tuple[str, str]
"""Contig, and locus tag or (where there is none) id."""


def with_new_tags(genome: Genome, prefix: str, *, before: int = 0) -> Genome:
    """A genome of annotated genes whose features have locus tags of a prefix.

    What has a tag of this prefix keeps it. All others are numbered by place, features that share
    a tag of the file alike, behind the numbers that are taken. Their ids become the new tags; a
    second feature of one tag gets ``_2`` behind it.

    Args:
        genome: As the file has it.
        prefix: By the rules.
        before: Numbers in steps of ten that earlier files took up.

    Cost: O(features log features).
    """
    at = {contig.id: place for place, contig in enumerate(genome.contigs)}
    features: list[Gene | RnaGene | OtherFeature] = []
    for contig in genome.contigs:
        features += (*contig.genes, *contig.rna_genes, *contig.other_features)
    own = [tag for feature in features if (tag := feature.locus_tag)]
    number = max(before, last_number(own, prefix) // TAG_STEP)
    tags: dict[_Name, str] = {}
    for feature in sorted(features, key=lambda one: (at[one.contig], one.location.span)):
        if _name(feature) not in tags and prefix_of(feature.locus_tag or "") != prefix:
            number += 1
            tags[_name(feature)] = f"{prefix}_{number * TAG_STEP:05d}"
    shared: Counter[str] = Counter()
    contigs = (
        replace(
            contig,
            genes=tuple(_retagged(one, tags, shared) for one in contig.genes),
            rna_genes=tuple(_retagged(one, tags, shared) for one in contig.rna_genes),
            other_features=tuple(_retagged(one, tags, shared) for one in contig.other_features),
        )
        for contig in genome.contigs
    )
    return replace(genome, contigs=tuple(contigs))


def _name(feature: Gene | RnaGene | OtherFeature) -> _Name:
    return feature.contig, feature.locus_tag or feature.id


def _retagged(feature: _Tagged, tags: Mapping[_Name, str], shared: Counter[str]) -> _Tagged:
    tag = tags.get(_name(feature))
    if tag is None:
        return feature
    shared[tag] += 1
    again = f"_{shared[tag]}" if shared[tag] > 1 else ""
    return replace(feature, id=f"{tag}{again}", new_tag=tag)
