import pytest

from genint.knowledge import RoleTable, load_roles
from genint.model import COG_NAMES, Category

PACKAGING, CAPSID, TAIL, TAIL_FIBER = "GO:0019073", "GO:0019028", "GO:0098015", "GO:0098024"
HELICASE, DNA_POLYMERASE, REPLICATION = "GO:0003678", "GO:0003887", "GO:0006260"
RNA_POLYMERASE, TRNA_LIGASE, SIGMA = "GO:0003899", "GO:0004812", {"GO:0016987", "GO:0006352"}


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


def go_ids(roles: RoleTable, name: str) -> set[str]:
    role = roles.role_of(name)
    return {term.id for term in role.go_of(name)} if role else set()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("terminase large subunit", {PACKAGING}),
        ("phage terminase, small subunit", {PACKAGING}),
        ("DNA packaging protein", {PACKAGING}),
        ("portal protein", {"GO:0046798"}),
        ("prohead protease", {"GO:0046797"}),
        ("head scaffolding protein", {"GO:0019069"}),
        ("major capsid protein", {CAPSID}),
        ("N4-gp56 family major capsid protein", {CAPSID}),
        ("major spike protein", {CAPSID}),
        ("tail length tape measure protein", {TAIL}),
        ("tail fiber protein", {TAIL_FIBER, "GO:0019062"}),
        ("long tail fiber protein proximal connector", {TAIL_FIBER, "GO:0019062"}),
        ("receptor binding protein", {"GO:0019062"}),
        ("baseplate wedge subunit", {"GO:0098025"}),
        ("baseplate hub subunit and tail lysozyme", {"GO:0098025"}),
        ("tail tube protein", {TAIL}),
        ("holin", {"GO:0044659"}),
        ("Lysin A", {"GO:0044659", "GO:0009253"}),
        ("endolysin", {"GO:0044659", "GO:0009253"}),
        ("lysozyme", {"GO:0003796", "GO:0009253"}),
        ("integrase (Y-int)", {"GO:0015074", "GO:0006310"}),
        ("IS3 family transposase", {"GO:0004803", "GO:0006313"}),
        ("single-stranded DNA-binding protein", {"GO:0003697"}),
        ("DNA primase/helicase", {"GO:0003896", "GO:0006260"}),
        ("ATP-dependent DNA helicase RecG", {HELICASE}),
        ("replicative DNA helicase", {HELICASE}),
        ("DNA polymerase", {DNA_POLYMERASE, REPLICATION}),
        ("DNA polymerase I", {DNA_POLYMERASE}),
        ("DNA polymerase III subunit alpha", {DNA_POLYMERASE, REPLICATION}),
        ("Holliday junction resolvase RecU", {"GO:0006310"}),
        ("DNA gyrase subunit A", {"GO:0006265"}),
        ("NAD-dependent DNA ligase LigA", {"GO:0003909"}),
        ("exodeoxyribonuclease III", {"GO:0004527"}),
        ("HNH endonuclease", {"GO:0004519"}),
        ("DNA adenine methylase", {"GO:0006304"}),
        ("DNA-directed RNA polymerase subunit beta'", {RNA_POLYMERASE}),
        ("T7 RNA polymerase", {RNA_POLYMERASE}),
        ("RNA polymerase, sigma 70 (sigma D) factor", SIGMA),
        ("phenylalanine--tRNA ligase subunit alpha", {TRNA_LIGASE, "GO:0006412"}),
        ("Valyl-tRNA synthetase", {TRNA_LIGASE, "GO:0006412"}),
        ("30S ribosomal protein S12", {"GO:0003735", "GO:0006412"}),
        ("SSU ribosomal protein S13p (S18e)", {"GO:0003735", "GO:0006412"}),
        ("mal regulon transcriptional activator", {"GO:0006355"}),
        ("transcription termination/antitermination protein NusG", {"GO:0031564"}),
        ("DNA ligase, phage-associated", {"GO:0003909"}),
        ("integrase from bacteriophage origin", {"GO:0015074", "GO:0006310"}),
    ],
)
def test_the_actor_of_a_role_has_its_terms(roles, name, expected):
    assert go_ids(roles, name) == expected


@pytest.mark.parametrize(
    "name",
    [
        "scaffolding protein for murein synthesizing machinery",
        "Fe/S biogenesis protein, putative scaffold/chaperone protein",
        "phenylalanyl-tRNA synthetase operon leader peptide",
        "valyl tRNA synthetase modifier",
        "bacterial seryl-tRNA synthetase related",
        "Phenylalanyl-tRNA synthetase domain protein (Bsu YtpR)",
        "tRNA ligase",
        "RNA polymerase subunit delta",
        "stationary phase protein, binds sigma 70 RNA polymerase subunit",
        "Alt-like RNA polymerase ADP-ribosyltransferase",
        "RNA polymerase-associated protein Gp33",
        "anti-sigma factor for FliA (sigma 28)",
        "RNA-directed RNA polymerase",
        "DNA polymerase V subunit; RecA-activated auto-protease",
        "reverse transcriptase (RNA-dependent DNA polymerase)",
        "Lysin B",
        "peptidoglycan hydrolase, Autolysin1",
        "HflB protease modulator specific for phage lambda cII repressor",
        "RNA ligase and tail fiber protein attachment catalyst",
        "baseplate wedge tail fiber protein connector",
        "tail associated lysin",
        "DNA maturation protein",
        "core protein, DNA condensation protein",
        "type IV secretory system conjugative DNA transfer family protein",
        "ArdC-like ssDNA-binding domain-containing protein",
        "Ssb-binding protein, misidentified as ExoIX",
        "DNA helicase, belonging to the Cdc-46/Mcm family of DNA dependent ATPases",
        "regulatory protein for RecA",
        "antitoxin of GhoTS toxin-antitoxin pair; endonuclease for ghoT mRNA",
        "Endonuclease/exonuclease/phosphatase family protein",
        "ribonuclease J1 (endonuclease and 5' exonuclease)",
        "CRISPR-associated RecB family exonuclease Cas4",
        "O-6-alkylguanine-DNA:cysteine-protein methyltransferase",
        "protein, clustered with ribosomal protein L32p",
        "ribosomal protein L7Ae family protein YlxQ",
        "ribosomal protein S18-alanine N-acetyltransferase",
        "helix-turn-helix domain-containing protein",
        "repressor of biofilm formation by indole transport regulation",
        "phage translational repressor, regA",
        "regulator of the transcriptional regulator FhlA",
        "methyl-accepting chemotaxis protein (MCP) signalling",
        "auto-transporter adhesin, head GIN",
        "poly A polymerase head",
        "telomere recombination",
        "histidine kinase-, DNA gyrase B-, and HSP90-like ATPase",
        "scaffold protein Nfu/NifU",
        "excisionase family protein",
        "H repeat-associated putative transposase",
    ],
)
def test_a_name_that_only_speaks_of_an_actor_has_no_terms(roles, name):
    assert go_ids(roles, name) == set()
    role = roles.role_of(name)
    assert role is None or not role.statements or role.cog_of(name) in (None, "K")


@pytest.mark.parametrize(
    ("name", "never"),
    [
        ("RNA polymerase sigma factor", RNA_POLYMERASE),
        ("clamp loader of DNA polymerase", DNA_POLYMERASE),
        ("sliding clamp DNA polymerase accessory protein", DNA_POLYMERASE),
        ("DNA polymerase III, theta subunit", DNA_POLYMERASE),
        ("DNA polymerase III, chi subunit", DNA_POLYMERASE),
        ("DNA polymerase III, psi subunit", DNA_POLYMERASE),
        ("DNA helicase loader", HELICASE),
        ("tail fiber assembly protein", TAIL_FIBER),
        ("tail fiber chaperone", TAIL_FIBER),
        ("baseplate assembly protein", "GO:0098025"),
        ("tail assembly chaperone", TAIL),
        ("IS150 transposase A", "GO:0004803"),
        ("excisionase", "GO:0015074"),
    ],
)
def test_a_partner_has_the_process_and_never_the_actors_term(roles, name, never):
    found = go_ids(roles, name)
    assert found
    assert never not in found


@pytest.mark.parametrize(
    ("name", "category"),
    [
        ("DNA helicase loader", Category.REPLICATION),
        ("sliding clamp DNA polymerase accessory protein", Category.REPLICATION),
        ("RNA polymerase sigma factor RpoD", Category.TRANSCRIPTION),
        ("phenylalanyl-tRNA synthetase operon leader peptide", Category.TRANSCRIPTION),
        ("DNA maturation protein", Category.PACKAGING),
        ("RNA ligase and tail fiber protein attachment catalyst", Category.TAIL),
        ("LacI family DNA-binding transcriptional regulator", Category.TRANSCRIPTION),
        ("Lysin B", Category.LYSIS),
    ],
)
def test_a_partner_keeps_the_category_that_holds_for_it(roles, name, category):
    assert roles.role_of(name).category is category


@pytest.mark.parametrize(
    ("name", "letter"),
    [
        ("valyl-tRNA synthetase", "J"),
        ("DNA polymerase III, theta subunit", "L"),
        ("RNA polymerase sigma factor", "K"),
        ("cell division protein FtsZ", "D"),
        ("ribosome recycling factor", "J"),
        ("transcription factor", None),
        ("DNA helicase, superantigen-encoding pathogenicity islands SaPI", None),
        ("modulator of CbpA co-chaperone", None),
        ("cell division modulator", None),
    ],
)
def test_the_letter_too_is_the_actors(roles, name, letter):
    assert roles.role_of(name).cog_of(name) == letter


@pytest.mark.parametrize(
    "name", ["scaffolding protein for murein synthesizing machinery", "telomere recombination"]
)
def test_a_word_in_another_sense_gives_no_phage_role(roles, name):
    role = roles.role_of(name)
    assert role is None or role.category is Category.ENVELOPE


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
        for said in role.statements:
            for term in said.go:
                assert names.get(term.id) == term.name
