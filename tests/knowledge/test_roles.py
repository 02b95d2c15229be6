import pytest

from genint.knowledge.roles import RoleTable, load_roles
from genint.model.vocabulary import COG_NAMES, Category


@pytest.fixture(scope="module")
def roles() -> RoleTable:
    return load_roles()


@pytest.mark.parametrize(
    ("product", "role"),
    [
        ("terminase large subunit", "terminase_large"),
        ("Phage terminase, large subunit", "terminase_large"),
        ("terminase small subunit", "terminase_small"),
        ("Terminase", "packaging"),
        ("Phage portal protein, lambda family", "portal"),
        ("major head protein", "major_capsid"),
        ("coat protein", "major_capsid"),
        ("scaffolding protein", "scaffold"),
        ("tapemeasure", "tape_measure"),
        ("tail fiber assembly protein", "tail_fiber_assembly"),
        ("Lysin A", "endolysin"),
        ("phage lysozyme", "endolysin"),
        ("inhibitor of c-type lysozyme", "lysozyme_inhibitor"),
        ("antiholin", "antiholin"),
        ("Rz-like spanin", "spanin"),
        ("Integrase (Y-int)", "integrase"),
        ("single-stranded DNA binding protein", "ssb"),
        ("DNA primase/helicase", "primase"),
        ("50S ribosomal protein L31", "ribosomal_protein"),
    ],
)
def test_wordings_find_their_role(roles, product, role):
    assert roles.role_of(product).id == role


@pytest.mark.parametrize(
    "product",
    [
        "hypothetical protein",
        "tetraspanin family protein",
        "threonine synthase",
        "hemolysin",
    ],
)
def test_other_names_play_no_role(roles, product):
    assert roles.role_of(product) is None


@pytest.mark.parametrize(
    "product", ["RNA polymerase inhibitor", "DNA polymerase inhibitor", "integrase inhibitor"]
)
def test_what_blocks_an_enzyme_is_never_the_enzyme(roles, product):
    role = roles.role_of(product)
    assert role is None or role.inhibitor


def test_the_table_is_sound(roles):
    ids = [role.id for role in roles.roles]
    assert len(ids) == len(set(ids)) >= 50
    for role in roles.roles:
        assert isinstance(role.category, Category)
        assert role.cog is None or role.cog in COG_NAMES
        assert role.broad or roles.role_of(role.name).id == role.id


def test_go_terms_of_roles_exist_in_the_ontology(roles, shared_data):
    table = (shared_data / "reference/go/go_terms.tsv").read_text().splitlines()
    names = dict(line.split("\t")[:2] for line in table[1:])
    for role in roles.roles:
        for term in role.go:
            assert names.get(term.id) == term.name
