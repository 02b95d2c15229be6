"""Queries of UniProt: the part of Lucene's language that is asked in, with its limit of OR."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

_TOKEN = re.compile(r'\s*(\(|\)|AND\b|OR\b|NOT\b|[\w]+:"[^"]*"|[^\s()]+)')
KNOWN_FIELDS = frozenset(
    "accession gene gene_exact organism_id taxonomy_id reviewed existence annotation_score "
    "checksum proteome uniparc upi xref database go".split()
)


class BadQuery(ValueError):
    """The words of a 400."""


@dataclass(frozen=True)
class Term:
    """``field:value``."""

    field: str
    value: str


@dataclass(frozen=True)
class Group:
    """Terms and groups with what joins them; a single one is always required."""

    parts: tuple[Term | Group, ...]
    is_and: bool

    @property
    def or_terms(self) -> int:
        """Optional clauses at every depth, as the server counts them."""
        own = 0 if self.is_and or len(self.parts) == 1 else len(self.parts)
        return own + sum(part.or_terms for part in self.parts if isinstance(part, Group))


def parse(query: str, most_or_terms: int) -> Group:
    """A query as a tree.

    Raises:
        BadQuery: it is not one, asks in unknown fields, or has too many OR.
    """
    tokens = _TOKEN.findall(query)
    if not tokens:
        raise BadQuery("'query' is a required parameter")
    group, rest = _group(tokens)
    if rest:
        raise BadQuery("query parameter has an invalid syntax")
    if group.or_terms > most_or_terms:
        raise BadQuery(f"Too many OR conditions in query. Maximum allowed is {most_or_terms}.")
    return group


def _group(tokens: list[str]) -> tuple[Group, list[str]]:
    parts: list[Term | Group] = []
    joins: set[str] = set()
    join = ""
    while tokens and tokens[0] != ")":
        token, *tokens = tokens
        if token in ("AND", "OR"):
            join = token
            continue
        if token == "(":
            part, tokens = _group(tokens)
            if not tokens:
                raise BadQuery("query parameter has an invalid syntax")
            tokens = tokens[1:]
            parts.append(part)
        else:
            parts.append(_term(token))
        if len(parts) > 1:
            joins.add(join or "OR")  # a blank is an OR
        join = ""
    if not parts or join or len(joins) > 1:
        # the real server mixes AND and OR by rules of its own; nobody should rely on them
        raise BadQuery("query parameter has an invalid syntax")
    return Group(tuple(parts), joins == {"AND"}), tokens


def _term(token: str) -> Term:
    field, found, value = token.partition(":")
    if not found or not value or token == "NOT":
        raise BadQuery("query parameter has an invalid syntax")
    if field not in KNOWN_FIELDS:
        raise BadQuery(f"'{field}' is not a valid search field")
    return Term(field, value.strip('"').lower())


def answer(group: Group, find: Callable[[Term], dict[str, object]]) -> dict[str, object]:
    """What a query finds, by id, in the order of its terms."""
    found = [answer(part, find) if isinstance(part, Group) else find(part) for part in group.parts]
    if not group.is_and:
        return {key: value for some in found for key, value in some.items()}
    # reviewed:true finds half of everything: start from the smallest
    smallest = min(found, key=len)
    return {key: value for key, value in smallest.items() if all(key in some for some in found)}
