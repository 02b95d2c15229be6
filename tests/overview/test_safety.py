"""The safety panel: what is found is named with its genes, what is not is never called absent."""

from __future__ import annotations

from dataclasses import replace

import pytest

from genint.knowledge import load_roles
from genint.knowledge.overview_tables import load_overview_knowledge
from genint.knowledge.safety_markers import load_safety_markers, parse_safety_markers
from genint.model import EvidenceSource, EvidenceType, GenomeKind, Topic
from genint.model.overview import MarkerHit, MarkerMeaning, MarkerReference, Outcome
from genint.overview.record import RecordView, players_of
from genint.overview.safety import safety
from tests.builders.overviews import described, genome_of
from tests.builders.results import summarise
from tests.overview.test_relatives import phage, table

VIRULENT = ("terminase large subunit", "portal protein", "holin", None, "DNA polymerase")
TEMPERATE = ("integrase", "excisionase", *VIRULENT)
VIRULENCE_ONLY = frozenset({MarkerMeaning.VIRULENCE})


def panel_of(products, *, kind=GenomeKind.PHAGE, **found):
    statements = described(genome_of(products, kind=kind), **found)
    topic = Topic.SAFETY if kind is GenomeKind.PHAGE else Topic.PATHOGENICITY
    return {one.subject: one for one in statements if one.topic is topic}


def hit(gene_id, identity, **changes):
    made = MarkerHit(
        gene_id, "NCBI genes 1", "WP_1", "blaTEM-1", "beta-lactam", 500.0, 1e-150,
        identity, 1.0, 1.0, MarkerMeaning.RESISTANCE,
    )  # fmt: skip
    return made._replace(**changes)


def test_a_panel_that_finds_nothing_says_so_for_each_subject_with_what_was_searched():
    panel = panel_of(VIRULENT)
    assert list(panel) == [
        "lysogeny",
        "toxins",
        "antimicrobial resistance",
        "virulence factors",
        "transduction",
    ]
    for subject in list(panel)[:4]:
        one = panel[subject]
        assert (one.outcome, one.genes) == (Outcome.NOT_FOUND, ())
        assert "found by what was searched" in one.text
        assert one.searched == ("Pfam (35.0)",)
        assert "safe" not in one.text
        assert "absent" not in one.text


def test_among_no_genes_nothing_counts_as_looked_for():
    for kind in GenomeKind:
        assert all(one.outcome is Outcome.FOUND for one in described(genome_of((), kind=kind)))


@pytest.mark.parametrize(
    ("product", "subject"),
    [
        ("Shiga toxin subunit A", "toxins"),
        ("streptococcal pyrogenic exotoxin SpeC", "toxins"),
        ("botulinum neurotoxin type C", "toxins"),
        ("cytolethal distending toxin subunit B", "toxins"),
        ("cholera enterotoxin subunit A", "toxins"),
        ("diphtheria toxin", "toxins"),
        ("streptodornase", "toxins"),
        ("hemolysin E", "toxins"),
        ("RTX toxin", "toxins"),
        ("class A beta-lactamase", "antimicrobial resistance"),
        ("tetracycline resistance protein TetM", "antimicrobial resistance"),
        ("chloramphenicol acetyltransferase", "antimicrobial resistance"),
        ("aminoglycoside 3'-phosphotransferase", "antimicrobial resistance"),
        ("outer membrane protein Lom", "virulence factors"),
        ("Bor protein precursor", "virulence factors"),
        ("copper-zinc superoxide dismutase", "virulence factors"),
        ("staphylokinase", "virulence factors"),
        ("plasminogen activator Pla", "virulence factors"),
    ],
)
def test_genes_that_are_named_for_it_are_found_with_their_level_and_a_reason(product, subject):
    panel = panel_of((*VIRULENT, product))
    one = panel[subject]
    assert "g6" in one.text
    assert [role.gene_id for role in one.genes] == ["g6"]
    assert "g6" in one.reasoning[0]
    others = {"toxins", "antimicrobial resistance", "virulence factors"} - {subject}
    assert all(panel[other].outcome is Outcome.NOT_FOUND for other in others)


@pytest.mark.parametrize(
    "product",
    [
        "type I toxin-antitoxin system Hok family toxin",
        "antitoxin DinJ",
        "toxin Doc",
        "zona occludens toxin",
        "hemolysin",
        "colicin V production protein",
        "small multidrug resistance protein",
        "metallo-beta-lactamase fold protein",
        "RNA polymerase ADP-ribosyltransferase Alt",
        "tellurite resistance protein",
        "diphtheria toxin repressor",
        "virulence-associated protein E",
        "endolysin",
        "putative secreted antigen GbpB/SagA/PcsB, peptidoglycan hydrolase",
        "hyaluronoglucosaminidase",
        "exfoliative toxin A",
        "panton-Valentine leukocicin",
        "superoxide dismutase [Mn]",
    ],
)
def test_names_that_only_sound_dangerous_raise_no_alarm(product):
    panel = panel_of((*VIRULENT, product))
    for subject in ("toxins", "antimicrobial resistance", "virulence factors"):
        assert panel[subject].outcome is Outcome.NOT_FOUND


@pytest.mark.parametrize("product", ["hemolysin", "RTX calcium-binding nonapeptide"])
def test_what_is_named_for_a_toxin_and_not_counted_is_a_doubt_of_the_panel(product):
    doubt = panel_of((*VIRULENT, product))["toxins"].uncertainties[0]
    assert doubt.startswith("Not counted, but named for toxins")
    assert f"{product} (g6)" in doubt


def test_a_gene_that_counts_as_a_virulence_factor_is_no_uncounted_toxin():
    products = (*VIRULENT, "pyrogenic exotoxin B (SpeB)", "Shiga toxin subunit A")
    panel = panel_of(products, kind=GenomeKind.BACTERIUM)
    assert panel["virulence factors"].outcome is Outcome.FOUND
    assert not any("named for toxins" in one for one in panel["toxins"].uncertainties)


@pytest.mark.parametrize(
    "product", ["antitoxin DinJ", "toxin Doc", "toxin", "zona occludens toxin", "endolysin"]
)
def test_toxins_of_other_kinds_are_no_doubt(product):
    doubts = panel_of((*VIRULENT, product))["toxins"].uncertainties
    assert not any("named for toxins" in doubt for doubt in doubts)


def test_a_phage_without_a_tail_is_not_said_to_pack_until_the_head_is_full():
    packing = panel_of(("major capsid protein F", "major spike protein G"))["transduction"]
    assert any("no gene of a tailed phage" in step for step in packing.reasoning)
    assert not any("headful" in step for step in packing.reasoning)


def test_without_references_the_panel_says_what_is_not_covered_and_how_to_install_it():
    panel = panel_of(VIRULENT)
    assert any("--markers" in doubt for doubt in panel["virulence factors"].uncertainties)
    resistance = panel["antimicrobial resistance"].uncertainties
    assert any("genint db install amr" in doubt for doubt in resistance)


def test_a_reference_that_was_searched_is_named_and_its_lack_no_longer_stated():
    reference = MarkerReference("mine.faa (12 proteins)", VIRULENCE_ONLY)
    panel = panel_of(VIRULENT, references=(reference,))
    one = panel["virulence factors"]
    assert one.searched[0] == "mine.faa (12 proteins)"
    assert not any("--markers" in doubt for doubt in one.uncertainties)
    assert any("--markers" in doubt for doubt in panel["toxins"].uncertainties)


def test_a_dark_gene_that_a_reference_knows_is_found():
    one = panel_of(VIRULENT, markers={"g4": [hit("g4", 0.99)]})["antimicrobial resistance"]
    assert (one.outcome, one.value) == (Outcome.FOUND, "1 gene")
    assert one.genes[0].role == "blaTEM-1"
    assert "99% identical" in one.genes[0].reason


def test_what_is_only_like_an_entry_is_to_be_checked_and_not_found():
    one = panel_of(VIRULENT, markers={"g4": [hit("g4", 0.6)]})["antimicrobial resistance"]
    assert one.outcome is Outcome.CANNOT_TELL
    assert "like blaTEM-1" in one.text
    assert "is sure" in one.text


def test_an_integrase_tells_lysogeny_and_possible_transduction():
    panel = panel_of(TEMPERATE)
    assert panel["lysogeny"].outcome is Outcome.FOUND
    assert [role.gene_id for role in panel["lysogeny"].genes] == ["g1", "g2"]
    assert panel["transduction"].outcome is Outcome.FOUND
    assert panel_of(VIRULENT)["transduction"].outcome is Outcome.CANNOT_TELL


def test_of_a_bacterium_only_what_was_found_is_said_and_whether_phage_genes_are_around_it():
    prophage = ("integrase", "portal protein", "endolysin", "Shiga toxin subunit A")
    panel = panel_of(prophage, kind=GenomeKind.BACTERIUM)
    assert list(panel) == ["toxins"]
    assert "among genes of a phage" in panel["toxins"].reasoning[0]
    alone = panel_of((*prophage[-1:], "DNA gyrase"), kind=GenomeKind.BACTERIUM)
    assert "among genes" not in alone["toxins"].reasoning[0]


def test_every_marker_that_ships_can_be_reached_and_has_a_source():
    table = load_safety_markers()
    assert len(table.markers) > 20
    assert all(marker.source and marker.does for marker in table.markers)
    assert {marker.means for marker in table.markers} == set(MarkerMeaning)


def test_a_table_with_an_unknown_meaning_is_refused():
    text = 'version="1"\nexclude=["x"]\n[[marker]]\nname="a"\nmeans="odd"\ndoes="b"\nsource="c"\n'
    with pytest.raises(ValueError, match="odd"):
        parse_safety_markers(text + 'patterns=["a"]\n')


def test_a_phage_that_fills_its_head_may_carry_host_genes_and_one_with_cohesive_ends_does_not_say():
    """By named phages with such a terminase; without an integrase nothing else speaks for it."""
    view = view_of_terminase("GFT")
    said = {}
    for way in ("headful", "cohesive ends"):
        knowledge = load_overview_knowledge(load_roles(), {})._replace(
            relatives=table(*(phage(f"p{at}", "T", ends=way) for at in range(4)))
        )
        (said[way],) = [one for one in safety(view, knowledge) if one.subject == "transduction"]
    assert said["headful"].outcome is Outcome.FOUND
    assert "generalised" in said["headful"].text
    assert said["cohesive ends"].outcome is Outcome.CANNOT_TELL
    assert "cohesive ends" in said["cohesive ends"].reasoning[0]


def view_of_terminase(family):
    """A phage whose one gene is a large terminase subunit, recognised by this family."""
    genome = genome_of(("terminase large subunit",))
    (result,) = summarise(genome).results
    found = result.interpretation
    seen = replace(
        found.evidence[0],
        source=EvidenceSource.GENINT_FAMILY,
        type=EvidenceType.FAMILY,
        accession=family,
    )
    lead = replace(found.hypotheses[0], evidence=(seen,))
    result = replace(result, interpretation=replace(found, hypotheses=(lead,)))
    players = players_of([result], load_roles())
    return RecordView(genome.contigs[0], GenomeKind.PHAGE, players, {}, ("Pfam",), ())


def test_a_phage_that_transposes_like_mu_can_become_a_prophage():
    panel = panel_of(("transposase A subunit", *VIRULENT))
    assert panel["lysogeny"].value == "transposition"
    assert panel["lysogeny"].outcome is Outcome.FOUND
    assert panel["transduction"].outcome is Outcome.FOUND
