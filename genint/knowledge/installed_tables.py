"""Tables of installed databases: what Pfam-A, the Gene Ontology and COG say beyond what ships.

``genint.databases`` writes them; here they are read. Each stands for itself: what is not
installed is None, and what ships is used in its place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from genint.errors import UnavailableError
from genint.knowledge.lazy_table import LazyTable
from genint.model.evidence import GoTerm
from genint.model.vocabulary import GoAspect


class InstalledTables(NamedTuple):
    """Paths of the tables of what is installed.

    Attributes:
        pfam_families: Families of the installed Pfam-A.
        pfam_database: Its name and release, such as ``Pfam 38.0``.
        go_terms: Terms of the Gene Ontology.
        pfam2go: Terms of Pfam families.
        interpro2go: Terms of InterPro entries.
        cog_definitions: Letters of COGs.
    """

    pfam_families: Path | None = None
    pfam_database: str = ""
    go_terms: Path | None = None
    pfam2go: Path | None = None
    interpro2go: Path | None = None
    cog_definitions: Path | None = None


NOTHING_INSTALLED = InstalledTables()


@dataclass(frozen=True, slots=True)
class Terms:
    """What identifiers of a file mean, where that is installed.

    Attributes:
        go: Id -> term; ids that were merged into another one give that one.
        cog: COG id -> its letters.
    """

    go: Mapping[str, GoTerm] = field(default_factory=dict)
    cog: Mapping[str, str] = field(default_factory=dict)

    def completed(self, term: GoTerm) -> GoTerm:
        """A term with the name and aspect that it lacks, under its own id."""
        known = self.go.get(term.id)
        if known is None:
            return term
        return GoTerm(term.id, term.name or known.name, term.aspect or known.aspect)


NO_TERMS = Terms()


def load_terms(tables: InstalledTables) -> Terms:
    """Read the meaning of identifiers.

    Raises:
        UnavailableError: a table is gone.

    Cost: 60 ms for the Gene Ontology.
    """
    return Terms(read_go_terms(tables.go_terms), _cog_letters(tables.cog_definitions))


def read_go_terms(file: Path | None) -> Mapping[str, GoTerm]:
    """Terms by id; rows are id, aspect, name, and the main id where that is another."""
    return {} if file is None else LazyTable(read_table(file), _go_term)


def _go_term(row: tuple[str, ...]) -> GoTerm:
    id_, aspect, name, *main = row
    return GoTerm(next(filter(None, main), id_), name, GoAspect(aspect))


def read_pfam2go(file: Path) -> Mapping[str, tuple[str, ...]]:
    """Pfam accession -> ids of its terms."""
    return LazyTable(read_table(file), lambda row: tuple(row[1].split()))


def read_interpro2go(file: Path, go_terms: Path) -> Mapping[str, tuple[GoTerm, ...]]:
    """InterPro accession -> its terms, with names.

    Raises:
        UnavailableError: a table is gone.
    """
    named = read_go_terms(go_terms)

    def terms(row: tuple[str, ...]) -> tuple[GoTerm, ...]:
        return tuple(named.get(id_) or GoTerm(id_, "") for id_ in row[1].split())

    return LazyTable(read_table(file), terms)


def _cog_letters(file: Path | None) -> Mapping[str, str]:
    return {} if file is None else LazyTable(read_table(file), lambda row: row[1])


def read_table(file: Path) -> list[str]:
    """Lines of a table of an installed database.

    Raises:
        UnavailableError: it is gone.
    """
    try:
        return file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as cause:
        raise UnavailableError(
            f"{file.parent.parent.name}: the installed database cannot be read; `genint db verify "
            f"{file.parent.parent.name}` says what is wrong and what to do"
        ) from cause
