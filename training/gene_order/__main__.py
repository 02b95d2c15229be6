"""Learn gene order, measure it on what was left out, write ``gene_order.toml``.

``python -m training.gene_order --help``. Cost: 45 s on one core.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from genint.knowledge.products import load_products
from genint.knowledge.roles import load_roles
from genint.knowledge.table_files import GENE_ORDER
from genint.model.vocabulary import GenomeKind
from training.families.inputs import INPUTS, InputError, check, load_inputs
from training.gene_order.learning import learn
from training.gene_order.material import Record, named, read_material
from training.gene_order.measuring import Figures, measure
from training.gene_order.writing import text_of
from training.pfam.pack import OUTPUT

VERSION = "1"


def main(arguments: Sequence[str] | None = None) -> None:
    """Read, measure, learn, write; exit status 2 and one line where that cannot be."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="data folder")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="folder for the file")
    options = parser.parse_args(arguments)
    try:
        inputs = load_inputs(INPUTS)
        check(options.data, inputs)
        records = read_material(options.data, inputs, load_products(), load_roles())
        measured = tuple(measure(records))
        model = learn(records, version=VERSION, basis=basis_of(records, measured))
        text = text_of(model, measured)
        (options.output / GENE_ORDER).write_text(text, encoding="utf-8")
    except (InputError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(2) from error
    for one in measured:
        print("\n".join(said(one)))
    print(f"{GENE_ORDER}: {len(text.encode()):,} bytes")


def basis_of(records: Sequence[Record], measured: Iterable[Figures]) -> str:
    """What the model was learned from and how often it was right, for a reader of a report."""
    parts = []
    for kind in GenomeKind:
        of_kind = [record for record in records if record.kind is kind]
        if of_kind:
            genes = sum(map(named, of_kind))
            parts.append(f"{genes:,} named genes of {len(of_kind)} records ({kind})")
    sentences = ["Learned from the order of " + " and ".join(parts) + "."]
    sentences += [
        f"Held out ({one.kind}, {one.records}): the likeliest category by the neighbours was right "
        f"for {one.right:,} of {one.judged:,} genes."
        for one in measured
    ]
    return " ".join(sentences)


def said(one: Figures) -> Iterable[str]:
    """Figures for a reader."""
    yield f"{one.kind}, {one.records}: {one.right} of {one.judged} right ({one.told} told)"
    yield f"  log-loss {one.loss:.3f}, without neighbours {one.prior_loss:.3f}"
    yield f"  calibration error {one.calibration_error:.3f}"
    yield f"  right in four of five from probability {one.surely_right_from}"
    for border, right, wrong in one.passing:
        yield f"  log-odds >= {border:.0f}: right category {right:.1%}, random wrong {wrong:.1%}"
    for each in one.bins:
        share = each.right / each.judged
        yield f"  told {each.probability:.2f}: right {share:.2f} ({each.judged} genes)"


if __name__ == "__main__":
    main()
