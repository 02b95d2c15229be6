"""The figures of the bench as tables in Markdown, as the README shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from benchmarks.accuracy.figures import LEVELS, Share
from benchmarks.accuracy.results import ALL, POOLS, PROPHAGES, Contender, Result
from genint.knowledge.name_comparison import Verdict

_NOTE = """\
Programs got the bases alone, as FASTA. *Coverage* is the share of genes whose record tells a
function that were named rightly, *precision* the share of names for the whole protein that are
right, in the record's words or others; vaguer names count against both. Regime *novel*: families
and reference know neither the genome nor its near relatives nor any protein >= 90 % identical to
one of its own. *Shipped*: families as they ship; in local mode, a reference with all but the
genome itself. giae and Prokka know what their packages know, Prokka for phages UniProt's proteins
of viruses. *Prophages*: the genes of bacteria that records mark as those of prophages. Intervals
are Wilson's, of 95 %.
"""
_LEVEL_NOTE = """\
A claim of a class or a domain is right where the record says more; a name for the whole protein
is not. Calibration error: mean distance of score and share right over ten bins of equal width.
"""
_COG_NOTE = "*M. pneumoniae* judges: *E. coli* taught the letters of Pfam families.\n"


def as_markdown(
    results: Sequence[Result], pools: Sequence[Result], contenders: Sequence[Contender]
) -> str:
    """All tables.

    Args:
        results: Of single genomes.
        pools: Of genomes together (:func:`benchmarks.accuracy.results.pooled`).
        contenders: In the order of the columns; what is missing of one has failed.
    """
    named = [*(result for result in results if result.rows), *pools]
    whole = [result for result in named if result.genome != PROPHAGES]
    parts = [
        _NOTE,
        "Coverage, precision:\n",
        _by_genome(named, contenders, _names),
        "Right in the record's own words, or in these or others; right but vaguer; wrong; the"
        " opposite:\n",
        _by_genome(named, contenders, _verdicts),
        _LEVEL_NOTE,
        _levels(pools),
        "The same of names for the whole protein alone:\n",
        _levels_of_names(pools),
        "Genes: stops found, precision, F1 at 50 % overlap:\n",
        _by_genome(whole, contenders, _calls),
        "CPU seconds, peak of memory in MiB (* measured in an earlier run):\n",
        _by_genome(whole, contenders, _usage),
        *([_COG_NOTE, _cog(results)] if any(one.cog.known for one in results) else []),
        _parameters(results),
    ]
    return "\n".join(parts)


def _by_genome(
    results: Sequence[Result], contenders: Sequence[Contender], cell: Callable[[Result], str]
) -> str:
    """A row for each genome, a column for each contender."""
    by_both = {(result.genome, result.contender): result for result in results}
    genomes = list(dict.fromkeys(result.genome for result in results))
    genomes.sort(key=_last)
    rows = [
        [
            genome,
            *(
                cell(by_both[genome, one]) if (genome, one) in by_both else "failed"
                for one in contenders
            ),
        ]
        for genome in genomes
    ]
    return table(["genome", *(one.label for one in contenders)], rows)


def _last(genome: str) -> int:
    """Sums below single genomes."""
    sums = [*POOLS.values(), ALL, PROPHAGES]
    return sums.index(genome) + 1 if genome in sums else 0


def table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of Markdown."""
    lines = [heading, ["---"] * len(heading), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines) + "\n"


def _names(result: Result) -> str:
    figures = result.names.figures
    return f"{figures.coverage:.2f}, {Share(figures.right, figures.judged)}"


def _verdicts(result: Result) -> str:
    figures = result.names.figures
    counts = figures.verdicts
    wrong, opposite = (counts.get(key, 0) for key in (Verdict.WRONG, Verdict.OPPOSITE))
    vaguer = figures.not_wrong - figures.right
    return f"{figures.strict}/{figures.right}, {vaguer}, {wrong}, {opposite}"


def _levels(pools: Sequence[Result]) -> str:
    """Claims by level, and what their scores are worth."""
    heading = ["telling genes that are HIGH", "HIGH on one type", "calibration error"]
    rows = []
    for result in pools:
        names = result.names
        if names.error is None:
            continue
        shares = [_counted(names.levels[level].claims) for level in LEVELS]
        scores = [f"{names.high.value:.2f}", str(names.high_on_one_type), f"{names.error:.3f}"]
        scores.append(f"{names.error_not_wrong or 0:.3f}")
        rows.append([result.contender.label, result.genome, *shares, *scores])
    return table(["program", "genomes", *LEVELS, *heading, "if vaguer is right"], rows)


def _levels_of_names(pools: Sequence[Result]) -> str:
    """Names for the whole protein by level."""
    rows = [
        [
            result.contender.label,
            result.genome,
            *(_counted(names.levels[level].names) for level in LEVELS),
        ]
        for result in pools
        if (names := result.names).error is not None
    ]
    return table(["program", "genomes", *LEVELS], rows)


def _counted(share: Share) -> str:
    return f"{share.right} of {share.judged}: {share}" if share.judged else "-"


def _calls(result: Result) -> str:
    calls = result.calls
    return f"{calls.stop_recall:.3f}, {calls.precision:.3f}, {calls.f1:.3f}"


def _usage(result: Result) -> str:
    usage = result.usage
    return f"{usage.cpu_s:.1f}, {usage.peak_mib:.0f}" + ("*" if result.kept else "")


def _cog(results: Iterable[Result]) -> str:
    rows = [
        [
            result.genome,
            result.contender.label,
            f"{result.cog.told} of {result.cog.known}",
            _counted(result.cog.accuracy),
        ]
        for result in results
        if result.cog.known and result.contender.mode
    ]
    return table(["genome", "program", "letters told", "right"], rows)


def _parameters(results: Iterable[Result]) -> str:
    """Which parameters each genome was scored with, where there are any."""
    rows = dict.fromkeys(
        (result.contender.label, result.parameters) for result in results if result.parameters
    )
    return table(["program", "parameters of the confidence model"], rows)
