"""The data file of the model, as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from genint.knowledge.gene_order import GeneOrder, ModuleChain
from genint.model.vocabulary import GenomeKind
from training.gene_order.measuring import Figures

_HEAD = """\
# What the order of genes says of their categories. Learned, not written by hand:
# python -m training.gene_order
#
# A chain of modules along the contig, one for each kind of genome. `share` says how often a
# gene lies in a module, `next` how likely each module (in the order of this file) is for the
# next gene, `genes` how common each category (in the order of `categories`) is among the named
# genes of the module. Each module began as that of the category whose name it has. `kept`: how
# often the run of modules goes on over a border; where it does not, it starts anew by `share`.
# `shrink` is a factor on log-odds. `measured`: on genomes that were left out with their near
# relatives; `passing` counts the right category and a random wrong one of named genes whose
# log-odds reach the border.
"""


def text_of(model: GeneOrder, measured: Sequence[Figures]) -> str:
    """The file: the same model gives the same bytes."""
    lines = [_HEAD, f'version = "{model.version}"', f'basis = "{model.basis}"']
    for kind, chain in model.chains.items():
        lines += ["", *_chain(kind, chain)]
    for one in measured:
        lines += ["", *_measured(one)]
    return "\n".join(lines) + "\n"


def _chain(kind: GenomeKind, chain: ModuleChain) -> Iterator[str]:
    yield f"[chain.{kind}]"
    yield f"categories = {_texts(chain.categories)}"
    yield f"close_bp = {chain.close_bp}"
    yield f"shrink = {chain.shrink}"
    kept = ", ".join(f"{link} = {_number(value)}" for link, value in chain.kept.items())
    yield f"kept = {{ {kept} }}"
    rows = zip(chain.modules, chain.start, chain.transitions, chain.emissions, strict=True)
    for name, share, following, genes in rows:
        yield ""
        yield f"[[chain.{kind}.module]]"
        yield f'name = "{name}"'
        yield f"share = {_number(share)}"
        yield f"next = {_numbers(following)}"
        yield f"genes = {_numbers(genes)}"


def _measured(one: Figures) -> Iterator[str]:
    yield "[[measured]]"
    yield f'kind = "{one.kind}"'
    yield f'records = "{one.records}"'
    yield f"judged = {one.judged}"
    yield f"told = {one.told}"
    yield f"right = {one.right}"
    yield f"log_loss = {one.loss:.3f}"
    yield f"log_loss_without_neighbours = {one.prior_loss:.3f}"
    yield f"calibration_error = {one.calibration_error:.3f}"
    if one.surely_right_from is not None:
        yield f"right_in_four_of_five_from = {one.surely_right_from:.2f}"
    for border, right, wrong in one.passing:
        yield (
            f"passing_{border:.0f} = {{ right_category = {right:.3f}, "
            f"wrong_category = {wrong:.3f} }}"
        )
    yield "reliability = ["
    for each in one.bins:
        yield (
            f"    {{ probability = {each.probability:.3f}, right = {each.right}, "
            f"judged = {each.judged} }},"
        )
    yield "]"


def _texts(values: Iterable[str]) -> str:
    return "[" + ", ".join(f'"{value}"' for value in values) + "]"


def _numbers(values: Iterable[float]) -> str:
    return "[" + ", ".join(map(_number, values)) + "]"


def _number(value: float) -> str:
    """Three digits: more would say more than the records do, and differ between machines."""
    return f"{value:.3g}"
