"""What genint wrote into a feature is told from what the file says."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from genint.formats import RawFeature, RawLocation, additions_note, is_ours, without_additions
from genint.model import Qualifier

ADDED = (
    Qualifier("product", "portal protein; type 2"),
    Qualifier("inference", "protein motif:Pfam:PF01343"),
    Qualifier("db_xref", "PFAM:PF01343"),
    Qualifier("GO_process", "GO:0006508 - proteolysis [Evidence IEA]"),
)
OURS = (
    Qualifier("note", "genint: portal protein; confidence HIGH (0.91)"),
    *ADDED,
    Qualifier("note", additions_note("1.0", ADDED)),
)
OF_FILE = (
    Qualifier("locus_tag", "T_01"),
    Qualifier("note", "a genint: in the middle"),
    Qualifier("db_xref", "GeneID:1"),
    Qualifier("pseudo", None),
)


def test_list_is_readable_and_names_terms_by_id() -> None:
    assert additions_note("1.0", ADDED) == (
        "genint: version 1.0 added: product portal protein, type 2; inference protein "
        "motif:Pfam:PF01343; db_xref PFAM:PF01343; GO_process GO:0006508"
    )


@given(st.permutations(OURS + OF_FILE))
def test_what_was_added_is_known_wherever_an_editor_moves_it(mixed: list[Qualifier]) -> None:
    ours = is_ours(mixed)
    assert {one for one, mine in zip(mixed, ours, strict=True) if mine} == set(OURS)


def test_nothing_is_ours_without_a_note_of_genint() -> None:
    assert not any(is_ours(ADDED + OF_FILE))


def test_what_a_curator_changed_is_the_curators() -> None:
    changed = [Qualifier("product", "portal protein Gp4"), Qualifier("db_xref", "PFAM:PF00001")]
    assert is_ours([*changed, *OURS]) == (False, False, *[True] * len(OURS))


def test_a_part_of_a_listed_value_is_not_ours() -> None:
    parts = [Qualifier("product", "portal protein"), Qualifier("db_xref", "PFAM:PF0134")]
    assert is_ours([*parts, *OURS])[:2] == (False, False)


def test_renamed_terms_and_blanks_of_wrapping_are_still_ours() -> None:
    again = [
        Qualifier("GO_process", "GO:0006508 - protein breakdown"),
        Qualifier("GO_process", "GO:0006508 - protein breakdown [Evidence IEA]"),
        Qualifier("GO_process", "GO:0006508 - [2Fe-2S] proteolysis [Evid ence IEA]"),
        Qualifier("inference", "protein motif:Pfam: PF01343"),
    ]
    assert is_ours([*again, *OURS])[: len(again)] == (True,) * len(again)


def test_a_term_with_grounds_of_its_own_is_the_curators() -> None:
    grounds = ("[Evidence IDA]", "[Evidence IEA] [PMID 123]", "[GO_REF:0000033]")
    own = [Qualifier("GO_process", f"GO:0006508 - proteolysis {text}") for text in grounds]
    assert not any(is_ours([*own, *OURS])[: len(own)])


def test_feature_comes_back_as_it_was() -> None:
    before = RawFeature("CDS", RawLocation(()), OF_FILE, 7)
    assert without_additions(before) is before
    assert without_additions(before._replace(qualifiers=OF_FILE + OURS)) == before
