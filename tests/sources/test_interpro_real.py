"""InterPro as a source, on the thousand proteins that its Matches API carries for tests."""

from __future__ import annotations

import json
import re
from collections import defaultdict

import pytest

from genint.model import AnswerState, ProfileHit, Specificity
from genint.online.interpro.records import read_matches
from genint.sources import stretch_of
from genint.sources.interpro import observe
from genint.sources.pfam import observe as observe_domains
from tests.online_services.real import match_records
from tests.sources.interpro_matches import gene

_NO_FUNCTION = re.compile(r"superfamily|\bDUF|\bUPF\d|unknown function|uncharacteri", re.I)


@pytest.fixture(scope="module")
def answers(shared_data):
    records = [{**one, "found": True} for one in match_records(shared_data / "api")]
    body = json.dumps({"results": records}).encode()
    return read_matches(body, [one["md5"] for one in records]).answers


@pytest.fixture(scope="module")
def genes(answers):
    """As long as the last residue that is spoken of: the records have no lengths."""
    found = []
    for md5, answer in answers.items():
        ends = [place.end for match in answer.matches for place in match.places]
        found.append(gene(md5, max(ends, default=50)))
    return found


@pytest.fixture(scope="module")
def told(answers, genes, pfam):
    return observe(genes, answers, {}, pfam)


def test_nearly_all_proteins_with_signatures_have_a_claim(answers, told):
    hit = {md5 for md5, answer in answers.items() if answer.state is AnswerState.HIT}
    claimed = {item.gene_id for item in told.evidence}
    assert claimed <= hit
    assert len(claimed) >= 0.95 * len(hit)
    named = {i.gene_id for i in told.evidence if i.specificity is Specificity.FAMILY}
    assert len(named) >= 0.75 * len(claimed)


def test_no_superfamily_and_no_unknown_function_names_or_is_contained(told):
    named = [item for item in told.evidence if item.specificity is not Specificity.CATEGORY]
    assert [item.claim for item in named if _NO_FUNCTION.search(item.claim)] == []


def test_parts_are_said_to_be_contained_and_names_are_not(told):
    for item in told.evidence:
        part = item.claim.startswith("contains ")
        if item.specificity is not Specificity.CATEGORY:
            assert part == (item.specificity is Specificity.DOMAIN), item.claim


def test_claims_are_short_sentences(told):
    for item in told.evidence:
        assert 3 <= len(item.claim) <= 160
        assert "  " not in item.claim
        assert "_" not in item.claim
        assert item.claim == item.claim.strip(" ,;.")


def test_each_entry_speaks_once_of_a_protein(told):
    spoken = [(item.gene_id, item.accession) for item in (*told.evidence, *told.unknown_domains)]
    assert len(spoken) == len(set(spoken))


def test_pfam_families_are_called_as_the_local_search_calls_them(answers, genes, told, pfam):
    hits = [
        ProfileHit(
            one.id,
            match.accession,
            match.evalue,
            match.score_bits,
            25.0,
            stretch.first,
            stretch.last,
            stretch.protein_share,
            stretch.model_share,
        )
        for one in genes
        for match in answers[one.id].matches
        if match.accession in pfam
        and (stretch := stretch_of(match, len(one.protein))) is not None
        and stretch.model_share is not None
    ]
    local = observe_domains(genes, hits, pfam).evidence
    by_family = defaultdict(set)
    for item in local:
        by_family[item.gene_id, item.pfam].add(item.subject)
    shared = [i for i in told.evidence if (i.gene_id, i.pfam) in by_family]
    assert len(shared) > 300
    other = [i for i in shared if i.subject not in by_family[i.gene_id, i.pfam]]
    # What InterPro has moved to another entry since is called by that.
    assert len(other) <= 0.05 * len(shared)
    assert all(item.origin == f"pfam:{item.pfam}" for item in shared)
