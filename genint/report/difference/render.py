"""Differences as text for a terminal, as TSV, as JSON and as a page side by side."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from jinja2 import Template
from markupsafe import Markup

from genint.model.vocabulary import NameBasis
from genint.report.difference.compare import (
    NAME_CHANGES,
    ChangeKind,
    Difference,
    GeneChange,
)
from genint.report.difference.sides import Observation, Side, SideGene
from genint.report.templates import content_hash, template_environment
from genint.report.tsv import formula_safe
from genint.report.wording import shown_text

SCHEMA_VERSION: Final = "1.1"
"""Of the JSON; a new key raises the second number."""
_HERE: Final = Path(__file__).parent
_WORDS: Final = MappingProxyType(
    {
        ChangeKind.ONLY_A: "only in A",
        ChangeKind.ONLY_B: "only in B",
        ChangeKind.START: "other start",
        ChangeKind.NAMED: "function found",
        ChangeKind.UNNAMED: "function lost",
        ChangeKind.REWORDED: "same function in other words",
        ChangeKind.MORE_SPECIFIC: "more specific name",
        ChangeKind.LESS_SPECIFIC: "less specific name",
        ChangeKind.RENAMED: "another name",
        ChangeKind.LEVEL_UP: "level up",
        ChangeKind.LEVEL_DOWN: "level down",
        ChangeKind.BASIS: "other basis",
        ChangeKind.CLASSES: "other COG, category or GO",
    }
)
_BASES: Final = MappingProxyType(
    {NameBasis.EVIDENCE: "supported by evidence", NameBasis.FILE: "named by the file only"}
)
_DARK: Final = "no function"


class _Column(NamedTuple):
    name: str
    cell: Callable[[GeneChange], str | int | float | None]


def _of(side: str, read: Callable[[SideGene], Any]) -> Callable[[GeneChange], Any]:
    def cell(change: GeneChange) -> Any:
        gene = change.a if side == "a" else change.b
        return None if gene is None else read(gene)

    return cell


def _of_both(name: str, read: Callable[[SideGene], Any]) -> tuple[_Column, _Column]:
    return _Column(f"{name}_a", _of("a", read)), _Column(f"{name}_b", _of("b", read))


TSV_COLUMNS: Final = (
    _Column("record", lambda change: change.gene.record),
    _Column("strand", lambda change: change.gene.strand),
    _Column("changes", lambda change: "; ".join(change.kinds)),
    *_of_both("locus", lambda gene: gene.locus),
    *_of_both("start", lambda gene: gene.start),
    *_of_both("end", lambda gene: gene.end),
    *_of_both("function", lambda gene: gene.name),
    *_of_both("level", lambda gene: gene.level),
    *_of_both("score", lambda gene: None if gene.score is None else f"{gene.score:.2f}"),
    *_of_both("basis", lambda gene: gene.basis),
    _Column("evidence_gained", lambda change: " | ".join(map(str, change.gained))),
    _Column("evidence_lost", lambda change: " | ".join(map(str, change.lost))),
    _Column("evidence_restated", lambda change: " | ".join(_restated(change))),
    _Column("own_place_b", lambda change: change.b.own_place if change.b else None),
)
"""One line a gene with a change; what does not apply is empty."""


def render_tsv(found: Difference) -> str:
    """A header line, then one line for each gene that differs."""
    lines = ["\t".join(column.name for column in TSV_COLUMNS)]
    lines += [
        "\t".join(_cell(column.cell(change)) for column in TSV_COLUMNS) for change in found.changes
    ]
    return "\n".join(lines) + "\n"


def _cell(value: str | float | None) -> str:
    return "" if value is None else formula_safe(shown_text(str(value)))


def render_json(found: Difference) -> str:
    """Everything, for programs; within a major version of the schema keys are only added."""
    content = {
        "schema_version": SCHEMA_VERSION,
        "a": _side_values(found.a, found.settings[0]),
        "b": _side_values(found.b, found.settings[1]),
        "remarks": list(found.remarks),
        "turned_records": [turn._asdict() for turn in found.turns],
        "counts": {
            "matched": found.matched,
            "unchanged": found.unchanged,
            "score_only": found.scores,
            **{kind.value: count for kind, count in found.counts.items()},
        },
        "changes": [_change_values(change) for change in found.changes],
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _side_values(side: Side, settings: tuple[str, ...]) -> Mapping[str, Any]:
    return {
        "file": side.label,
        "made_by": side.made_by,
        "only_here": list(settings),
        "records": [{"id": one.id, "length_bp": one.length_bp} for one in side.records],
        "genes": len(side.genes),
    }


def _change_values(change: GeneChange) -> Mapping[str, Any]:
    return {
        "kinds": [kind.value for kind in change.kinds],
        "a": _gene_values(change.a),
        "b": _gene_values(change.b),
        "evidence_gained": [one._asdict() for one in change.gained],
        "evidence_lost": [one._asdict() for one in change.lost],
        "evidence_restated": [
            {"before": one._asdict(), "after": other._asdict()} for one, other in change.restated
        ],
    }


def _gene_values(gene: SideGene | None) -> Mapping[str, Any] | None:
    if gene is None:
        return None
    return {
        "id": gene.id,
        "locus": gene.locus,
        "record": gene.record,
        "start": gene.start,
        "end": gene.end,
        "strand": gene.strand,
        "length_aa": gene.length_aa,
        "function": gene.name,
        "level": gene.level,
        "score": gene.score,
        "basis": gene.basis,
        "classes": list(gene.classes),
        "own_place": gene.own_place or None,
    }


def render_text(found: Difference) -> str:
    """For a terminal: what was compared, how much differs, and every gene with a change."""
    lines = [*_head(found), ""]
    for change in found.changes:
        lines += [*_gene_lines(change), ""]
    return "\n".join(map(shown_text, lines[:-1])) + "\n"


def _head(found: Difference) -> Iterator[str]:
    for name, side, settings in zip("AB", (found.a, found.b), found.settings, strict=True):
        yield f"{name}: {side.label} ({side.made_by}), {_count(len(side.genes), 'gene')}"
        if settings:
            yield f"   only here: {', '.join(settings)}"
    yield from map(str, found.turns)
    yield from found.remarks
    yield summary_sentence(found)
    if found.counts:
        yield "; ".join(f"{_WORDS[kind]} {count:,}" for kind, count in found.counts.items()) + "."


def summary_sentence(found: Difference) -> str:
    """How many genes are the same gene, and how many of these are without a difference."""
    same = f"{_count(found.matched, 'gene')} at the same stop codon in both"
    moved = f" ({found.scores:,} with another score)" if found.scores else ""
    return f"{same}, {found.unchanged:,} of them without a difference{moved}."


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _gene_lines(change: GeneChange) -> Iterator[str]:
    place = change.gene.place
    locus = "" if change.locus == place else f"{change.locus}  "
    yield f"{locus}{place}  {', '.join(_WORDS[kind] for kind in change.kinds)}"
    if change.a is not None:
        yield f"  A: {described(change.a, change)}"
    if change.b is not None:
        yield f"  B: {described(change.b, change)}"
    for what, seen in evidence_changes(change):
        yield f"  {what}: {seen}"


def described(gene: SideGene, change: GeneChange) -> str:
    """One side of a change: name, level, and what else of it differs."""
    parts = [f"“{gene.name}”" if gene.name else _DARK]
    if gene.level is not None and gene.name:
        parts.append(f"{gene.level} ({gene.score or 0.0:.2f})")
    if ChangeKind.START in change.kinds:
        parts.append(f"starts at {gene.first:,}, {gene.length_aa:,} aa")
    if ChangeKind.BASIS in change.kinds and gene.basis is not None:
        parts.append(_BASES[gene.basis])
    if ChangeKind.CLASSES in change.kinds:
        parts.append(", ".join(gene.classes) or "no COG, category or GO")
    if gene.own_place:
        parts.append(f"there at {gene.own_place}")
    return ", ".join(parts)


def evidence_changes(change: GeneChange) -> Iterator[tuple[str, str]]:
    """Which evidence changed, as (what happened, the observations)."""
    if change.gained:
        yield "evidence only in B", _listed(change.gained)
    if change.lost:
        yield "evidence only in A", _listed(change.lost)
    if change.restated:
        yield "evidence that says something else", "; ".join(_restated(change))


def _listed(observations: Iterable[Observation]) -> str:
    return "; ".join(map(str, observations))


def _restated(change: GeneChange) -> Iterator[str]:
    for before, after in change.restated:
        yield f"{before} -> “{after.claim}”"


class _Filter(NamedTuple):
    """A choice of rows on the page: its id, its words, the kinds, and how many genes."""

    id: str
    title: str
    kinds: frozenset[ChangeKind]
    genes: int


_FILTERS: Final = (
    ("genes", "genes of one side", frozenset({ChangeKind.ONLY_A, ChangeKind.ONLY_B})),
    ("starts", "starts", frozenset({ChangeKind.START})),
    ("names", "names", NAME_CHANGES),
    ("levels", "levels", frozenset({ChangeKind.LEVEL_UP, ChangeKind.LEVEL_DOWN})),
    ("other", "basis and classes", frozenset({ChangeKind.BASIS, ChangeKind.CLASSES})),
)


def render_html(found: Difference) -> str:
    """A page that needs nothing else and runs nothing: both sides beside one another."""
    style = (_HERE / "difference.css").read_text(encoding="utf-8")
    return _template().render(
        found=found,
        sides=tuple(zip("AB", (found.a, found.b), found.settings, strict=True)),
        summary=summary_sentence(found),
        filters=_filters(found),
        style=Markup(style),  # noqa: S704 - a file of ours
        policy=f"default-src 'none'; style-src '{content_hash(style)}'; base-uri 'none'; "
        "form-action 'none'",
    )


def _filters(found: Difference) -> tuple[_Filter, ...]:
    return tuple(
        _Filter(id_, title, kinds, sum(not kinds.isdisjoint(one.kinds) for one in found.changes))
        for id_, title, kinds in _FILTERS
    )


def _row_classes(change: GeneChange) -> str:
    return " ".join(f"is-{id_}" for id_, _, kinds in _FILTERS if not kinds.isdisjoint(change.kinds))


@cache
def _template() -> Template:
    environment = template_environment(_HERE)
    environment.globals |= {
        "words": _WORDS,
        "described": described,
        "evidence_changes": evidence_changes,
        "row_classes": _row_classes,
    }
    return environment.get_template("difference.html")


RENDERERS: Final[Mapping[str, Callable[[Difference], str]]] = MappingProxyType(
    {"text": render_text, "tsv": render_tsv, "json": render_json, "html": render_html}
)
"""Renderer of each format of ``genint diff``."""
