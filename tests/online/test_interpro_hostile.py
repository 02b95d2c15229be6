"""Whatever stands in an answer of InterPro: it costs answers, never the run."""

from __future__ import annotations

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from genint.knowledge import load_families
from genint.model import AnswerState
from genint.online.interpro import records as interpro_records
from genint.online.interpro.records import read_info, read_matches
from genint.online.protocol import MalformedResponse
from genint.sources.interpro import observe
from tests.sources.interpro_matches import gene

MD5 = "A" * 32
FAMILIES = load_families()

_TEXTS = st.sampled_from(
    ["", "Pfam", "PANTHER", "InterPro-N", "AntiFam", "CATH-Gene3D", "Family", "Domain", "PF00589",
     "IPR002104", "Active_site", "site", "superfamily", "PROTEIN", "A, B family", "[x]", "\x00\n"]
)  # fmt: skip
_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-5, 400)
    | st.floats(allow_nan=False, allow_infinity=False)
    | _TEXTS
)
_KEYS = st.sampled_from(
    ["accession", "name", "description", "type", "entry", "parent", "signatureLibraryRelease",
     "library", "version", "start", "end", "hmmStart", "hmmEnd", "hmmLength", "evalue", "score",
     "location-fragments", "cigarAlignment", "pvalue"]
)  # fmt: skip
_VALUES = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=6)
)
_SIGNATURES = st.fixed_dictionaries(
    {"accession": _TEXTS, "signatureLibraryRelease": st.fixed_dictionaries({"library": _TEXTS})},
    optional={
        "name": _VALUES,
        "description": _VALUES,
        "type": _VALUES,
        "entry": _VALUES
        | st.fixed_dictionaries(
            {"accession": _TEXTS}, optional={"name": _TEXTS, "type": _TEXTS, "parent": _TEXTS}
        ),
    },
)
_PLACES = st.fixed_dictionaries(
    {"start": st.integers(-2, 350), "end": st.integers(-2, 350)},
    optional={
        name: _VALUES
        for name in ("hmmStart", "hmmEnd", "hmmLength", "evalue", "score", "cigarAlignment")
    },
)
_MATCHES = st.fixed_dictionaries(
    {"signature": _SIGNATURES | _VALUES},
    optional={
        "source": _TEXTS,
        "evalue": _VALUES,
        "score": _VALUES,
        "locations": st.lists(_PLACES | _VALUES, max_size=3) | _VALUES,
    },
)
_RECORDS = st.fixed_dictionaries(
    {"md5": st.just(MD5) | st.just(MD5.lower()) | _VALUES},
    optional={"found": _VALUES, "matches": st.lists(_MATCHES, max_size=4) | _VALUES},
)


@given(st.fixed_dictionaries({"results": st.lists(_RECORDS, max_size=4)}))
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_records_give_a_state_for_every_protein_and_evidence_without_raising(told):
    batch = read_matches(json.dumps(told).encode(), [MD5, "B" * 32])
    assert set(batch.answers) == {MD5, "B" * 32}
    answer = batch.answers[MD5]
    assert interpro_records.read(interpro_records.written(answer.matches)) == answer.matches
    assert (answer.state is AnswerState.ERROR) == bool(answer.reason)
    found = observe([gene()], {"g": answer}, {}, FAMILIES)
    for item in (*found.evidence, *found.unknown_domains, *found.spurious):
        assert item.claim
        assert item.origin
        assert 0 <= (item.measured.protein_coverage or 0) <= 1
        assert 0 <= (item.measured.target_coverage or 0) <= 1


@given(_VALUES)
@settings(max_examples=100, deadline=None)
def test_any_value_is_a_release_or_malformed(told):
    for read in (read_info, lambda body: read_matches(body, [MD5])):
        try:
            read(json.dumps(told).encode())
        except MalformedResponse:
            continue
