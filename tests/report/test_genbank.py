"""GenBank output: the user's record with what was found written into it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from Bio import SeqIO
from hypothesis import example, given, settings
from hypothesis import strategies as st

from genint.errors import InputError
from genint.formats import read_original
from genint.knowledge import load_confidence
from genint.model import CalledBy, Category, ConfidenceLevel, FeatureKind, GoAspect, NameVerdict
from genint.pipeline.gene_calling import Payload
from genint.pipeline.library import interpret_genome
from genint.report import (
    SET_ASIDE,
    VERDICTS,
    ComparedItem,
    ContextItem,
    FeatureItem,
    GenintResult,
    GoTermItem,
    Span,
    build_result,
    render,
    render_genbank,
    render_tbl,
)
from tests.report.tbl_reading import read_tbl

from .genbank_texts import (
    BASES,
    HEAD,
    PORTAL,
    TABLE,
    TAIL,
    annotated,
    biopython,
    cds_of,
    changed,
    record,
)


@pytest.fixture
def phix(examples: Path) -> Payload:
    return Payload((examples / "phiX174.gbk").read_bytes(), "phiX174.gbk")


@pytest.fixture
def phix_bases(examples: Path) -> str:
    return str(SeqIO.read(examples / "phiX174.gbk", "genbank").seq)


def test_format_is_offered_and_asks_for_the_file(
    phix_result: GenintResult, phix: Payload, examples: Path
) -> None:
    original = read_original(phix.content, phix.filename)
    text = render(phix_result, "gbk", original)
    assert text == render_genbank(phix_result, original)
    with pytest.raises(ValueError, match="needs the file"):
        render(phix_result, "gbk")


def test_another_file_is_refused_in_one_line(phix_result: GenintResult) -> None:
    _, other = annotated(record())
    with pytest.raises(InputError, match=r"^x\.gbk is not the file that was interpreted.*$"):
        render_genbank(phix_result, other)


def test_a_result_that_was_edited_is_refused_in_one_line() -> None:
    result, original = annotated(record(("CDS 1..30", PORTAL)))
    with pytest.raises(InputError, match=r"does not fit x\.gbk: the file has no gene T_02; "):
        render_genbank(changed(result, id="T_02"), original)
    with pytest.raises(InputError, match=r"does not fit x\.gbk: its records are not those"):
        render_genbank(result.model_copy(update={"records": ()}), original)


def test_every_gene_of_the_file_gets_its_note(phix_result: GenintResult, phix: Payload) -> None:
    text = render_genbank(phix_result, read_original(phix.content, phix.filename))
    features = [one for one in biopython(text).features if one.type == "CDS"]
    assert len(features) == len(phix_result.genes)
    for feature in features:
        assert feature.qualifiers["note"][-1].startswith("genint: ")


def test_product_of_the_file_is_never_replaced() -> None:
    result, original = annotated(record(("CDS 1..30", PORTAL)))
    other = changed(result, normalized_product="tail fiber", confidence=ConfidenceLevel.HIGH)
    assert cds_of(render_genbank(other, original)).qualifiers["product"] == ["portal protein"]


@pytest.mark.parametrize("level", ConfidenceLevel)
def test_gene_without_product_is_named_only_where_the_level_can_be_signed(
    level: ConfidenceLevel,
) -> None:
    result, original = annotated(record(("CDS 1..30", ['/locus_tag="T_01"'])))
    told = changed(result, confidence=level, normalized_product="portal protein")
    found = cds_of(render_genbank(told, original)).qualifiers
    signed = level in (ConfidenceLevel.HIGH, ConfidenceLevel.MODERATE)
    assert found.get("product") == (["portal protein"] if signed else None)
    assert ("added: product portal protein" in found["note"][-1]) is signed


def test_dark_gene_is_said_to_be_dark_and_gets_no_name() -> None:
    result, original = annotated(record(("CDS 1..30", ['/locus_tag="T_01"'])))
    found = cds_of(render_genbank(result, original)).qualifiers
    assert found["note"][0].startswith("genint: dark matter, not recognised with the")
    assert "product" not in found


def test_gene_feature_without_cds_gets_the_note() -> None:
    result, original = annotated(record(("gene 1..30", ['/locus_tag="T_01"'])))
    assert result.genes[0].called_by is CalledBy.GENBANK_GENE
    [feature] = biopython(render_genbank(result, original)).features
    assert feature.qualifiers["note"][0].startswith("genint: ")


def test_terms_go_by_aspect_and_none_comes_twice() -> None:
    terms = (
        GoTermItem(id="GO:0000001", name="one", aspect=GoAspect.FUNCTION),
        GoTermItem(id="GO:0000002", name="two", aspect=GoAspect.PROCESS),
        GoTermItem(id="GO:0000003", name="", aspect=GoAspect.COMPONENT),
        GoTermItem(id="GO:0000004", name="four"),
        GoTermItem(id="GO:0000005", name="five", aspect=GoAspect.PROCESS),
        GoTermItem(id="GO:0000006", name="six", aspect=GoAspect.PROCESS),
    )
    own = ['/GO_process="five [goid 0000005]"', '/db_xref="GO:0000006"', '/db_xref="Pfam:PF00009"']
    result, original = annotated(record(("CDS 1..30", [*PORTAL, *own])))
    found = cds_of(render_genbank(changed(result, go=terms, pfam_id="PF00009"), original))
    assert found.qualifiers["GO_function"] == ["GO:0000001 - one [Evidence IEA]"]
    assert found.qualifiers["GO_process"] == [
        "five [goid 0000005]",
        "GO:0000002 - two [Evidence IEA]",
    ]
    assert found.qualifiers["GO_component"] == ["GO:0000003 [Evidence IEA]"]
    assert found.qualifiers["db_xref"] == ["GO:0000006", "Pfam:PF00009", "GO:0000004"]


def test_rivals_conflicts_and_doubts_are_one_short_note_each() -> None:
    result, original = annotated(record(("CDS 1..30", PORTAL)))
    lead = result.genes[0].hypotheses[0]
    rivals = tuple(lead.model_copy(update={"function": f"rival {at}"}) for at in range(5))
    told = changed(
        result,
        hypotheses=(lead, *rivals),
        conflicts=("the file says so",),
        uncertainties=("a long doubt that goes on and on; " * 40,),
    )
    notes = cds_of(render_genbank(told, original)).qualifiers["note"]
    assert notes[1] == (
        "genint: also considered: rival 0 (0.79); rival 1 (0.79); rival 2 (0.79); and 2 more"
    )
    assert notes[2] == "genint: conflict: the file says so"
    assert notes[3].startswith("genint: uncertain: a long doubt")
    assert len(notes[3]) <= 300
    assert notes[3].endswith("...")


def test_features_and_context_are_notes_that_a_later_run_replaces() -> None:
    result, original = annotated(record(("CDS 1..30", PORTAL)))
    kind = FeatureKind.TRANSMEMBRANE
    seen = FeatureItem(kind=kind, start=7, end=25, score=1.9, method="KD")
    around = ContextItem(category=Category.TAIL, probability=0.82, neighbours=("gpF", "gpH"))
    told = render_genbank(changed(result, features=(seen,), context=around), original)
    notes = cds_of(told).qualifiers["note"]
    assert notes[-3:-1] == [
        "genint: sequence features: transmembrane segment 7-25",
        "genint: gene context: category tail predicted from neighbours (such predictions are right "
        "for 82% of genes): gpF; gpH",
    ]
    again = read_original(told.encode(), original.genome.source.filename)
    digest = result.input.model_copy(update={"sha256": again.genome.source.sha256})
    later = render_genbank(result.model_copy(update={"input": digest}), again)
    assert "transmembrane" not in later


def test_lines_of_an_earlier_run_are_replaced_and_those_of_a_curator_kept() -> None:
    result, original = annotated(record(("CDS 1..30", PORTAL)))
    term = GoTermItem(id="GO:0000001", name="one", aspect=GoAspect.FUNCTION)
    first = render_genbank(changed(result, go=(term,)), original)
    assert "GO:0000001" in first
    mine = " " * 21 + '/note="seen in the lab"\n'
    edited = first.replace("ORIGIN", f"{mine}ORIGIN")
    again, second = annotated(edited)
    assert again.genes[0].go_terms == result.genes[0].go_terms
    plain = render_genbank(result, original)
    own = f'{" " * 21}/product="portal protein"\n'
    assert render_genbank(again, second) == plain.replace(own, own + mine)


def test_notes_of_genes_that_are_not_told_again_go_too(phix: Payload) -> None:
    result, original = annotated(phix.content.decode())
    text = render_genbank(result, original)
    again, second = annotated(text)
    nothing = again.model_copy(update={"genes": ()})
    assert render_genbank(nothing, second) == original.text


@pytest.mark.parametrize("cut", ["", "\n", "\n//", "\n//\n\n\n"])
def test_end_of_the_file_stays_as_it_is(cut: str) -> None:
    text = record(("CDS 1..30", PORTAL)).removesuffix("\n//\n") + cut
    result, original = annotated(text)
    assert render_genbank(result, original).endswith(f"{BASES.lower()}{cut}")


def test_predicted_genes_are_inserted_in_the_order_of_their_places(phix_bases: str) -> None:
    table = (
        f'{TABLE}     source          1..5386\n                     /organism="phiX"\n'
        "     misc_feature    2000..2010\n     misc_feature    4000..4010\n"
    )
    text = (HEAD + table + TAIL).replace("60 bp", "5386 bp").replace(BASES.lower(), phix_bases)
    result, original = annotated(text)
    features = biopython(render_genbank(result, original)).features
    starts = [int(one.location.start) for one in features]
    assert starts == sorted(starts)
    kinds = [one.type for one in features]
    assert kinds.count("CDS") == kinds.count("gene") == len(result.genes) > 5
    first = next(one for one in features if one.type == "CDS")
    gene = result.genes[0]
    assert first.qualifiers["locus_tag"] == [gene.id]
    assert first.qualifiers["translation"] == [gene.translation]
    assert first.qualifiers["codon_start"] == ["1"]
    assert first.qualifiers["transl_table"] == ["11"]
    assert first.qualifiers["product"] == ["hypothetical protein"]
    assert first.qualifiers["inference"][0].startswith("ab initio prediction:pyrodigal")


def test_record_without_feature_table_gets_one(phix_bases: str) -> None:
    text = (HEAD + "COMMENT     mine\n" + TAIL).replace("60 bp", "5386 bp")
    result, original = annotated(text.replace(BASES.lower(), phix_bases))
    rendered = render_genbank(result, original)
    assert f"COMMENT     mine\n{TABLE}     source          1..5386\n" in rendered
    kinds = [one.type for one in biopython(rendered).features]
    assert kinds[:3] == ["source", "gene", "CDS"]


def test_a_term_whose_evidence_a_curator_changed_is_the_curators() -> None:
    result, original = annotated(record(("CDS 1..30", PORTAL)))
    term = GoTermItem(id="GO:0000001", name="one", aspect=GoAspect.PROCESS)
    first = render_genbank(changed(result, go=(term,)), original)
    edited = first.replace("[Evidence IEA]", "[Evidence IDA]")
    again, second = annotated(edited)
    found = cds_of(render_genbank(changed(again, go=(term,)), second)).qualifiers
    assert found["GO_process"] == ["GO:0000001 - one [Evidence IDA]"]


@pytest.mark.parametrize("features", [
    [("CDS 1..30", ['/locus_tag="T_01"', "/pseudo"])],
    [("CDS 1..30", ['/locus_tag="T_01"', '/pseudogene="unknown"'])],
    [("gene 1..30", ['/locus_tag="T_01"', "/pseudo"]), ("CDS 1..30", ['/locus_tag="T_01"'])],
])  # fmt: skip
@pytest.mark.parametrize("pseudo", [True, False])
def test_a_pseudogene_is_given_no_product(features: Any, pseudo: bool) -> None:
    result, original = annotated(record(*features))
    # False: as where the annotation of the file was set aside
    named = {"confidence": ConfidenceLevel.HIGH, "normalized_product": "portal protein"}
    told = changed(result, pseudo=pseudo, **named)
    found = cds_of(render_genbank(told, original)).qualifiers
    assert found["note"][0].startswith("genint: ")
    assert "product" not in found


def test_stop_codons_inside_a_gene_of_the_file_make_it_a_pseudogene_there() -> None:
    result, original = annotated(record(("CDS 2..31", ['/locus_tag="T_01"'])))
    assert "*" in result.genes[0].translation
    told = changed(result, confidence=ConfidenceLevel.HIGH, normalized_product="portal protein")
    text = render_genbank(told, original)
    found = cds_of(text).qualifiers
    assert found["pseudo"] == [""]
    assert "product" not in found
    (gene,) = read_tbl(render_tbl(told))
    assert (gene.key, gene.value("pseudo")) == ("gene", "")
    again, second = annotated(text)
    assert again.genes[0].pseudo is False  # it is genint's word, not the file's
    assert "pseudo" in cds_of(render_genbank(again, second)).qualifiers


def test_a_translation_that_the_bases_contradict_is_noted() -> None:
    result, original = annotated(record(("CDS 1..30", [*PORTAL, '/translation="MKRLAE"'])))
    notes = cds_of(render_genbank(result, original)).qualifiers["note"]
    assert "genint: the file's translation has 6 residues, the bases give 9" in notes


def held_against(
    strand: str, place: tuple[int, int], verdict: NameVerdict, **fields: Any
) -> dict[str, list[str]]:
    """Qualifiers of a CDS 1..30 or its complement, compared with a gene predicted at a place."""
    location = "CDS 1..30" if strand == "+" else "CDS complement(1..30)"
    result, original = annotated(record((location, PORTAL)))
    start, end = place
    part = Span(start=start, end=end, strand=strand)  # type: ignore[arg-type]  # "+" or "-"
    other = ComparedItem(
        id="T_01", product="portal protein", same_start=end - start == 29, verdict=verdict
    )
    update = {"id": "X1_00010", "called_by": CalledBy.PYRODIGAL, "strand": strand, "product": None}
    update |= {"start": start, "end": end, "parts": (part,), "compared": other, **fields}
    text = render_genbank(changed(result, **update), original)
    assert text.count("     CDS ") == 1
    return dict(cds_of(text).qualifiers)


@pytest.mark.parametrize(
    ("strand", "place", "text"),
    [
        ("+", (7, 30), "genint: predicted start 7 instead of 1"),
        ("-", (1, 24), "genint: predicted start 24 instead of 30"),
    ],
)
def test_a_gene_that_starts_elsewhere_is_told_at_the_gene_with_its_stop(
    strand: str, place: tuple[int, int], text: str
) -> None:
    assert text in held_against(strand, place, NameVerdict.AGREES)["note"]


def test_a_prediction_is_an_inference_only_for_the_place_that_was_predicted() -> None:
    same = held_against("+", (1, 30), NameVerdict.AGREES)
    assert same["inference"] == ["ab initio prediction:pyrodigal"]
    assert not any("predicted start" in text for text in same["note"])
    assert "inference" not in held_against("+", (7, 30), NameVerdict.AGREES)


@pytest.mark.parametrize("verdict", NameVerdict)
def test_the_comparison_says_who_names_the_gene(verdict: NameVerdict) -> None:
    assert (
        "genint: interpreted with the annotation of the file set aside; compared with T_01 of "
        f"the file: {VERDICTS[verdict]}"
    ) in held_against("+", (7, 30), verdict)["note"]


def test_a_dark_gene_does_not_deny_the_product_that_was_set_aside() -> None:
    dark: dict[str, Any] = {"function": None, "novelty": None}
    found = held_against("+", (7, 30), NameVerdict.ONLY_IN_FILE, **dark)
    assert found["note"][0] == (
        "genint: dark matter, not recognised with the databases used; the product in the file "
        "was set aside"
    )
    found = held_against("+", (7, 30), NameVerdict.NEITHER, **dark)
    assert found["note"][0] == "genint: dark matter, not recognised with the databases used"


def test_genes_called_afresh_go_to_the_same_cds_or_beside_the_others(phix: Payload) -> None:
    summary = interpret_genome(phix, ignore_annotations=True)
    result = build_result(summary, load_confidence())
    first, second, *others = result.genes
    assert first.compared is not None
    other_start = first.compared.model_copy(update={"same_start": False})
    first = first.model_copy(update={"compared": other_start})
    second = second.model_copy(update={"compared": None})
    result = result.model_copy(update={"genes": (first, second, *others)})
    original = read_original(phix.content, phix.filename)
    features = biopython(render_genbank(result, original)).features
    before = biopython(original.text).features
    new = [one for one in features if SET_ASIDE in one.qualifiers.get("note", ())]
    assert [one.qualifiers["locus_tag"] for one in new] == [[second.id]]
    assert len(features) == len(before) + 2
    told = [
        one
        for one in features
        if any("set aside; compared" in note for note in one.qualifiers.get("note", ()))
    ]
    assert len(told) == sum(gene.compared is not None for gene in result.genes)
    assert all(one.qualifiers["product"] for one in told)


def test_hostile_texts_can_neither_end_a_value_nor_hide() -> None:
    nasty = 'x" /pseudo\n//\nLOCUS y\x1b[2J\u202e\u0000 <b> \u03b2'
    result, original = annotated(record(("CDS 1..30", PORTAL)))
    told = changed(result, function=nasty, conflicts=(nasty,), call_note=nasty)
    text = render_genbank(told, original)
    assert text.isascii()
    found = cds_of(text).qualifiers
    assert "pseudo" not in found
    assert found["note"][0].startswith("genint: x' /pseudo // LOCUS y?[2J")
    assert text.count("\n//") == 1


ODD_LINES = (
    '/note="open', '/note="a ""b"" c"', "/pseudo", 'stray"', '"', "", '/product="x" y', "/=z",
    '/note="genint: mine"', '/db_xref="GO:0000001"', "/codon_start=2", '/locus_tag="T 1"',
    '/product=""', "/note=(a", '/inference="x', "  deeper", '/note="/slash', "\u00e9\u2028",
)  # fmt: skip


@settings(deadline=None)
@example(['/note="genint: mine"', "", '/note="open'])
@example(["", '/note="genint: mine"', "", "", "/note=(a"])
@given(st.lists(st.sampled_from(ODD_LINES), max_size=7))
def test_however_broken_a_feature_is_nothing_of_it_is_lost(lines: list[str]) -> None:
    text = record(("CDS 1..30", lines), ("gene 31..60", ["/pseudo"]))
    result, original = annotated(text)
    rendered = render_genbank(result, original)
    rest = iter(rendered.split("\n"))
    kept = [line for line in text.split("\n") if "genint:" not in line]
    assert all(any(line == other for other in rest) for line in kept)
    again, second = annotated(rendered)
    assert second.genome.genes == original.genome.genes
    assert render_genbank(again, second) == rendered
