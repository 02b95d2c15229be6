"""Fit what tells the kind of a record, judge it on pieces of genomes that were left out.

    python -m training.overview.record_kinds [--results FOLDER] --data ../shared/data

Writes ``record_kinds.toml`` and ``kinds.md``. With ``--results`` the pieces are read anew from JSON
results of genomes, made by ``genint interpret --ignore-annotations --format json``; without, from
``kind_pieces.tsv``. The same table gives the same files, byte for byte. Cost: 10 s.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from genint.errors import GenintError
from genint.knowledge.table_files import RECORD_KINDS
from training.overview import kind_fit, kind_material
from training.pfam.pack import OUTPUT

FIGURES = Path(__file__).with_name("kinds.md")


def main(arguments: Sequence[str] | None = None) -> None:
    """Read, judge, fit, write; exit status 2 and one line where a file is missing."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="data folder")
    parser.add_argument("--results", type=Path, help="folder of JSON results of genomes")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="folder for the model")
    options = parser.parse_args(arguments)
    try:
        if options.results is not None:
            pieces = kind_material.read_pieces(options.results, options.data)
            kind_material.PIECES.write_text(kind_material.table_of(pieces), encoding="utf-8")
        pieces = kind_material.read_table(kind_material.PIECES.read_text(encoding="utf-8"))
        answers = tuple(kind_fit.left_out(pieces))
        text = kind_fit.text_of(kind_fit.fit(pieces), kind_fit.sureness_of(answers))
        figures = kind_fit.figures_of(answers)
        FIGURES.write_text(figures, encoding="utf-8")
        (options.output / RECORD_KINDS).write_text(text, encoding="utf-8")
    except (GenintError, OSError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(2) from error
    print(figures)


if __name__ == "__main__":
    main()
