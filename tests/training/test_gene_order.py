"""Learning gene order: from made-up records, and from those beside the project."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from genint.interpret import Neighbourhood
from genint.knowledge import Link, Placed, load_products, load_roles, parse_gene_order
from genint.model import Category, GenomeKind, Strand
from training.families.inputs import load_inputs
from training.gene_order.__main__ import basis_of, main
from training.gene_order.learning import Recipe, learn
from training.gene_order.material import (
    Record,
    category_finder,
    families_of_records,
    read_material,
    without,
)
from training.gene_order.measuring import Told, figures, measure
from training.gene_order.writing import text_of

PHAGE, BACTERIUM = GenomeKind.PHAGE, GenomeKind.BACTERIUM
TAIL, LYSIS, HEAD = Category.TAIL, Category.LYSIS, Category.HEAD
LETTERS = {"t": TAIL, "l": LYSIS, "h": HEAD, "-": None}
ALONE = {PHAGE: Recipe()}


def record(
    name: str,
    letters: str,
    *,
    proteins: str | None = None,
    group: str | None = None,
    switches: frozenset[int] = frozenset(),
) -> Record:
    """A phage; the strand switches before the numbered genes."""
    genes, strand = [], Strand.FORWARD
    for at, letter in enumerate(letters):
        if at in switches:
            strand = Strand(-strand)
        genes.append(Placed(LETTERS[letter], 1.0, 1_000 * at, 1_000 * at + 990, strand))
    hashes = tuple(proteins or (f"{name}{at}" for at in range(len(letters))))
    of_panel = group is not None
    return Record(
        name, group or name, PHAGE, tuple(genes), hashes, circular=False, of_panel=of_panel
    )


MODULAR = [record(f"m{at}", "hhhh-tttttt-t-llll") for at in range(8)]


def test_modules_are_found():
    chain = learn(MODULAR, ALONE).chains[PHAGE]
    for at, name in enumerate(chain.modules):
        own = chain.categories.index(Category(name))
        assert chain.emissions[at][own] == max(chain.emissions[at]) > 0.8
        assert chain.transitions[at][at] == max(chain.transitions[at])


def test_the_order_of_records_changes_nothing():
    assert learn(MODULAR, ALONE) == learn(MODULAR[::-1], ALONE)


def test_records_read_backwards_give_the_same_model():
    backwards = [
        one._replace(
            genes=tuple(
                gene._replace(category=other.category)
                for gene, other in zip(one.genes, one.genes[::-1], strict=True)
            )
        )
        for one in MODULAR
    ]
    there, back = learn(MODULAR, ALONE).chains[PHAGE], learn(backwards, ALONE).chains[PHAGE]
    assert there.start == pytest.approx(back.start)
    for one, other in zip(there.transitions, back.transitions, strict=True):
        assert one == pytest.approx(other)


def test_near_relatives_count_as_one():
    unlike = [record("one", "tttttlllll"), record("other", "hhhhhhhhhh")]
    copies = [record(f"copy{at}", "hhhhhhhhhh", proteins="abcdefghij") for at in range(5)]
    one = learn([*unlike, record("single", "hhhhhhhhhh")], ALONE).chains[PHAGE]
    many = learn([*unlike, *copies], ALONE).chains[PHAGE]
    assert many.shares == pytest.approx(one.shares)


def test_borders_where_modules_end_are_learned():
    ending = [record(f"e{at}", "hhhhhttttthhhhh", switches=frozenset({5, 10})) for at in range(9)]
    inside = [record(f"i{at}", "hhhhhttttthhhhh", switches=frozenset({2, 7})) for at in range(9)]
    at_ends = learn(ending, ALONE).chains[PHAGE].kept
    within = learn(inside, ALONE).chains[PHAGE].kept
    assert at_ends[Link.SWITCH] < within[Link.SWITCH]
    assert at_ends[Link.CLOSE] == within[Link.CLOSE] == 1.0


def test_a_kind_without_a_recipe_or_without_records_has_no_chain():
    assert not learn(MODULAR, {}).chains
    assert not learn(MODULAR, {BACTERIUM: Recipe()}).chains


def test_doubtful_genes_count_for_less():
    doubtful = [
        one._replace(genes=tuple(gene._replace(probability=0.2) for gene in one.genes))
        for one in MODULAR
    ]
    sure, unsure = (learn(some, ALONE).chains[PHAGE] for some in (MODULAR, doubtful))
    tail = sure.modules.index(TAIL.value)
    assert max(unsure.emissions[tail]) < max(sure.emissions[tail])


def test_near_relatives_have_one_number_even_by_way_of_another():
    records = [
        record("a", "ttt", proteins="123"),
        record("b", "ttt", proteins="124"),
        record("c", "ttt", proteins="154"),
        record("d", "ttt", proteins="789"),
    ]
    a, b, c, d = families_of_records(records)
    assert a == b == c != d


def test_a_group_is_left_out_with_its_near_relatives():
    records = [
        record("own", "ttt", proteins="123", group="G"),
        record("other", "ttt", proteins="456", group="G"),
        record("copy", "ttt", proteins="452"),
        record("far", "ttt", proteins="189"),
        record("judge", "ttt", proteins="xyz", group="H"),
    ]
    assert [one.name for one in without(records, "G")] == ["far", "judge"]


def test_categories_are_those_of_products_then_of_roles_and_never_untelling():
    category_of = category_finder(load_products(), load_roles())
    assert category_of("portal protein") in (Category.HEAD, Category.CONNECTOR)
    assert category_of("endolysin") is Category.LYSIS
    assert category_of("hypothetical protein") is None
    assert category_of("") is None


def said(best: Category, probability: float, log_odds: float) -> Neighbourhood:
    return Neighbourhood({TAIL: log_odds, LYSIS: -log_odds}, (1,), best, probability)


def test_figures_count_what_they_say():
    shares = {TAIL: 0.5, LYSIS: 0.25, HEAD: 0.25}
    told = [
        Told(TAIL, said(TAIL, 0.95, 2.5), shares),
        Told(TAIL, said(TAIL, 0.85, 1.5), shares),
        Told(LYSIS, said(TAIL, 0.85, 1.5), shares),
        Told(HEAD, None, shares),
    ]
    found = figures(PHAGE, "made up", told)
    assert (found.judged, found.told, found.right) == (4, 3, 2)
    assert [(one.right, one.judged) for one in found.bins] == [(1, 2), (1, 1)]
    assert found.calibration_error == pytest.approx((abs(1 - 1.7) + abs(1 - 0.95)) / 3)
    # Of the gene of lysis, tail is two thirds of the wrong categories.
    assert found.passing[0] == (1.0, 0.5, pytest.approx((2 / 3) / 4))
    assert found.passing[1] == (2.0, 0.25, 0.0)
    assert found.surely_right_from is None  # too few to say so


def test_no_gene_is_judged_by_a_model_that_knows_its_group():
    # Only the group itself says that head and lysis go together.
    odd = [record(f"o{at}", "hlhlhlhlhl", group="odd") for at in range(3)]
    judged = {one.records: one for one in measure([*odd, *MODULAR], ALONE)}
    assert judged["annotated genomes"].right == 0


def test_the_file_is_read_back_as_it_was_learned():
    measured = tuple(measure(MODULAR, ALONE))
    model = learn(MODULAR, ALONE, version="7", basis=basis_of(MODULAR, measured))
    text = text_of(model, measured)
    assert text == text_of(learn(MODULAR[::-1], ALONE, "7", model.basis), measured)
    back = parse_gene_order(text)
    assert back.version == "7"
    assert back.basis.startswith(
        "Learned from the order of 120 named genes of 8 records (phage). Held out (phage, "
        "records known by order): the likeliest category by the neighbours was right for "
    )
    chain, read = model.chains[PHAGE], back.chains[PHAGE]
    assert read.categories == chain.categories
    assert read.start == pytest.approx(chain.start, rel=0.01)
    for one, other in zip(read.transitions, chain.transitions, strict=True):
        assert one == pytest.approx(other, rel=0.02)
    assert tomllib.loads(text)["measured"][0]["records"] == "records known by order"


def test_a_missing_data_folder_is_one_line_and_status_2(tmp_path, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["--data", str(tmp_path), "--output", str(tmp_path)])
    assert stopped.value.code == 2
    assert capsys.readouterr().err.startswith("error: ")
    assert not list(tmp_path.iterdir())


def test_records_of_the_data_folder_are_read_without_machine_names(shared_data: Path):
    records = read_material(shared_data, load_inputs(), load_products(), load_roles())
    names = {one.name for one in records}
    assert {"lambda", "T7", "E_coli"} <= names
    assert not any(name.startswith("Bas") for name in names)
    (t7,) = (one for one in records if one.name == "T7")
    assert t7.of_panel
    assert {gene.strand for gene in t7.genes} == {Strand.FORWARD}
    assert sum(not one.of_panel for one in records) > 500
