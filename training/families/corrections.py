"""What people know better than the corpus: wrong names, families and proteins, with reasons.

``names_read.tsv`` holds what came of reading the names of all families beside those of their
members: a better name, another gene symbol or other enzyme numbers, each with what the members are.
A name may be wider than what any record says (heme-copper oxidase): then the table lists the names
of members that it covers. An entry of ``corrections.toml`` for the same family comes before it.

``corrections.toml`` holds three kinds of entries, each with its reason:

* ``[[name]]``: a wording that is wrong wherever it stands (or only for an origin, a
  lineage, a range of lengths): replaced or ignored.
* ``[[family]]``: the name of one family, or that it be dropped.
* ``[[protein]]``: a protein whose names are not to be believed.
"""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from training.families.inputs import InputError, read_text
from training.families.values import Cluster, Lineage, Naming, Origin, TrainingProtein

FILE = Path(__file__).with_name("corrections.toml")
NAMES_READ = Path(__file__).with_name("names_read.tsv")
_NONE = "-"
"""In that table: the members have no gene symbol, or enzyme number, in common. Empty: it is not
decided here."""
_DROPPED = "DROP"
"""There, as a name: it is no family."""
_COVERED = " ; "
"""There, between names of members."""
ID_DIGITS = 8
"""Of the checksum of a protein that a family is called after."""
_FAMILY_ID = r"GF[0-9A-F]{8}"
_HASH_DIGITS = 10
"""Shortest prefix of a protein's hash: 40 bits single out one of 80,000 proteins."""


@dataclass(frozen=True, slots=True)
class NameCorrection:
    """A wording that is wrong.

    Attributes:
        pattern: Regular expression of the whole product text, whatever its case.
        replacement: What it should have said; None: the name counts as no name.
        reason: Why, for whoever reads the file.
        origin: Only names of this origin; None: of any.
        lineage: Only in records of this lineage; None: in any.
        shorter_than_aa: Only proteins of fewer residues; None: of any length.
        longer_than_aa: Only proteins of more residues.
    """

    pattern: re.Pattern[str]
    replacement: str | None
    reason: str
    origin: Origin | None = None
    lineage: Lineage | None = None
    shorter_than_aa: int | None = None
    longer_than_aa: int | None = None

    def applies(self, naming: Naming, length_aa: int) -> bool:
        """Whether this naming of a protein of this length is meant."""
        return (
            (self.origin is None or self.origin is naming.origin)
            and (self.lineage is None or self.lineage is naming.lineage)
            and (self.shorter_than_aa is None or length_aa < self.shorter_than_aa)
            and (self.longer_than_aa is None or length_aa > self.longer_than_aa)
            and self.pattern.fullmatch(naming.product.strip()) is not None
        )

    def __str__(self) -> str:
        return f"name {self.pattern.pattern!r}"


@dataclass(frozen=True, slots=True)
class FamilyCorrection:
    """What a person says of one family.

    Attributes:
        id: Of the family.
        name: What it is; None to leave the name to the votes.
        reason: Why.
        symbol: Its gene symbol; empty for none, None to leave it to the members.
        ec: Its enzyme numbers; none, or None to leave them to the members.
        covers: Names of members that mean the same as its name, or a kind of it.
        is_dropped: It is no family.
        is_read: The name was read from the names of its members.
    """

    id: str
    name: str | None
    reason: str
    symbol: str | None = None
    ec: tuple[str, ...] | None = None
    covers: tuple[str, ...] = ()
    is_dropped: bool = False
    is_read: bool = False

    def __str__(self) -> str:
        return f"family {self.id}"


@dataclass(frozen=True, slots=True)
class ProteinCorrection:
    """A protein whose names are not believed; it stays a member."""

    hash_prefix: str
    reason: str

    def __str__(self) -> str:
        return f"protein {self.hash_prefix}"


@dataclass(frozen=True, eq=False)
class Corrections:
    """All entries of the file, in its order.

    Attributes:
        names: Of wordings.
        families: By the id of the family.
        proteins: Of single proteins.
        parts: Ids of parts of clusters that have an entry: it is none of their cluster.
    """

    names: tuple[NameCorrection, ...] = ()
    families: Mapping[str, FamilyCorrection] | None = None
    proteins: tuple[ProteinCorrection, ...] = ()
    parts: frozenset[str] = frozenset()

    def of_build(self, groups: Iterable[Cluster]) -> Corrections:
        """The same entries for a build with these clusters and parts."""
        parts = (group.id for group in groups if group.whole)
        return replace(self, parts=frozenset(self.families or ()).intersection(parts))

    def product(self, naming: Naming, length_aa: int) -> str | None:
        """The product text to believe; None where the name is to be ignored.

        The first entry that applies decides.
        """
        for entry in _candidates(self, naming.product):
            if entry.applies(naming, length_aa):
                return entry.replacement
        return naming.product

    def distrusts(self, protein: TrainingProtein) -> bool:
        """Whether no name of this protein counts."""
        return any(protein.hash.startswith(entry.hash_prefix) for entry in self.proteins)

    def family(self, id_: str, members: Iterable[TrainingProtein] = ()) -> FamilyCorrection | None:
        """What is said of a family: under its id, or that of any of its members.

        A family is called after its longest protein. Of several of one length, which one that is
        may change from build to build. What is said of a cluster holds for its part around that
        protein; what is said of a part does not hold for the cluster.
        """
        entries = self.families or {}
        if id_ in entries:
            return entries[id_]
        others = sorted({id_of(member.hash) for member in members} - self.parts)
        return next((entries[one] for one in others if one in entries), None)


@lru_cache(maxsize=65_536)
def _candidates(corrections: Corrections, product: str) -> tuple[NameCorrection, ...]:
    """Entries whose pattern fits, remembered: most product texts come back often."""
    text = product.strip()
    return tuple(entry for entry in corrections.names if entry.pattern.fullmatch(text))


def id_of(hash_: str) -> str:
    """The id of a family that is called after a protein, by the checksum of its residues."""
    return f"GF{hash_[:ID_DIGITS].upper()}"


def unused(
    corrections: Corrections, proteins: Iterable[TrainingProtein], family_ids: Iterable[str]
) -> tuple[str, ...]:
    """Entries that fit nothing in a full build: misspelt, or no longer needed."""
    names, prefixes = set(corrections.names), set(corrections.proteins)
    for protein in proteins:
        prefixes -= {entry for entry in prefixes if protein.hash.startswith(entry.hash_prefix)}
        for naming in protein.namings:
            for entry in _candidates(corrections, naming.product):
                if entry.applies(naming, len(protein.residues)):
                    names.discard(entry)
    known = frozenset(family_ids)
    families = [entry for entry in (corrections.families or {}).values() if entry.id not in known]
    left = [entry for entry in corrections.names if entry in names]
    lost = [entry for entry in corrections.proteins if entry in prefixes]
    return tuple(str(entry) for entry in (*left, *families, *lost))


def load_corrections(path: Path = FILE, *, with_names_read: bool = True) -> Corrections:
    """Read the file, and the table of names that were read beside it.

    Args:
        path: The file.
        with_names_read: Not for builds that hide genomes: whoever read the names saw them.

    Raises:
        InputError: the file cannot be read, or an entry has a mistake; the message names it.
    """
    try:
        entries = parse(tomllib.loads(read_text(path)))
    except ValueError as cause:  # of TOML or of an entry
        raise InputError(f"{path.name}: {cause}") from cause
    if not with_names_read:
        return entries
    read = {entry.id: entry for entry in _names_read(path.with_name(NAMES_READ.name))}
    return replace(entries, families=read | dict(entries.families or {}))


def _names_read(path: Path) -> Iterator[FamilyCorrection]:
    """Entries of the table of names that were read; none where there is no table."""
    if not path.exists():
        return
    rows = csv.DictReader(
        read_text(path).splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE, strict=True
    )
    for number, row in enumerate(rows, start=2):
        if not re.fullmatch(_FAMILY_ID, row["id"]) or not row["why"]:
            raise InputError(f"{path.name}, line {number}: needs the id of a family and a reason")
        if not (row["name"] or row["symbol"] or row["ec"]):
            raise InputError(
                f"{path.name}, line {number}: changes no name, symbol or enzyme number"
            )
        dropped = row["name"] == _DROPPED
        yield FamilyCorrection(
            id=row["id"],
            name=None if dropped else row["name"] or None,
            reason=row["why"],
            symbol="" if row["symbol"] == _NONE else row["symbol"] or None,
            ec=_numbers(row["ec"]),
            covers=tuple(filter(None, row["covers"].split(_COVERED))),
            is_dropped=dropped,
            is_read=True,
        )


def _numbers(text: str) -> tuple[str, ...] | None:
    return tuple(sorted(text.split())) if text and text != _NONE else () if text else None


def parse(table: Mapping[str, Any]) -> Corrections:
    """Entries of the parsed file; see :func:`load_corrections`."""
    if strange := sorted(set(table) - {"name", "family", "protein"}):
        raise ValueError(f"corrections: unknown kind of entry {', '.join(strange)}")
    for kind, rows in table.items():
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise ValueError(f"corrections: entries begin with [[{kind}]]")
    families = [_family(row) for row in table.get("family", ())]
    by_id = {entry.id: entry for entry in families}
    if len(by_id) < len(families):
        twice = next(e.id for at, e in enumerate(families) if e.id in {f.id for f in families[:at]})
        raise ValueError(f"correction of family {twice}: stands twice")
    return Corrections(
        names=tuple(_name(row) for row in table.get("name", ())),
        families=by_id,
        proteins=tuple(_protein(row) for row in table.get("protein", ())),
    )


_NAME_KEYS = frozenset(
    "pattern replacement ignore origin lineage shorter_than_aa longer_than_aa reason".split()
)


def _name(row: Mapping[str, Any]) -> NameCorrection:
    what = f"correction of name {row.get('pattern', '?')!r}"
    _check(row, what, _NAME_KEYS, needs="pattern")
    _check_choice(row, what, "replacement", "ignore")
    for key in ("shorter_than_aa", "longer_than_aa"):
        if key in row and type(row[key]) is not int:
            raise ValueError(f"{what}: {key} is not a whole number")
    try:
        return NameCorrection(
            pattern=re.compile(row["pattern"], re.IGNORECASE),
            replacement=row.get("replacement"),
            reason=row["reason"],
            origin=Origin(row["origin"]) if "origin" in row else None,
            lineage=Lineage(row["lineage"]) if "lineage" in row else None,
            shorter_than_aa=row.get("shorter_than_aa"),
            longer_than_aa=row.get("longer_than_aa"),
        )
    except (re.error, ValueError) as cause:
        raise ValueError(f"{what}: {cause}") from cause


def _family(row: Mapping[str, Any]) -> FamilyCorrection:
    what = f"correction of family {row.get('id', '?')}"
    _check(row, what, frozenset({"id", "name", "drop", "reason"}), needs="id")
    _check_choice(row, what, "name", "drop")
    if not re.fullmatch(_FAMILY_ID, row["id"]):
        raise ValueError(f"{what}: an id is GF and 8 upper-case hex digits")
    return FamilyCorrection(row["id"], row.get("name"), row["reason"], is_dropped="drop" in row)


def _protein(row: Mapping[str, Any]) -> ProteinCorrection:
    what = f"correction of protein {row.get('hash', '?')}"
    _check(row, what, frozenset({"hash", "ignore", "reason"}), needs="hash")
    _check_choice(row, what, "ignore", "ignore")
    if not re.fullmatch(rf"[0-9a-f]{{{_HASH_DIGITS},64}}", row["hash"]):
        raise ValueError(f"{what}: at least {_HASH_DIGITS} lower-case hex digits are needed")
    return ProteinCorrection(row["hash"], row["reason"])


def _check(row: Mapping[str, Any], what: str, allowed: frozenset[str], *, needs: str) -> None:
    if strange := sorted(set(row) - allowed):
        raise ValueError(f"{what}: unknown key {', '.join(strange)}")
    for key in (needs, "reason"):
        if not isinstance(row.get(key), str) or not row[key].strip():
            raise ValueError(f"{what}: lacks its {key}")


def _check_choice(row: Mapping[str, Any], what: str, text: str, flag: str) -> None:
    """Exactly one of a replacing text and a flag that is true."""
    if flag in row and row[flag] is not True:
        raise ValueError(f"{what}: {flag} can only be true")
    if len({text, flag} & set(row)) != 1:
        raise ValueError(f"{what}: needs one of {text} and {flag}")
    said = row.get(text, True)
    if said is not True and (not isinstance(said, str) or not said.strip()):
        raise ValueError(f"{what}: its {text} is no text")
