"""What a group of genomes must not meet: families and a reference that know nothing of it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from genint.cache.profiles import made_once
from genint.knowledge.protein_index import INDEX_FORMAT, open_index
from genint.knowledge.protein_index_build import build_index
from genint.model.evidence import ReferenceEntry, ReferenceProtein, residues_digest
from genint.model.vocabulary import EvidenceSource
from genint.sources.similarity.search import ReferenceDatabase
from training.blind.builds import build_blind
from training.blind.relatives import Hidden, align, decide
from training.confidence.panel import Group
from training.families.readers import record_id
from training.families.values import Corpus, Exclusion, Naming, Origin

_REFERENCE_ORIGINS = (Origin.SWISSPROT, Origin.SUBMITTER)
"""Who names proteins that are compared with, as curated databases do; the first is preferred."""


@dataclass(frozen=True, slots=True)
class Folders:
    """Where the measurement works.

    Attributes:
        data: The data folder.
        work: Builds, references and observations, kept from run to run.
        families: Work folder of the family builds.
    """

    data: Path
    work: Path
    families: Path


def hidden_of(
    groups: Sequence[Group], corpus: Corpus, *, novel: bool, kept: Path | None = None
) -> Mapping[str, Hidden]:
    """What is to be hidden from each group, by its name.

    Args:
        groups: Genomes that are left out together.
        corpus: Everything that families are made of.
        novel: Hide what is >= 90 % identical too, besides near relatives.
        kept: Folder where what the search finds is remembered.

    Cost: 2 min, mostly of one search of all proteins in the corpus.
    """
    members = [(group, genome) for group in groups for genome in group.genomes]
    found = align({genome.name: genome.proteins for _, genome in members}, corpus, kept)
    hidden: dict[str, Hidden] = {}
    for group, genome in members:
        one = decide(
            found[genome.name],
            len(genome.proteins),
            corpus,
            own_records=genome.records,
            novel=novel,
        )
        hidden[group.name] = together((hidden.get(group.name, Hidden((), ())), one))
    return hidden


def together(hidden: Iterable[Hidden]) -> Hidden:
    """All that any of them hides."""
    listed = tuple(hidden)
    return Hidden(
        tuple(sorted({record for one in listed for record in one.records})),
        tuple(sorted({protein for one in listed for protein in one.proteins})),
    )


def blind_families(hidden: Hidden, folders: Folders, fold: str) -> Path:
    """Families without what is hidden, kept by the name of their fold.

    Cost: 100 min for the first fold, less for others; nothing where they are there.
    """
    text = hidden.text("genomes of the panel")
    output = _builds(folders) / fold
    return build_blind(text, data=folders.data, work=folders.families, output=output)


def made_families(folders: Folders) -> tuple[Path, ...]:
    """Folders of the blind builds that were made."""
    return tuple(sorted(_builds(folders).glob("*/")))


def _builds(folders: Folders) -> Path:
    return folders.work / "families"


def blind_reference(hidden: Hidden, corpus: Corpus, folders: Folders) -> ReferenceDatabase:
    """Named proteins to compare with, without what is hidden. Cost: 10 s at the first time."""
    exclusion = Exclusion(frozenset(map(record_id, hidden.records)), frozenset(hidden.proteins))
    digest = hashlib.sha256(hidden.text("").encode()).hexdigest()
    name = f"proteins-{digest[:16]}-{INDEX_FORMAT}"
    proteins = _proteins(corpus.without(exclusion))
    folder = made_once(folders.work / "references", name, lambda at: build_index(proteins, at))
    if folder is None:
        raise OSError(f"no reference can be kept in {folders.work}")
    return ReferenceDatabase(
        EvidenceSource.SWISSPROT, "reference", folder, open_index(folder).info.digest
    )


def _proteins(corpus: Corpus) -> Iterator[ReferenceProtein]:
    for protein in corpus.proteins.values():
        naming = _best_naming(protein.namings)
        if naming is not None:
            entry = ReferenceEntry(
                f"{naming.record}:{protein.hash[:8]}",
                naming.product,
                naming.symbol,
                length_aa=len(protein.residues),
                digest=residues_digest(protein.residues),
            )
            yield ReferenceProtein(entry, protein.residues)


def _best_naming(namings: Sequence[Naming]) -> Naming | None:
    for origin in _REFERENCE_ORIGINS:
        found = next((one for one in namings if one.origin is origin and one.product), None)
        if found is not None:
            return found
    return None
