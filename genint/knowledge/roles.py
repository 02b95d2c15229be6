"""Roles: what a product name stands for, with category, COG letter and GO terms.

The table is ``data/roles.toml``, written for genint. A role brings wordings of
one function together (major head protein, coat protein, major capsid protein)
without rewriting anybody's name.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache

from genint.knowledge.shipped import ROLES, read_shipped
from genint.model.evidence import GoTerm
from genint.model.vocabulary import Category, GoAspect

_INHIBITION = re.compile(r"inhibit|antagonist")


@dataclass(frozen=True, slots=True)
class Role:
    """One role.

    Attributes:
        id: Stable key, such as ``terminase_large``.
        name: How the role is called in a report.
        category: Functional category of every gene that plays it.
        cog: COG letter, None where members differ in it.
        go: Terms that hold for every member.
        matches: Pattern that a name of this role contains.
        excludes: Pattern that a name of this role never contains, or None.
        broad: Many functions play it: two of its names don't agree by that alone.
        inhibitor: The role blocks something; other roles never fit a name that
            speaks of inhibition.
    """

    id: str
    name: str
    category: Category
    cog: str | None
    go: tuple[GoTerm, ...]
    matches: re.Pattern[str]
    excludes: re.Pattern[str] | None
    broad: bool
    inhibitor: bool

    def plays(self, name: str) -> bool:
        """Whether a lower-case name has this role's pattern and none it excludes."""
        if not self.matches.search(name):
            return False
        return self.excludes is None or not self.excludes.search(name)


@dataclass(frozen=True, slots=True, eq=False)
class RoleTable:
    """All roles in the order in which they are tried.

    Attributes:
        roles: Every role.
        inhibitors: Those that a name speaking of inhibition can play.
    """

    version: str
    roles: tuple[Role, ...]
    inhibitors: tuple[Role, ...]

    def role_of(self, name: str) -> Role | None:
        """First role that a product name or family description stands for.

        Cost: some 60 regular expressions, about 50 microseconds.
        """
        return _first_role(self, " ".join(name.lower().replace("_", " ").split()))


@lru_cache(maxsize=4_096)
def _first_role(table: RoleTable, lowered: str) -> Role | None:
    """Remembered: the same names come back for gene after gene, and for each question."""
    # What blocks an enzyme is never the enzyme.
    roles = table.inhibitors if _INHIBITION.search(lowered) else table.roles
    return next((role for role in roles if role.plays(lowered)), None)


def load_roles() -> RoleTable:
    """Read the table that ships with genint. Cost: about 10 ms."""
    table = tomllib.loads(read_shipped(ROLES).decode())
    terms = {
        id_: GoTerm(id_, row["name"], GoAspect(row["aspect"])) for id_, row in table["go"].items()
    }
    roles = tuple(
        Role(
            id=row["id"],
            name=row["name"],
            category=Category(row["category"]),
            cog=row.get("cog"),
            go=tuple(terms[term] for term in row.get("go", ())),
            matches=re.compile("|".join(row["patterns"])),
            excludes=re.compile("|".join(row["exclude"])) if "exclude" in row else None,
            broad=row.get("broad", False),
            inhibitor=row.get("inhibitor", False),
        )
        for row in table["role"]
    )
    inhibitors = tuple(role for role in roles if role.inhibitor)
    return RoleTable(version=table["version"], roles=roles, inhibitors=inhibitors)
