"""Syntax of GFF3: rows, attributes and what has to be escaped where.

Source: Sequence Ontology, Generic Feature Format Version 3, 1.26 (18 August 2020).
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple, TypeAlias

from genint.report.texts import shown_text

Attributes: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
"""Tag and values of each attribute, in the order of writing; those without values fall out."""

_SEQID_FORBIDS: Final = re.compile(r"[^a-zA-Z0-9.:^*$@!+_?\-|]")
_VALUE_FORBIDS: Final = re.compile(r"[\x00-\x1f\x7f%;=&,]")


class Row(NamedTuple):
    """One line of a feature.

    Attributes:
        seqid: Id of the record, as the result has it.
        kind: A term of the Sequence Ontology.
        start: 1-based first base, never larger than ``end``.
        end: Last base; larger than the record over the origin of a circle.
        phase: Bases to skip before the first whole codon; None but in CDS.
    """

    seqid: str
    source: str
    kind: str
    start: int
    end: int
    strand: str
    attributes: Attributes
    score: float | None = None
    phase: int | None = None

    def line(self) -> str:
        """The row as text, escaped, without line end."""
        columns = (
            escaped_seqid(self.seqid),
            self.source,
            self.kind,
            str(self.start),
            str(self.end),
            "." if self.score is None else str(self.score),
            self.strand,
            "." if self.phase is None else str(self.phase),
            _written(self.attributes),
        )
        return "\t".join(columns)


def escaped_seqid(record: str) -> str:
    """A record id for the first column, where only few characters may stand as they are.

    ``>`` is not one of them, so no row is taken for the head of a sequence.
    """
    return _SEQID_FORBIDS.sub(_percent, record)


def identifier(text: str) -> str:
    """An id for the ninth column that stays unlike any other, whatever stands in it.

    Characters that cannot be shown are escaped, not replaced: replacing could make two
    ids one.
    """
    escaped = _VALUE_FORBIDS.sub(_percent, text)
    if escaped.isprintable():
        return escaped
    return "".join(c if c.isprintable() else _percent_of(c) for c in escaped)


def _written(attributes: Attributes) -> str:
    told = (
        f"{tag}={','.join(values if tag in {'ID', 'Parent'} else map(_value, values))}"
        for tag, values in attributes
        if values
    )
    return ";".join(told) or "."


def _value(text: str) -> str:
    return _VALUE_FORBIDS.sub(_percent, shown_text(text))


def _percent(found: re.Match[str]) -> str:
    return _percent_of(found[0])


def _percent_of(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "surrogatepass"))
