"""The vocabulary of common bacterial products: its extent and the wordings that it joins."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from genint.knowledge import ProductKind, Relation, load_products, name_key
from genint.model import COG_NAMES

VOCABULARY = load_products()
BACTERIAL = tuple(p for p in VOCABULARY.products.values() if p.kind is ProductKind.BACTERIA)

# What curators and machines write in bacterial records, and what it means.
WORDINGS = (
    ("30S ribosomal protein S12", "ribosomal_protein_s12"),
    ("ribosomal protein S12", "ribosomal_protein_s12"),
    ("Small ribosomal subunit protein uS12", "ribosomal_protein_s12"),
    ("SSU ribosomal protein S12p (S23e)", "ribosomal_protein_s12"),
    ("50S ribosomal subunit protein L7/L12", "ribosomal_protein_l7_l12"),
    ("Large ribosomal subunit protein bL12", "ribosomal_protein_l7_l12"),
    ("50S ribosomal protein L31 type B", "ribosomal_protein_l31"),
    ("threonyl-tRNA synthetase", "threonyl_trna_synthetase"),
    ("Threonine--tRNA ligase", "threonyl_trna_synthetase"),
    ("phenylalanyl-tRNA synthetase, alpha subunit", "phenylalanyl_trna_synthetase_alpha"),
    ("phenylalanine--tRNA ligase subunit beta", "phenylalanyl_trna_synthetase_beta"),
    ("Glycine--tRNA ligase alpha subunit", "glycyl_trna_synthetase_alpha"),
    ("EF-Tu", "elongation_factor_tu"),
    ("translation elongation factor Tu", "elongation_factor_tu"),
    ("elongation factor Ts", "elongation_factor_ts"),
    ("protein chain initiation factor IF-3", "translation_initiation_factor_if_3"),
    ("bacterial peptide chain release factor 1 (bRF-1)", "peptide_chain_release_factor_1"),
    ("release factor glutamine methyltransferase", "release_factor_methyltransferase"),
    ("tRNA (guanine-N(1)-)-methyltransferase", "trna_methyltransferase_trmd"),
    ("tRNA-specific 2-thiouridylase MnmA", "trna_2_thiouridine_synthase"),
    ("dimethyladenosine transferase", "rrna_methyltransferase_rsma"),
    ("DNA-directed RNA polymerase subunit beta'", "dna_directed_rna_polymerase_subunit_beta_prime"),
    ("DNA-directed RNA polymerase beta subunit", "dna_directed_rna_polymerase_subunit_beta"),
    ("RNA polymerase, sigma 32 (sigma H) factor", "rna_polymerase_sigma_factor_rpoh"),
    ("transcription termination factor Rho", "transcription_termination_factor_rho"),
    (
        "chromosomal replication initiation protein",
        "chromosomal_replication_initiator_protein_dnaa",
    ),
    ("DNA polymerase III, beta subunit", "dna_polymerase_iii_subunit_beta"),
    ("DNA polymerase III subunit delta'", "dna_polymerase_iii_subunit_delta_prime"),
    ("DNA gyrase subunit A", "dna_gyrase_subunit_a"),
    ("DNA gyrase, B subunit", "dna_gyrase_subunit_b"),
    ("NAD-dependent DNA ligase LigA", "dna_ligase_nad"),
    ("methyl-directed mismatch repair protein MutS", "dna_mismatch_repair_protein_muts"),
    # Of MutS, MutL and MutH alike.
    ("methyl-directed mismatch repair protein", None),
    ("Holliday junction ATP-dependent DNA helicase RuvB", "holliday_junction_helicase_ruvb"),
    ("excinuclease ABC, subunit C", "excinuclease_abc_subunit_uvrc"),
    ("molecular chaperone GroEL", "chaperonin_groel"),
    ("chaperonin GroES", "co_chaperone_groes"),
    ("ATP-dependent Clp protease proteolytic subunit", "clp_protease_proteolytic_subunit"),
    ("DNA-binding ATP-dependent protease La", "lon_protease"),
    ("cell division protein FtsH", "atp_dependent_zinc_metalloprotease_ftsh"),
    ("leader peptidase (signal peptidase I)", "signal_peptidase_i"),
    ("prolipoprotein signal peptidase (signal peptidase II)", "lipoprotein_signal_peptidase"),
    ("Protein translocase subunit SecY", "preprotein_translocase_subunit_secy"),
    ("UDP-N-acetylmuramate-L-alanine ligase", "udp_n_acetylmuramate_l_alanine_ligase"),
    (
        "UDP-3-O-acyl N-acetylglucosamine deacetylase",
        "udp_3_o_acyl_n_acetylglucosamine_deacetylase",
    ),
    ("malonyl CoA-acyl carrier protein transacylase", "malonyl_coa_acp_transacylase"),
    ("enolase", "enolase"),
    ("phosphopyruvate hydratase", "enolase"),
    ("triosephosphate isomerase", "triose_phosphate_isomerase"),
    ("F1 sector of membrane-bound ATP synthase, gamma subunit", "atp_synthase_subunit_gamma"),
    ("ATP synthase subunit a", "atp_synthase_subunit_a"),
    ("inosine-5'-monophosphate dehydrogenase", "imp_dehydrogenase"),
    ("dTMP kinase", "thymidylate_kinase"),
    ("S-adenosylmethionine synthetase", "methionine_adenosyltransferase"),
    ("octaprenyl diphosphate synthase", "octaprenyl_diphosphate_synthase"),
    ("lipoate synthase", "lipoyl_synthase"),
    ("Transcriptional regulator, LysR family", "lysr_family_transcriptional_regulator"),
    ("ferric uptake regulator", "ferric_uptake_regulator_fur"),
    ("ABC transporter, permease protein", "abc_transporter_permease"),
    (
        "phosphate ABC transporter ATP-binding protein",
        "phosphate_abc_transporter_atp_binding_protein",
    ),
    ("Phosphate import ATP-binding protein PstB", "phosphate_abc_transporter_atp_binding_protein"),
    ("phosphocarrier protein HPr", "phosphocarrier_protein_hpr"),
    ("chemotaxis regulator, protein phosphatase for CheY", "chemotaxis_protein_phosphatase_chez"),
    ("mRNA interferase MazF", "toxin_mazf"),
    ("antitoxin MazE", "antitoxin_maze"),
    ("IS5 transposase and trans-activator", "is5_family_transposase"),
    ("alkyl hydroperoxide reductase, C22 subunit", "alkyl_hydroperoxide_reductase_subunit_c"),
    ("type II secretion system protein H", "type_ii_secretion_system_protein_gsph"),
    ("putative periplasmic pilin chaperone", "fimbrial_chaperone"),
    ("IS2 repressor TnpA", "is2_repressor_orfa"),
    ("IS2 transposase TnpB", "is2_transposase_orfb"),
    ("c-di-GMP phosphodiesterase", "cyclic_di_gmp_phosphodiesterase"),
    ("gas vesicle protein GvpF", "gas_vesicle_protein_gvpf"),
    ("Small ribosomal subunit protein eS4", "ribosomal_protein_es4"),
    ("50S ribosomal protein L7Ae", "ribosomal_protein_el8"),
    ("DNA-directed RNA polymerase subunit A'", "rna_polymerase_subunit_rpo1n"),
    ("DNA-directed RNA polymerase subunit A''", "rna_polymerase_subunit_rpo1c"),
    ("DNA-directed RNA polymerase subunit Rpo10", "rna_polymerase_subunit_rpo10"),
    ("DNA primase small subunit PriS", "dna_primase_small_subunit_pris"),
    # One telling word more is another protein, or none that a vocabulary should guess.
    ("inhibitor of DNA gyrase subunit B", "dna_gyrase_inhibitor"),
    ("elongation factor Tu inhibitor kirromycin synthase", None),
    ("ribosomal protein S12 acetylation regulator", None),
    ("hypothetical protein", None),
    ("putative membrane protein", None),
)
APART = (
    ("DNA gyrase subunit A", "DNA gyrase subunit B"),
    ("tryptophan synthase subunit alpha", "tryptophan synthase subunit beta"),
    ("carbamoyl-phosphate synthase small subunit", "carbamoyl-phosphate synthase large subunit"),
    ("phenylalanine--tRNA ligase subunit alpha", "phenylalanine--tRNA ligase subunit beta"),
    ("antitoxin MazE", "endoribonuclease toxin MazF"),
    ("RNA polymerase sigma factor RpoE", "anti-sigma-E factor RseA"),
    ("cell division protein FtsZ", "cell division inhibitor SulA"),
    ("chaperonin GroEL", "co-chaperone GroES"),
    ("ABC transporter permease", "ABC transporter ATP-binding protein"),
    ("sensor histidine kinase", "response regulator transcription factor"),
)
DIFFERENT = (
    ("asparagine synthase (glutamine-hydrolyzing)", "asparaginase"),
    ("adenylosuccinate synthase", "adenylosuccinate lyase"),
    ("argininosuccinate synthase", "argininosuccinate lyase"),
    ("glycogen synthase", "glycogen phosphorylase"),
    ("50S ribosomal protein L11", "ribosomal protein L11 methyltransferase"),
    ("glutamyl-tRNA reductase", "glutamate--tRNA ligase"),
    ("superoxide dismutase", "superoxide dismutase [Cu-Zn]"),
    ("RNase HI", "RNase HII"),
    ("ribonuclease II", "ribonuclease III"),
)


def found(text: str) -> str | None:
    product = VOCABULARY.find(text)
    return None if product is None else product.id


@pytest.mark.parametrize(("text", "id_"), WORDINGS, ids=[text for text, _ in WORDINGS])
def test_a_real_wording_finds_its_product_or_nothing(text: str, id_: str | None) -> None:
    assert found(text) == id_


@pytest.mark.parametrize(("one", "other"), APART)
def test_opposites_are_kept_apart(one: str, other: str) -> None:
    first, second = found(one), found(other)
    assert first is not None
    assert second is not None
    assert VOCABULARY.related(first, second) is Relation.OPPOSITE


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_makes_and_what_breaks_a_thing_are_different_products(one: str, other: str) -> None:
    first, second = found(one), found(other)
    assert first is not None
    assert second is not None
    assert first != second


def test_at_least_250_bacterial_products_name_one_function() -> None:
    assert sum(not product.vague for product in BACTERIAL) >= 250


def test_most_products_have_three_wordings_and_more() -> None:
    assert sum(len(product.synonyms) >= 3 for product in BACTERIAL) >= 0.7 * len(BACTERIAL)


def test_every_ribosomal_protein_of_the_common_set_is_there() -> None:
    small = {f"ribosomal_protein_s{number}" for number in range(1, 22)}
    absent = {7, 8, 12, 26}  # L7/L12 is one entry, L8 a complex, L26 is S20
    large = {f"ribosomal_protein_l{number}" for number in set(range(1, 37)) - absent}
    assert small | large | {"ribosomal_protein_l7_l12"} <= set(VOCABULARY.products)


def test_every_amino_acid_has_a_trna_ligase() -> None:
    ligases = [p for p in BACTERIAL if p.id.endswith("yl_trna_synthetase") and not p.vague]
    assert len(ligases) == 20
    assert all(p.ec and p.ec[0].startswith("6.1.1.") for p in ligases)


def test_go_terms_and_letters_and_enzyme_numbers_are_well_formed() -> None:
    for product in BACTERIAL:
        assert all(re.fullmatch(r"GO:\d{7}", term.id) for term in product.go), product.id
        assert product.cog is None or product.cog in COG_NAMES, product.id
        assert all(re.fullmatch(r"[1-7](\.\d+){3}", number) for number in product.ec), product.id


def test_go_terms_have_the_names_of_the_gene_ontology(shared_data: Path) -> None:
    rows = (shared_data / "reference/go/go_terms.tsv").read_text().splitlines()
    known = {row.split("\t")[0]: row.split("\t")[1] for row in rows if row.startswith("GO:")}
    used = {term.id: term.name for product in BACTERIAL for term in product.go}
    assert {id_: known.get(id_) for id_ in used} == used


def test_a_symbol_belongs_to_one_product() -> None:
    symbols = Counter(s.lower() for p in VOCABULARY.products.values() for s in set(p.symbols))
    assert [symbol for symbol, times in symbols.items() if times > 1] == []


@pytest.mark.parametrize(
    "symbol", ["dnaB", "parE", "citB", "speB", "gatA", "hemA", "lipA", "perR", "scpB"]
)
def test_symbols_that_mean_different_proteins_in_different_bacteria_are_none(symbol: str) -> None:
    assert symbol.lower() not in {s.lower() for p in BACTERIAL for s in p.symbols}


def test_no_wording_belongs_to_two_products() -> None:
    owners: dict[str, set[str]] = {}
    for product in VOCABULARY.products.values():
        for name in (product.name, *product.synonyms):
            owners.setdefault(name_key(name), set()).add(product.id)
    assert {key: ids for key, ids in owners.items() if len(ids) > 1 or not key} == {}


def test_a_class_of_transcriptional_regulators_is_vague_and_a_named_regulator_is_not() -> None:
    assert VOCABULARY.products["tetr_family_transcriptional_regulator"].vague
    lineage = VOCABULARY.lineage("ferric_uptake_regulator_fur")
    assert not lineage[0].vague
    assert lineage[1].id == "fur_family_transcriptional_regulator"
    assert lineage[-1].vague


def test_no_bare_abbreviation_names_a_product() -> None:
    # PDH, GK or TS mean different proteins to different readers.
    assert [
        n for p in BACTERIAL for n in p.synonyms if re.fullmatch(r"[A-Z][A-Za-z]?[A-Z]+", n)
    ] == []
    assert found("I") is None
    assert found("PDH") is None
