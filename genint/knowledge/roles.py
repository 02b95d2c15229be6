"""Roles: functions that product names denote, with category, COG letter and GO terms.

The table is ``data/roles.toml``, written for genint. A role brings wordings of one function
together (major head protein, coat protein, major capsid protein) without rewriting names.

A word in a name is enough for a category, never for a GO term: a helicase loader is no helicase
and an RNA polymerase sigma factor no RNA polymerase. Terms are given only where every word of
the name is accounted for: by the actor's name, by words that the role allows beside it, or as a
symbol.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from genint.knowledge.patterns import Pattern, either
from genint.knowledge.spelling import plain_wording
from genint.knowledge.table_files import ROLES, read_shipped
from genint.model.evidence import GoTerm
from genint.model.vocabulary import Category, GoAspect

_INHIBITION = re.compile(r"inhibit|antagonist")
_PARTNER = re.compile(
    r"leader peptide|modif(?:ier|ying)|modulat|loader|attachment|accessory|\bbinds\b|associated"
    r"|specific for|stimulat|adapt[oe]r|activat(?:or|ing)\b|activator of|related|[- ]like\b"
    r"|clustered|recruit|stabili[sz]|inhibit|suppress|interact|homolog"
)
"""Words by which a name means a partner of the actor rather than the actor."""
_NO_TRANSCRIPTION = re.compile(
    r"translation|biofilm formation|regulator of the transcription|associated|anti-?sigma"
    r"|modulat|accessory|related|clustered|homolog|specific for|stabili[sz]"
)
"""The same where a name may go on freely, as those of regulators do."""
_ORIGIN = re.compile(
    r"\s*#.*$|,?\s*\b(?:pro)?phage[- ]associated\b"
    r"|\s+(?:from|of) (?:a |putative |lambdoid )*(?:bacterio|pro)?phage(?: origin)?$",
    re.IGNORECASE,
)
"""Where the gene comes from: nothing about the function of its protein."""
_CLAUSE_END = re.compile(r";\s|\s@\s")
_TOKEN = re.compile(r"[^\s,]+")
_MEMBER_ONLY = re.compile(r"family(?: protein)?$|superfamily|homolog|domain", re.IGNORECASE)
"""Belonging to a family, or holding a domain, is less than being the actor."""
_SYMBOL = re.compile(
    r"""\(?(?:
        (?!RNA|DNA|ATP|GTP)[A-Z][a-z]{2}[A-Z]{0,2}\d{0,3}[A-Z]?  # RecG, Dam, DnaA2
      | Rz1? | [A-Z]{1,2}\d{1,3}(?:\.\d+)?                       # T7, N4
      | (?:IS|ISL|Tn)[A-Z]?[a-z]*\d+                             # IS150, ISMmy1
      | [Gg]p\d*(?:\.\d+)?[A-Z]?
    )(?:-like|-type)?\)?
    | \(?(?:[A-Z] | \d+ | [IVX]+ | Y-int)\)?""",
    re.VERBOSE,
)
_ALWAYS_BESIDE = frozenset(
    "phage bacteriophage prophage putative probable predicted protein proteins family type class"
    " enzyme the conserved viral".split()
)


@dataclass(frozen=True, slots=True)
class Statement:
    """GO terms that hold for the actors of a role, or for some of them.

    Attributes:
        names: Pattern of what the actor is called, in any case; found anywhere in a clause.
        beside: Other words that the clause may have, lower case.
        open: It may have any other words but those that name a partner.
        go: The terms; none where only the role's COG letter holds for these names.
    """

    names: str
    beside: frozenset[str]
    open: bool
    go: tuple[GoTerm, ...]

    def holds_for(self, name: str) -> bool:
        """Whether a clause of the name, in its own case, is the actor's name."""
        return any(self._matches_clause(clause) for clause in _CLAUSE_END.split(name))

    def _matches_clause(self, clause: str) -> bool:
        rest, found = _in_any_case(self.names).subn(" ", clause)
        if not found:
            return False
        if self.open:
            return not _NO_TRANSCRIPTION.search(clause.lower())
        if _MEMBER_ONLY.search(clause):
            return False
        return all(self._is_accounted_for(token) for token in _TOKEN.findall(rest))

    def _is_accounted_for(self, token: str) -> bool:
        lowered = token.lower()
        return (
            lowered in self.beside
            or lowered in _ALWAYS_BESIDE
            or _SYMBOL.fullmatch(token) is not None
        )


@dataclass(frozen=True, slots=True)
class Role:
    """One role.

    Attributes:
        id: Stable key, such as ``terminase_large``.
        name: How the role is called in a report.
        category: Functional category of every gene that plays it.
        cog: COG letter of the actors, None where they differ in it.
        statements: Which GO terms hold for which actors.
        matches: Pattern that a name of this role contains.
        excludes: Pattern that a name of this role never contains, or None.
        broad: Many functions play it: two of its names don't agree by that alone.
        inhibitor: The role inhibits something; other roles never fit a name with
            words of inhibition.
    """

    id: str
    name: str
    category: Category
    cog: str | None
    statements: tuple[Statement, ...]
    matches: Pattern
    excludes: Pattern | None
    broad: bool
    inhibitor: bool

    def plays(self, name: str) -> bool:
        """Whether a lower-case name has this role's pattern and none it excludes."""
        if not self.matches.is_in(name):
            return False
        return self.excludes is None or not self.excludes.is_in(name)

    def go_of(self, name: str) -> tuple[GoTerm, ...]:
        """Terms that hold for a protein of this role and name, in its own case."""
        name = _without_origin(name)
        terms = (
            term
            for statement in self.statements
            if statement.holds_for(name)
            for term in statement.go
        )
        return tuple(dict.fromkeys(terms))

    def cog_of(self, name: str) -> str | None:
        """The COG letter of a protein of this role and name, where it is an actor."""
        if self.cog is None:
            return None
        name = _without_origin(name)
        if self.statements:
            return (
                self.cog
                if any(statement.holds_for(name) for statement in self.statements)
                else None
            )
        return None if _PARTNER.search(name.lower()) else self.cog


@lru_cache(maxsize=1_024)
def _in_any_case(pattern: str) -> re.Pattern[str]:
    """Compiled when it is tried first: most runs need few."""
    return re.compile(pattern, re.IGNORECASE)


def _without_origin(name: str) -> str:
    return _ORIGIN.sub("", plain_wording(name)).strip()


@dataclass(frozen=True, slots=True, eq=False)
class RoleTable:
    """All roles in the order in which they are tried.

    Attributes:
        roles: Every role.
        inhibitors: Those that fit names with words of inhibition.
    """

    version: str
    roles: tuple[Role, ...]
    inhibitors: tuple[Role, ...]

    def role_of(self, name: str) -> Role | None:
        """First role that a product name or family description denotes.

        Cost: some 60 regular expressions, about 50 microseconds.
        """
        return _first_role(self, plain_wording(name.lower()))


@lru_cache(maxsize=32_768)
def _first_role(table: RoleTable, lowered: str) -> Role | None:
    """Cached, as the same names recur from gene to gene."""
    # An inhibitor of an enzyme is never the enzyme.
    roles = table.inhibitors if _INHIBITION.search(lowered) else table.roles
    return next((role for role in roles if role.plays(lowered)), None)


@cache
def load_roles() -> RoleTable:
    """Read the table that ships with genint. Cost: about 20 ms."""
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
            statements=tuple(_statement(one, terms) for one in row.get("says", ())),
            matches=either(row["patterns"]),
            excludes=either(row["exclude"]) if "exclude" in row else None,
            broad=row.get("broad", False),
            inhibitor=row.get("inhibitor", False),
        )
        for row in table["role"]
    )
    inhibitors = tuple(role for role in roles if role.inhibitor)
    return RoleTable(version=table["version"], roles=roles, inhibitors=inhibitors)


def _statement(row: Mapping[str, Any], terms: Mapping[str, GoTerm]) -> Statement:
    return Statement(
        names="|".join(row["names"]),
        beside=frozenset(row.get("beside", ())),
        open=row.get("open", False),
        go=tuple(terms[term] for term in row["go"]),
    )
