"""The figures of the bench as one table for programs, every field of it explained here.

A row is a genome, or several together (phages, bacteria, all), under one contender.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from benchmarks.accuracy.figures import LEVELS, LevelFigures, NameSummary, Share
from benchmarks.accuracy.results import Result
from genint.knowledge.name_comparison import Verdict
from training.blind.truth import Row

_LEVEL_COLUMNS = (
    "right judged precision low high vaguer wrong opposite names_right names_judged".split()
)
COLUMNS: Mapping[str, str] = {
    "genome": "genome, or phages, bacteria, all, prophages (marked genes of bacteria, names alone)",
    "program": "genint, giae, prokka",
    "mode": "of genint: offline, local",
    "regime": "novel: relatives and what is >= 90 % identical hidden; shipped: nothing is",
    "parameters": "of the confidence model",
    "cds": "genes of the record, without pseudogenes",
    "called": "genes that the program calls, without those of pseudogenes",
    "gene_f1": "of calls and genes that cover one another by at least half, one to one",
    "stop_recall": "share of genes whose stop codon is that of a call",
    "exact_recall": "the start is right too",
    "stop_precision": "share of calls whose stop codon is that of a gene",
    "telling": "genes whose record says what the protein is or does",
    "named": "genes with a name for the whole protein",
    "judged": "of these, against a record that tells",
    "strict": "right in the record's own words",
    "right": "right in these or other words",
    "vaguer": "right, but less is said",
    "wrong": "wrong, without the opposite",
    "opposite": "the opposite",
    "coverage": "right / telling",
    "precision": "right / judged",
    "precision_low": "Wilson's interval of 95 %",
    "precision_high": "",
    "not_wrong": "(right + vaguer) / judged",
    "claims": "judged claims of proteins, classes and domains",
    "claims_right": "right for what each is said of",
    "ece": "expected calibration error of claims, ten bins of equal width",
    "ece_not_wrong": "the same where vaguer names of whole proteins count as right",
    "high_share": "share of telling genes whose name is HIGH",
    "high_on_one_type": "genes that are HIGH on a single type of evidence",
    **{f"{level}_{what}": "" for level in LEVELS for what in _LEVEL_COLUMNS},
    "cog_known": "genes with a COG letter in the reference",
    "cog_told": "of these, with a letter of the program",
    "cog_right": "of these, right",
    "wall_s": "seconds from start to end",
    "cpu_s": "of all processes, profiles already pressed",
    "peak_mib": "of the largest process",
    "measured": "now, or in an earlier run of the bench",
}
"""Name of a column -> what it holds; those of levels are of claims, as ``claims_right`` is,
but for names, which are of whole proteins."""

_GENE_COLUMNS = (
    "genome gene truth told verdict claim level score types source family consensus"
    " named_members margin_bits cog program"
).split()
_WRONG_COLUMNS = "program genome gene truth told verdict claim score level evidence".split()


def write_figures(results: Iterable[Result], path: Path) -> None:
    """All figures as a table."""
    lines = ["\t".join(COLUMNS), *("\t".join(cells_of(result)) for result in results)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def cells_of(result: Result) -> tuple[str, ...]:
    """A row of the table, in the order of its columns."""
    contender, usage, cog = result.contender, result.usage, result.cog
    cells = (
        result.genome,
        contender.program,
        contender.mode,
        contender.regime,
        result.parameters,
        *(_call_cells(result)),
        *_name_cells(result.names),
        *map(str, (cog.known, cog.told, cog.right)),
        f"{usage.wall_s:.2f}",
        f"{usage.cpu_s:.2f}",
        f"{usage.peak_mib:.0f}",
        "earlier" if result.kept else "now",
    )
    if len(cells) != len(COLUMNS):
        raise AssertionError(f"{len(cells)} cells for {len(COLUMNS)} columns")
    return cells


def _call_cells(result: Result) -> tuple[str, ...]:
    calls = result.calls
    shares = (calls.f1, calls.stop_recall, calls.exact_recall, calls.precision)
    return (str(calls.genes), str(calls.calls), *map(_decimal, shares))


def _name_cells(names: NameSummary) -> tuple[str, ...]:
    figures = names.figures
    verdicts = figures.verdicts
    precision = Share(figures.right, figures.judged)
    counts = (
        figures.informative,
        figures.named,
        figures.judged,
        figures.strict,
        figures.right,
        verdicts.get(Verdict.VAGUER, 0),
        verdicts.get(Verdict.WRONG, 0),
        verdicts.get(Verdict.OPPOSITE, 0),
    )
    return (
        *map(str, counts),
        _decimal(figures.coverage),
        *_share_cells(precision),
        _decimal(figures.not_wrong / figures.judged if figures.judged else None),
        str(figures.claims_judged),
        str(figures.claims_right),
        _decimal(names.error),
        _decimal(names.error_not_wrong),
        _decimal(names.high.value),
        str(names.high_on_one_type),
        *(cell for level in LEVELS for cell in _level_cells(names.levels[level])),
    )


def _level_cells(level: LevelFigures) -> tuple[str, ...]:
    claims = level.claims
    wrong, names = level.wrong - level.opposite, level.names
    counts = (level.vaguer, wrong, level.opposite, names.right, names.judged)
    return (str(claims.right), str(claims.judged), *_share_cells(claims), *map(str, counts))


def _share_cells(share: Share) -> tuple[str, str, str]:
    if not share.judged:
        return "", "", ""
    low, high = share.interval
    return _decimal(share.value), _decimal(low), _decimal(high)


def _decimal(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"


def worst_first(rows: Iterable[Row]) -> list[Row]:
    """Wrong claims, those that the program was surest of first."""
    wrong = [row for row in rows if row.wrong]
    return sorted(wrong, key=lambda row: (-_score(row), row.genome, row.gene.id))


def _score(row: Row) -> float:
    return row.told.score if row.told and row.told.score is not None else 0.0


def write_wrong(results: Iterable[Result], path: Path) -> None:
    """Every wrong name for a person to read: by program, worst first."""
    lines = ["\t".join(_WRONG_COLUMNS)]
    by_program: dict[str, list[Row]] = {}
    for result in results:
        by_program.setdefault(result.contender.label, []).extend(result.rows)
    for rows in by_program.values():
        lines += ["\t".join(_wrong_cells(row)) for row in worst_first(rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _wrong_cells(row: Row) -> tuple[str, ...]:
    told = row.told
    if told is None or row.verdict is None:
        raise AssertionError("nothing told is never wrong")
    return (
        row.program,
        row.genome,
        row.gene.id,
        row.gene.product,
        told.name,
        row.verdict.value,
        told.claim.value,
        _decimal(told.score),
        told.level,
        " | ".join(told.evidence) or told.source,
    )


def write_genes(results: Iterable[Result], path: Path) -> None:
    """Every gene of every record under every program."""
    lines = ["\t".join(_GENE_COLUMNS)]
    lines += ["\t".join(_gene_cells(row)) for result in results for row in result.rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _gene_cells(row: Row) -> tuple[str, ...]:
    told, family = row.told, row.told.family if row.told else None
    verdict = row.verdict.value if row.verdict else ("unnamed" if told else "not_found")
    return (
        row.genome,
        row.gene.id,
        row.gene.product if row.gene.informative else f"({row.gene.product})",
        told.name if told else "",
        verdict,
        told.claim.value if told and told.name else "",
        told.level if told else "",
        _decimal(told.score) if told else "",
        str(told.types) if told and told.types else "",
        told.source if told else "",
        family.id if family else "",
        f"{family.consensus:.3f}" if family else "",
        str(family.named_members) if family else "",
        f"{family.margin_bits:.1f}" if family else "",
        told.cog if told else "",
        row.program,
    )
