"""Categories by the words of names that neither the vocabulary nor a role covers."""

from __future__ import annotations

import gzip

import pytest

from genint.knowledge import load_products, load_roles
from genint.knowledge.function_words import category_by_words
from genint.knowledge.product_names import NameKind, classify_product
from genint.model import Category
from genint.model.vocabulary import COG_CATEGORIES, cog_fits

_PRODUCTS, _ROLES = load_products(), load_roles()
_OPEN = frozenset("RSX")
_NOTHING = frozenset({NameKind.PLACEHOLDER, NameKind.SYMBOL})


@pytest.mark.parametrize(
    ("name", "category"),
    [
        ("23S rRNA m(2)G1835 methyltransferase, SAM-dependent", Category.TRANSLATION),
        ("tRNA-dependent lipid II--L-alanine ligase", Category.ENVELOPE),
        ("zinc-type alcohol dehydrogenase-like protein", Category.METABOLISM),
        ("D-malate oxidase, NAD-dependent; putative tartrate dehydrogenase", Category.METABOLISM),
        ("putative regulatory protein N (early gene regulator)", Category.TRANSCRIPTION),
        ("L-threonine dehydratase operon activator protein", Category.TRANSCRIPTION),
        ("putrescine importer", Category.TRANSPORT),
        ("type cbb3 cytochrome oxidase biogenesis protein CcoS", Category.METABOLISM),
        ("mobile element protein", Category.MOBILE),
        ("toxic polypeptide, small", Category.DEFENCE),
        ("putative colanic acid polymerase", Category.ENVELOPE),
        ("cyclic-di-GMP phosphodiesterase, anaerobic", Category.CELL_PROCESSES),
        ("dNTP triphosphohydrolase, broad substrate specificity", Category.NUCLEOTIDES),
        ("putative neutral zinc metallopeptidase", Category.PROTEIN_FATE),
    ],
)
def test_what_a_name_speaks_of_is_its_category(name, category):
    assert category_by_words(name, in_phage=False) is category


@pytest.mark.parametrize(
    "name",
    [
        "alpha/beta hydrolase",
        "GNAT family N-acetyltransferase",
        "putative ATP-binding protein",
        "radical SAM protein",
        "ribonuclease E (RNase E) inhibitor protein",
        "stimulator of CaiD and CaiB enzyme activities",
        "hypothetical protein",
    ],
)
def test_a_name_that_leaves_the_function_open_has_no_category(name):
    assert category_by_words(name, in_phage=False) is None


def test_a_wall_or_surface_of_cells_is_not_that_of_phages():
    assert category_by_words("putative bacterial adhesin", in_phage=True) is None
    assert category_by_words("putative bacterial adhesin", in_phage=False) is Category.ENVELOPE


def test_words_agree_with_the_vocabulary_where_it_knows_the_name():
    """Its products are curated one by one: where words differ, they say less (FtsH a protease)."""
    told = [
        found is product.category
        for product in _PRODUCTS.products.values()
        if product.kind == "bacteria"
        for name in product.names
        if (found := category_by_words(name, in_phage=False)) is not None
    ]
    assert len(told) > 5_000
    assert sum(told) / len(told) > 0.93


def test_words_agree_with_cog_on_its_names(shared_data):
    """Names of 5,000 COGs that no role and no term covers, beside the letters of their curators."""
    file = shared_data / "reference/cog/cog-24_cog_definition.tsv.gz"
    lines = gzip.decompress(file.read_bytes()).decode().splitlines()
    fitting, same = [], []
    for letters, name in (line.split("\t")[1:3] for line in lines):
        if letters[0] in _OPEN or _PRODUCTS.find(name) or _ROLES.role_of(name):
            continue
        found = category_by_words(name, in_phage=False)
        if found is not None:
            fitting.append(any(cog_fits(letter, found) for letter in letters))
            same.append(any(COG_CATEGORIES[letter] is found for letter in letters))
    assert len(fitting) > 900
    assert sum(fitting) / len(fitting) > 0.98
    assert sum(same) / len(same) > 0.82


@pytest.mark.slow
def test_most_bacterial_names_of_a_function_have_a_category(bacterial_names):
    """The rest are open classes, families of unknown function, and wordings that nobody shares.

    Every third name, for time.
    """
    some = sorted(bacterial_names)[::3]
    functions = [name for name in some if classify_product(name) not in _NOTHING]
    spoken_of = sum(
        (product is not None and product.category not in (Category.OTHER, Category.UNKNOWN))
        or _ROLES.role_of(name) is not None
        or category_by_words(name, in_phage=False) is not None
        for name, product in ((name, _PRODUCTS.find(name)) for name in functions)
    )
    assert spoken_of / len(functions) > 0.78
