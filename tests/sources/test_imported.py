"""Results of other programs as evidence: whose gene it is, how much it says, what counts once."""

from __future__ import annotations

from hashlib import md5

import pytest

from genint.formats import read_genome_bytes
from genint.knowledge.catalogue import load_knowledge
from genint.knowledge.table_files import InstalledTables
from genint.model import Evidence, EvidenceSource, EvidenceType, Specificity
from genint.model.evidence import Measurements
from genint.model.imported import (
    GeneEnd,
    ImportedGene,
    ImportedName,
    ImportedRecord,
    ImportedResults,
    NamedBy,
    QueryProteins,
)
from genint.model.interval import Strand
from genint.model.online import InterProEntry, InterProMatch, MatchPlace
from genint.sources.imported import Tables, observe
from genint.sources.imported_genes import GeneIndex, match_genes

CODING = "ATGAAACGTCTGGCAGAATACGATCTGGCACGTAAATGGGCATAA"
"""MKRLAEYDLARKWA."""
RECORD = f"""LOCUS       X1.1 {len(CODING)} bp    DNA     linear   PHG 01-JAN-2020
ACCESSION   X1
VERSION     X1.1
FEATURES             Location/Qualifiers
     CDS             1..{len(CODING)}
                     /locus_tag="T_1"
                     /product="PRODUCT"
                     /db_xref="UniProtKB/Swiss-Prot:P0AD86"
ORIGIN
        1 {CODING.lower()}
//
"""
HERE = GeneEnd("X1", Strand.FORWARD, len(CODING))


@pytest.fixture(scope="module")
def tables():
    known = load_knowledge(None, InstalledTables())
    return Tables(known.products, known.families, known.own_families)


def genome(product: str = "hypothetical protein"):
    return read_genome_bytes(RECORD.replace("PRODUCT", product).encode(), "x.gbk")


def results(
    *genes: ImportedGene, source=EvidenceSource.PHAROKKA, records=(), **more
) -> ImportedResults:
    return ImportedResults("r.tsv", "ab" * 32, source, "1.0", "", genes, records, **more)


def named(text: str, by: NamedBy = NamedBy.FAMILY, **more) -> ImportedGene:
    measured = more.pop("measured", Measurements(evalue=1e-40))
    name = ImportedName(text, by, measured=measured, **more)
    return ImportedGene(("other_1",), HERE, name=name)


def matched(gene: ImportedGene, *, records=(), queries=()) -> bool:
    found = match_genes(results(gene, records=records), GeneIndex.of(genome()), queries)
    assert bool(found.found) is not bool(found.unmatched)
    return bool(found.found)


PROTEIN = "MKRLAEYDLARKWA"


@pytest.mark.parametrize(
    "gene",
    [
        ImportedGene(("a",), HERE),
        ImportedGene(("a",), HERE._replace(record="X1.2")),
        ImportedGene(("a",), HERE, protein="LAEYDLARKWA"),  # another start
        ImportedGene(("T_1",)),
        ImportedGene(("sp|P0AD86|X_ECOLI",)),
        ImportedGene(("a",), md5=md5(PROTEIN.encode(), usedforsecurity=False).hexdigest()),
        ImportedGene(("a",), HERE._replace(record="renamed"), protein=PROTEIN),
    ],
)
def test_a_gene_is_found_by_its_end_its_protein_or_its_name(gene: ImportedGene) -> None:
    assert matched(gene)


@pytest.mark.parametrize(
    "gene",
    [
        ImportedGene(("T_1",), HERE._replace(base=30)),
        ImportedGene(("a",), HERE, protein="MKRLAEYDLARKWV"),  # a record of the same name
        ImportedGene(("T_1",), md5="0" * 32),
        ImportedGene(("a",)),
    ],
)
def test_what_may_be_another_gene_is_none(gene: ImportedGene) -> None:
    assert not matched(gene)


def test_records_are_told_by_their_bases_where_the_file_has_them() -> None:
    gene = ImportedGene(("a",), HERE)
    assert not matched(gene._replace(end=HERE._replace(record="contig_1")))
    other = ImportedRecord(("contig_1", "X1"), "0" * 64)
    assert not matched(gene._replace(end=HERE._replace(record="contig_1")), records=(other,))
    named_so = ImportedRecord(("contig_1", "X1"))
    assert matched(gene._replace(end=HERE._replace(record="contig_1")), records=(named_so,))


def test_the_proteins_of_a_query_find_genes_of_a_table_that_only_names_them() -> None:
    query = QueryProteins("q.faa", "cd" * 32, {"k_7": PROTEIN})
    assert matched(ImportedGene(("k_7",)), queries=(query,))


def seen(tables, *given: ImportedResults, known=(), product="hypothetical protein"):
    return observe(genome(product), given, (), tables, known).evidence


def test_a_name_is_evidence_with_program_version_and_class(tables) -> None:
    gene = named("holin", accession="phrog_97", origin="phrog:97")
    [item] = seen(tables, results(gene))
    assert (item.source, item.database, item.accession) == (
        EvidenceSource.PHAROKKA,
        "Pharokka 1.0",
        "phrog_97",
    )
    assert (item.type, item.strength, item.origin) == (
        EvidenceType.FAMILY,
        "imported_phrog",
        "phrog:97",
    )


@pytest.mark.parametrize("text", ["hypothetical protein", "gp12", "DUF1234", "unknown function"])
def test_placeholders_of_other_programs_are_no_evidence(tables, text: str) -> None:
    assert seen(tables, results(named(text))) == ()


def test_a_domain_names_the_domain_only(tables) -> None:
    [item] = seen(tables, results(named("N-acetyltransferase domain-containing protein")))
    assert item.specificity is Specificity.DOMAIN
    assert item.claim == "contains an N-acetyltransferase domain"
    assert item.strength == "imported_part"


def test_what_is_alike_in_part_names_the_part(tables) -> None:
    part = Measurements(evalue=1e-20, protein_coverage=0.4, target_coverage=0.9)
    [item] = seen(tables, results(named("holin", NamedBy.STRUCTURE_HIGH, measured=part)))
    assert (item.specificity, item.claim) == (Specificity.DOMAIN, "contains a region like holin")


def test_a_weak_or_unscored_family_is_worth_less(tables) -> None:
    weak = named("holin", measured=Measurements(evalue=1e-6))
    assert [item.strength for item in seen(tables, results(weak))] == ["imported_phrog_weak"]


def test_one_phrog_of_two_programs_counts_once(tables) -> None:
    of_pharokka = results(named("holin", accession="phrog_97", origin="phrog:97"))
    of_phold = results(
        named("holin", NamedBy.STRUCTURE_HIGH, accession="phrog_97", origin="phrog:97"),
        source=EvidenceSource.PHOLD,
    )
    one, two = seen(tables, of_pharokka, of_phold)
    assert one.source is not two.source
    assert one.origin == two.origin


def item_of(source: EvidenceSource, kind: EvidenceType, name: str, origin: str, **more) -> Evidence:
    return Evidence(
        gene_id="T_1",
        source=source,
        type=kind,
        specificity=Specificity.PROTEIN,
        claim=name,
        subject=name,
        label=name,
        strength="homology_near",
        origin=origin,
        eco="ECO:0000249",
        **more,
    )


def test_a_cluster_of_uniprot_and_a_similar_protein_of_one_name_count_once(tables) -> None:
    bakta = results(
        named("endolysin", NamedBy.CLUSTER_90, accession="UniRef90_X", origin="uniref:UniRef90_X"),
        source=EvidenceSource.BAKTA,
    )
    near = item_of(EvidenceSource.SWISSPROT, EvidenceType.HOMOLOGY, "endolysin", "protein:1")
    assert [item.origin for item in seen(tables, bakta, known=(near,))] == ["protein:1"]
    other = item_of(EvidenceSource.SWISSPROT, EvidenceType.HOMOLOGY, "portal protein", "protein:1")
    assert [item.origin for item in seen(tables, bakta, known=(other,))] == ["uniref:UniRef90_X"]


def test_the_name_that_the_file_has_from_the_program_is_no_second_witness(tables) -> None:
    stated = item_of(EvidenceSource.GENBANK, EvidenceType.ANNOTATION, "holin", "annotation:X1")
    found = seen(tables, results(named("holin")), known=(stated,), product="holin")
    assert [item.origin for item in found] == ["annotation:X1"]


def test_pfam_of_interproscan_and_of_the_local_search_count_once(tables) -> None:
    entry = InterProEntry("IPR035421", "Terminase", "Terminase", "domain")
    match = InterProMatch(
        "PF03237",
        "",
        "PFAM",
        "37.0",
        entry=entry,
        evalue=1e-20,
        score_bits=80.0,
        places=(MatchPlace(1, 14, 1, 100, 110),),
    )
    gene = ImportedGene(("T_1",), matches=(match,))
    [item] = seen(tables, results(gene, source=EvidenceSource.INTERPROSCAN))
    assert item.source is EvidenceSource.INTERPROSCAN
    assert (item.database, item.origin) == ("InterProScan 1.0", "pfam:PF03237")
    assert item.specificity is Specificity.DOMAIN
    [untyped] = seen(
        tables, results(gene, source=EvidenceSource.INTERPROSCAN, are_types_stated=False)
    )
    assert untyped.strength == "interpro_unscored"


def test_a_model_of_spurious_proteins_speaks_against_the_gene(tables) -> None:
    match = InterProMatch("ANF00001", "", "AntiFam", "8.0", places=(MatchPlace(1, 14),))
    gene = ImportedGene(("T_1",), matches=(match,))
    seen_of = observe(
        genome(), (results(gene, source=EvidenceSource.INTERPROSCAN),), (), tables, ()
    )
    assert seen_of.evidence == ()
    assert [item.accession for item in seen_of.spurious] == ["ANF00001"]
