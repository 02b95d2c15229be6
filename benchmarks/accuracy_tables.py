"""The figures of the bench as aligned text, and every gene as a table for a person to read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from genint.knowledge.name_judge import Verdict
from training.blind.truth import Figures, Row, count, wilson

_COLUMNS = (
    "genome gene truth told verdict domain level score source family consensus named_members"
    " margin_bits program"
).split()
_LEVELS = ("HIGH", "MODERATE", "LOW", "SPECULATIVE")
_CONSENSUS_STEPS = (0.6, 0.7, 0.8, 0.9, 0.95, 1.0)
_MEMBER_STEPS = (1, 2, 3, 5, 10)
_ALL = "all"


def print_figures(
    rows: Sequence[Row],
    seconds: dict[tuple[str, str], float],
    failed: Sequence[tuple[str, str]] = (),
) -> None:
    """One line per genome and program, and one per program for all genomes together.

    Args:
        rows: Every gene under every program.
        seconds: CPU seconds by genome and program.
        failed: Genomes and the programs that failed on them, which the last lines lack.
    """
    print(
        f"\n{'genome':<16}{'program':<14}{'CDS':>6}{'found':>6}{'truth':>6}{'named':>6}{'domain':>7}"
        f"{'strict':>7}{'right':>6}{'vaguer':>7}{'wrong':>6}{'oppos.':>7}{'cover':>7}"
        f"{'precision (95 %)':>20}{'not wrong':>10}{'CPU s':>8}"
    )
    genomes = list(dict.fromkeys(row.genome for row in rows))
    programs = list(dict.fromkeys(row.program for row in rows))
    for genome in [*genomes, _ALL]:
        for program in programs:
            some = [r for r in rows if r.program == program and genome in (r.genome, _ALL)]
            if some:
                took = sum(
                    s for (g, p), s in seconds.items() if p == program and genome in (g, _ALL)
                )
                print(_figures_line(genome, program, count(some), took))
        if genome == _ALL:
            _print_failed(failed)
        print()


def _print_failed(failed: Sequence[tuple[str, str]]) -> None:
    for program in dict.fromkeys(program for _, program in failed):
        lacking = ", ".join(genome for genome, which in failed if which == program)
        print(f"{program} failed on {lacking}: not in its figures for all")


def _figures_line(genome: str, program: str, figures: Figures, seconds: float) -> str:
    verdicts = figures.verdicts
    return (
        f"{genome:<16}{program:<14}{figures.cds:>6}{figures.found:>6}{figures.informative:>6}"
        f"{figures.named:>6}{figures.domain_only:>7}{figures.strict:>7}{figures.right:>6}"
        f"{verdicts.get(Verdict.VAGUER, 0):>7}{verdicts.get(Verdict.WRONG, 0):>6}"
        f"{verdicts.get(Verdict.OPPOSITE, 0):>7}{figures.coverage:>7.3f}"
        f"{_share(figures.right, figures.judged):>20}"
        f"{figures.not_wrong / max(1, figures.judged):>10.3f}{seconds:>8.1f}"
    )


def _share(right: int, judged: int) -> str:
    if not judged:
        return "-"
    low, high = wilson(right, judged)
    return f"{right / judged:.3f} ({low:.2f}-{high:.2f})"


def print_domains(rows: Sequence[Row]) -> None:
    """Domain claims apart: a domain is not a function, so none of them counts as right."""
    print("domain claims against informative records")
    for program in dict.fromkeys(row.program for row in rows):
        figures = count(row for row in rows if row.program == program)
        if figures.domains:
            fitting = figures.domains.get(Verdict.VAGUER, 0)
            total = sum(figures.domains.values())
            print(f"  {program:<14}{total:>5} judged, {fitting:>4} fit the record's name")


def print_levels(rows: Sequence[Row]) -> None:
    """Precision of whole-protein names by the level that the program gave them."""
    print("\nprecision by level")
    print(f"  {'program':<14}{'level':<12}{'named':>6}{'judged':>7}{'precision (95 %)':>20}")
    for program in dict.fromkeys(row.program for row in rows):
        for level in _LEVELS:
            some = [
                row
                for row in rows
                if row.program == program
                and row.told
                and row.told.level == level
                and not row.told.domain
            ]
            figures = count(some)
            if figures.named:
                share = _share(figures.right, figures.judged)
                print(f"  {program:<14}{level:<12}{figures.named:>6}{figures.judged:>7}{share:>20}")


def print_strengths(rows: Sequence[Row]) -> None:
    """Precision of names from own families by consensus and named members."""
    some = [row for row in rows if row.told and row.told.family and not row.told.domain]
    if not some:
        return
    print("\nnames from own families: right / judged by consensus and named members")
    heads = [_range(_MEMBER_STEPS, at) for at in range(len(_MEMBER_STEPS))]
    print(f"  {'consensus':<14}" + "".join(f"{head:>18}" for head in heads))
    for row_at in range(len(_CONSENSUS_STEPS)):
        cells = []
        for column_at in range(len(_MEMBER_STEPS)):
            inside = [
                row
                for row in some
                if row.told
                and row.told.family
                and _step(_CONSENSUS_STEPS, row.told.family.consensus) == row_at
                and _step(_MEMBER_STEPS, row.told.family.named_members) == column_at
            ]
            figures = count(inside)
            share = f"{figures.right}/{figures.judged}"
            if figures.judged:
                share += f" {figures.right / figures.judged:.2f}"
                share += f" {figures.not_wrong / figures.judged:.2f}"
            cells.append(f"{share:>18}")
        print(f"  {_range(_CONSENSUS_STEPS, row_at):<14}" + "".join(cells))
    print("  (right/judged, precision, share not wrong)")


def _step(steps: Sequence[float], value: float) -> int:
    return max((at for at, step in enumerate(steps) if value >= step), default=0)


def _range(steps: Sequence[float], at: int) -> str:
    if at + 1 == len(steps):
        return f">= {steps[at]:g}"
    return f"{steps[at]:g} to < {steps[at + 1]:g}"


def print_wrong(rows: Iterable[Row], program: str, most: int) -> None:
    """The most frequent wrong names, with what the records say instead."""
    wrong = [
        row
        for row in rows
        if row.program == program
        and row.told
        and not row.told.domain
        and row.verdict in (Verdict.WRONG, Verdict.OPPOSITE)
        and row.judged
    ]
    counts = Counter(row.told.name for row in wrong if row.told)
    print(f"\nmost frequent wrong names of {program}: {len(wrong)} in all")
    for name, number in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:most]:
        instead = Counter(row.gene.product for row in wrong if row.told and row.told.name == name)
        where = "; ".join(
            f"{product} ({times})" if times > 1 else product
            for product, times in sorted(instead.items(), key=lambda item: (-item[1], item[0]))[:4]
        )
        print(f"  {number:>3}  {name}  <-  {where}")


def write_rows(rows: Iterable[Row], path: Path) -> None:
    """Every gene of every record under every program, as a table."""
    lines = ["\t".join(_COLUMNS)]
    lines += ["\t".join(_cells(row)) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _cells(row: Row) -> tuple[str, ...]:
    told, family = row.told, row.told.family if row.told else None
    verdict = row.verdict.value if row.verdict else ("unnamed" if told else "not_found")
    return (
        row.genome,
        row.gene.id,
        row.gene.product if row.gene.informative else f"({row.gene.product})",
        told.name if told else "",
        verdict,
        "domain" if told and told.domain else "",
        told.level if told else "",
        f"{told.score:.3f}" if told and told.score is not None else "",
        told.source if told else "",
        family.id if family else "",
        f"{family.consensus:.3f}" if family else "",
        str(family.named_members) if family else "",
        f"{family.margin_bits:.1f}" if family else "",
        row.program,
    )
