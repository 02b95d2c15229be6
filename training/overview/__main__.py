"""Make and judge the tables behind statements on phages: lifestyle, relatives, host.

    python -m training.overview --data ../shared/data --cache FOLDER

Writes ``lifestyles.toml``, ``relatives.tsv``, ``relatives.toml`` and the figures
(``figures.md``). The same data give the same bytes. Cost: 25 min on one core; 3 min where the
folder has the searches of an earlier run.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from genint.errors import GenintError
from genint.knowledge.lifestyles import LifestyleModel
from genint.knowledge.relatives import RelativeTable, text_of_relatives
from genint.knowledge.table_files import LIFESTYLES, RELATIVE_LIMITS, RELATIVES
from genint.overview.lifestyle import marks_found, marks_of
from genint.overview.parts import is_tailed, may_be_piece
from training.families.inputs import InputError
from training.overview.figures import FIGURES, Figures, text_of_figures
from training.overview.lifestyles import (
    CONTRADICTION_FROM,
    TOLD,
    VERSION,
    Example,
    bands_of,
    fit,
    left_out,
    small_families,
    text_of,
)
from training.overview.material import read_held_back, read_known, read_phages, views_of
from training.overview.modules import Coverage, measure_modules
from training.overview.relatives import (
    HEAD,
    Read,
    judge_ends,
    judge_families,
    judge_hosts,
    read,
    table_of,
    text_of_limits,
)
from training.pfam.pack import OUTPUT


class Made(NamedTuple):
    """The tables and what was measured."""

    model: LifestyleModel
    table: RelativeTable
    figures: Figures


def main(arguments: Sequence[str] | None = None) -> None:
    """Read, search, fit, judge, write; exit status 2 and one line where that cannot be."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="data folder")
    parser.add_argument("--cache", type=Path, required=True, help="folder for searches")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="folder for the tables")
    options = parser.parse_args(arguments)
    try:
        known = read_known()
        phages = [one for one in read_phages(options.data) if one.record in known]
        phages += read_held_back(options.data)
        views = views_of(phages, options.cache)
        read_ = [read(known[phage.record], phage, view) for phage, view in views]
        made = make(read_, measure_modules(options.data, options.cache))
    except (GenintError, InputError, OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(2) from error
    write(made, options.output)
    FIGURES.write_text(text_of_figures(made.figures), encoding="utf-8")
    print(text_of_figures(made.figures))


def make(phages: Sequence[Read], modules: Sequence[Coverage]) -> Made:
    """Fit and judge.

    Args:
        phages: All of them, in the order that their table is to have.
        modules: What was measured of these.
    """
    table = table_of(phages)
    phages = [one for one in phages if not one.is_held_back]
    examples = [_example(one) for one in phages if _is_example(one)]
    told = tuple(left_out(examples))
    model = LifestyleModel(
        VERSION, *fit(examples), CONTRADICTION_FROM, bands_of(told), small_families()
    )
    model = replace(model, families=tuple(judge_families(phages, table, model)))
    hosts = judge_hosts(phages, table, without_group=False)
    ends = judge_ends(phages, table)
    limits = table.limits._replace(
        host_right=hosts.right,
        host_judged=hosts.told,
        near_right=hosts.near_right,
        near_judged=hosts.near_told,
        ends_right=ends[0],
        ends_judged=ends[1],
    )
    far = judge_hosts(phages, table, without_group=True)
    untailed = tuple(one.known for one in phages if one.known.lifestyle and not is_tailed(one.view))
    figures = Figures(model, told, hosts, far, ends, untailed, modules)
    return Made(model, RelativeTable(table.phages, limits), figures)


def _is_example(one: Read) -> bool:
    return one.known.lifestyle in TOLD and one.is_whole and is_tailed(one.view)


def _example(one: Read) -> Example:
    marks = marks_of(one.view, marks_found(one.view))
    return Example(one.known, marks, may_be_piece(one.view))


def write(made: Made, folder: Path) -> None:
    """Write the tables that ship."""
    texts = {
        LIFESTYLES: text_of(made.model),
        RELATIVES: text_of_relatives(made.table.phages, HEAD),
        RELATIVE_LIMITS: text_of_limits(made.table.limits),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
