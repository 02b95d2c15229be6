"""What InterPro tells that names no function: folds, unknown families, features."""

from __future__ import annotations

import pytest

from genint.model import AnswerState, InterProAnswer, Specificity
from genint.sources.interpro import observe
from tests.sources.interpro_matches import claims, entry, gene, loose, matched


@pytest.mark.parametrize(
    ("library", "kind"),
    [
        ("cathgene3d", "homologous_superfamily"),
        ("superfamily", "homologous_superfamily"),
        ("cathfunfam", "region"),
        ("cathgene3d", "family"),
    ],
)
def test_a_fold_is_never_a_claim(seen, library, kind):
    fold = entry("IPR027417", "P-loop_NTPase", "P-loop NTPase", kind)
    for match in (
        matched("X1", library, 1, 300, fold),
        loose("X1", library, 1, 300, "DNA polymerase; domain 1", kind),
    ):
        found = seen(match)
        assert found.evidence == ()
        assert [item.specificity for item in found.unknown_domains] == [Specificity.CATEGORY]


def test_an_entry_for_a_superfamily_is_never_a_claim_of_another_library_either(seen):
    fold = entry("IPR036388", "WH_sf", "Winged helix domain superfamily", "homologous_superfamily")
    found = seen(matched("cd00090", "cdd", 1, 300, fold))
    assert found.evidence == ()
    (item,) = found.unknown_domains
    assert item.claim == "member of WH_sf (Winged helix domain superfamily)"


@pytest.mark.parametrize(
    "heading", ["Protein of unknown function DUF1234", "UPF0102", "Uncharacterised protein YyaL"]
)
@pytest.mark.parametrize("kind", ["family", "domain"])
def test_an_unknown_function_is_never_a_claim(seen, heading, kind):
    family = entry("IPR009600", "X", heading, kind)
    found = seen(matched("TIGR01", "ncbifam", 1, 300, family))
    assert found.evidence == ()
    assert found.unknown_domains[0].claim == f"member of X ({heading})"


def test_a_superfamily_by_name_names_no_protein(seen):
    family = entry("IPR006689", "Small_GTPase", "Small GTPase superfamily, ARF type", "family")
    found = seen(
        matched("PF00025", "pfam", 1, 300, family, description="ADP-ribosylation factor family")
    )
    assert {item.specificity for item in (*found.evidence, *found.unknown_domains)} == {
        Specificity.CATEGORY
    }
    assert seen(matched("SM00178", "smart", 1, 300, family)).evidence == ()


def test_a_fold_gives_way_to_what_says_more_of_its_stretch(seen):
    fold = entry("IPR027417", "P-loop_NTPase", "P-loop NTPase", "homologous_superfamily")
    domain = entry("IPR003593", "AAA+_ATPase", "AAA+ ATPase domain", "domain")
    found = seen(
        matched("SSF52540", "superfamily", 5, 200, fold),
        matched("SM00382", "smart", 10, 180, domain),
    )
    assert claims(found) == ["contains an AAA+ ATPase domain"]
    assert found.unknown_domains == ()


@pytest.mark.parametrize("library", ["phobius", "coils", "mobidblite", "pirsr"])
def test_features_and_rules_for_residues_say_nothing(seen, library):
    found = seen(loose("X1", library, 1, 300, "Transmembrane region", "region"))
    assert (found.evidence, found.unknown_domains) == ((), ())


def test_genes_without_an_answer_or_a_hit_say_nothing(pfam):
    answers = {
        "a": InterProAnswer(AnswerState.NOT_ASKED, reason="down"),
        "b": InterProAnswer(AnswerState.NO_MATCH),
    }
    genes = [gene("a"), gene("b"), gene("c")]
    found = observe(genes, answers, {}, pfam)
    assert (found.evidence, found.unknown_domains, found.spurious) == ((), (), ())
    assert found.predictions == {}
