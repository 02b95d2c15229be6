"""Fit which genes look like those of prophages, judge it on genomes that were left out.

    python -m training.overview.prophages [--interpret] --data ../shared/data --genes FILE

Writes ``prophages.toml`` and ``prophages.md``. With ``--interpret`` the genes are read anew from
the seven bacteria and written to FILE; without, that file is read. The same table gives the same
files, byte for byte. Cost: 10 s; with ``--interpret`` 10 min more on one core.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from genint.errors import GenintError
from genint.knowledge.table_files import PROPHAGES
from training.overview.prophage_fit import fit, text_of
from training.overview.prophage_judgement import figures_of, judge, judged_regions
from training.overview.prophage_material import interpret_all, read_table, table_of
from training.pfam.pack import OUTPUT

FIGURES = Path(__file__).with_name("prophages.md")


def main(arguments: Sequence[str] | None = None) -> None:
    """Read, judge, fit, write; exit status 2 and one line where a file is missing."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="data folder")
    parser.add_argument("--genes", type=Path, required=True, help="table of genes")
    parser.add_argument("--interpret", action="store_true", help="interpret the bacteria anew")
    parser.add_argument("--cache", type=Path, help="folder of searches from earlier runs")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="folder for the model")
    options = parser.parse_args(arguments)
    try:
        if options.interpret:
            made = table_of(interpret_all(options.data, options.cache))
            options.genes.write_text(made, encoding="utf-8")
        stretches = read_table(options.genes.read_text(encoding="utf-8"))
        alone, together = judge(stretches, by_group=False), judge(stretches, by_group=True)
        text = text_of(fit(stretches), judged_regions(together))
        figures = figures_of(alone, together)
        FIGURES.write_text(figures, encoding="utf-8")
        (options.output / PROPHAGES).write_text(text, encoding="utf-8")
    except (GenintError, OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(2) from error
    print(figures)


if __name__ == "__main__":
    main()
