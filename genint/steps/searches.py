"""Searches that a run makes with every protein, each with a name for its answers.

The name (``source``) holds everything that an answer depends on besides the protein: an
answer kept under it is right for as long as the name comes up again. Answers are kept as
JSON, which gives every number back as it was.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from genint.model.evidence import ProfileHit, SimilarityHit
from genint.model.reference import ReferenceEntry
from genint.model.vocabulary import EvidenceSource
from genint.version import __version__

if TYPE_CHECKING:
    from genint.sources.profile_database import ProfileDatabase
    from genint.sources.search_order import FamilyOrder
    from genint.sources.similarity_search import ReferenceDatabase

Protein = tuple[str, str]
"""Gene id and residues."""
Hit = ProfileHit | SimilarityHit
IsCancelled = Callable[[], bool] | None
_VERIFY = "it cannot be read; `genint db verify {name}` says what is wrong and what to do"
_CLEAR = "its index cannot be read; `genint cache clear --profiles`, then run again"


class Search(Protocol):
    """One way of asking what a protein is like; frozen, hashable, picklable."""

    @property
    def source(self) -> str:
        """Everything besides the protein that an answer depends on."""
        ...

    @property
    def cure(self) -> str | None:
        """What to say where what it reads is damaged; None where nothing can be."""
        ...

    def prepared(self, cache_folder: Path) -> Search:
        """The same with everything pressed that all tasks need."""
        ...

    def find(
        self, proteins: Sequence[Protein], cache_folder: Path, is_cancelled: IsCancelled
    ) -> tuple[Hit, ...]:
        """Hits of proteins, in their order."""
        ...

    def pack(self, hits: Sequence[Hit]) -> str:
        """Hits of one protein as text, without its id."""
        ...

    def unpack(self, gene_id: str, text: str) -> tuple[Hit, ...]:
        """Hits of a gene from such a text."""
        ...


class _ProfileAnswers:
    """How answers of profile searches are kept."""

    __slots__ = ()

    def pack(self, hits: Sequence[Hit]) -> str:
        """Hits of one protein as text, without its id."""
        return json.dumps([hit[1:] for hit in hits], separators=(",", ":"))

    def unpack(self, gene_id: str, text: str) -> tuple[Hit, ...]:
        """Hits of a gene from such a text."""
        return tuple(ProfileHit(gene_id, *row) for row in json.loads(text))


@dataclass(frozen=True, slots=True)
class ProfileSearch(_ProfileAnswers):
    """All profiles of a pack, or of a block of an installed database."""

    database: ProfileDatabase

    @property
    def source(self) -> str:
        """See :class:`Search`."""
        return f"profiles|{self.database.identity}|genint {__version__}"

    @property
    def cure(self) -> str | None:
        """See :class:`Search`; what ships is rebuilt where the cache is damaged."""
        if not self.database.is_installed:
            return None
        return f"{self.database.file}: {_VERIFY.format(name='pfam')}"

    def prepared(self, cache_folder: Path) -> ProfileSearch:
        """See :class:`Search`."""
        return ProfileSearch(pressed(self.database, cache_folder))

    def find(
        self, proteins: Sequence[Protein], cache_folder: Path, is_cancelled: IsCancelled
    ) -> tuple[Hit, ...]:
        """See :class:`Search`."""
        from genint.sources.profile_search import search_chunk  # noqa: PLC0415 - lazy

        database = pressed(self.database, cache_folder)
        return search_chunk(proteins, database, is_cancelled=is_cancelled)


@dataclass(frozen=True, slots=True)
class FamilySearch(_ProfileAnswers):
    """The families of genint's own, those that fit the genome first."""

    order: FamilyOrder

    @property
    def source(self) -> str:
        """See :class:`Search`."""
        packs = f"{self.order.fitting.identity}|then|{self.order.other.identity}"
        return f"families|{packs}|genint {__version__}"

    @property
    def cure(self) -> str | None:
        """See :class:`Search`; what ships is rebuilt where the cache is damaged."""
        return None

    def prepared(self, cache_folder: Path) -> FamilySearch:
        """See :class:`Search`; the other pack is pressed once a protein needs it."""
        fitting = pressed(self.order.fitting, cache_folder)
        return FamilySearch(replace(self.order, fitting=fitting))

    def find(
        self, proteins: Sequence[Protein], cache_folder: Path, is_cancelled: IsCancelled
    ) -> tuple[Hit, ...]:
        """See :class:`Search`."""
        from genint.sources.search_order import search_families  # noqa: PLC0415 - lazy

        return search_families(
            proteins,
            self.order,
            lambda database: pressed(database, cache_folder),
            is_cancelled=is_cancelled,
        )


@dataclass(frozen=True, slots=True)
class SimilaritySearch:
    """The proteins of a reference.

    Attributes:
        database: The reference.
        max_identity: Share of identical positions from which its entries are left out.
    """

    database: ReferenceDatabase
    max_identity: float | None

    @property
    def source(self) -> str:
        """See :class:`Search`."""
        from genint.sources.similarity_search import SEARCH_VERSION  # noqa: PLC0415 - lazy

        what = f"{self.database.digest}|below {self.max_identity}|{_aligner()}|{SEARCH_VERSION}"
        return f"similarity|{what}|genint {__version__}"

    @property
    def cure(self) -> str:
        """See :class:`Search`."""
        if self.database.source is EvidenceSource.SWISSPROT:
            return f"{self.database.name}: {_VERIFY.format(name='swissprot')}"
        return f"{self.database.name}: {_CLEAR}"

    def prepared(self, cache_folder: Path) -> SimilaritySearch:
        """See :class:`Search`; the index is there already."""
        del cache_folder
        return self

    def find(
        self, proteins: Sequence[Protein], cache_folder: Path, is_cancelled: IsCancelled
    ) -> tuple[Hit, ...]:
        """See :class:`Search`."""
        from genint.sources.similarity_search import search_similar  # noqa: PLC0415 - lazy

        del cache_folder
        return search_similar(
            proteins, self.database, max_identity=self.max_identity, is_cancelled=is_cancelled
        )

    def pack(self, hits: Sequence[Hit]) -> str:
        """Hits of one protein as text, without its id."""
        return json.dumps([hit[3:] for hit in hits], separators=(",", ":"))

    def unpack(self, gene_id: str, text: str) -> tuple[Hit, ...]:
        """Hits of a gene from such a text."""
        source, name = self.database.source, self.database.name
        return tuple(
            SimilarityHit(gene_id, source, name, _entry(entry), *figures)
            for entry, *figures in json.loads(text)
        )


def _aligner() -> str:
    from importlib.metadata import version  # noqa: PLC0415 - lazy

    return f"pyopal {version('pyopal')}"


def _entry(row: Sequence[object]) -> ReferenceEntry:
    """An entry whose tuples became lists on the way."""
    return ReferenceEntry(*(tuple(x) if isinstance(x, list) else x for x in row))  # type: ignore[arg-type]  # as they were packed


def pressed(database: ProfileDatabase, cache_folder: Path) -> ProfileDatabase:
    """The database with its profiles pressed, where they can be kept.

    Cost: 0.01 s; some 2.5 s a million nodes for the first time with a cache folder.
    """
    from genint.cache.profiles import pressed_profiles  # noqa: PLC0415 - lazy
    from genint.knowledge.pressing import press  # noqa: PLC0415

    if not database.profiles or database.pressed is not None:
        return database
    stem = pressed_profiles(
        cache_folder, digest=database.digest, press=lambda place: press(database.rebuild(), place)
    )
    return replace(database, pressed=stem)
