"""Matches of InterPro, made by rule, in the shapes of the real ones (one of each kind)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from .world import LIBRARIES, GoLine, Json

if TYPE_CHECKING:
    from .made import Protein

_SHORTEST_AA = 30
_GO_BY_WORD = (
    ("dna", "F", "GO:0003677", "DNA binding"),
    ("protease", "F", "GO:0008233", "peptidase activity"),
    ("integrase", "P", "GO:0015074", "DNA integration"),
    ("helicase", "F", "GO:0004386", "helicase activity"),
    ("terminase", "P", "GO:0019073", "viral DNA genome packaging"),
    ("tail", "C", "GO:0098015", "virus tail"),
    ("capsid", "C", "GO:0019028", "viral capsid"),
    ("portal", "C", "GO:0046798", "viral portal complex"),
    ("ribosomal", "F", "GO:0003735", "structural constituent of ribosome"),
    ("kinase", "F", "GO:0016301", "kinase activity"),
    ("transport", "P", "GO:0055085", "transmembrane transport"),
    ("lys", "P", "GO:0031640", "killing of cells of another organism"),
)
"""Words of products and the terms that everybody would give them."""


class Family(NamedTuple):
    """Made-up names of the family of a protein."""

    pfam: str
    pfam_name: str
    entry: str
    entry_name: str
    description: str
    number: int


def family_of(protein: Protein) -> Family:
    """By its product: proteins of one product are of one family."""
    slug = re.sub(r"[^A-Za-z0-9]+", "_", protein.product).strip("_")[:24] or "Unnamed"
    # FNV-1a: the same everywhere, unlike hash()
    number = 0
    for byte in protein.product.lower().encode():
        number = (number ^ byte) * 0x01000193 % 2**32
    number = number % 9_000
    pfam, name = protein.pfam or (f"PF9{number:04d}", slug)
    product = protein.product[:1].upper() + protein.product[1:]
    return Family(pfam, name, f"IPR9{number:05d}", slug, product, number)


def go_terms_of(protein: Protein) -> list[tuple[str, str, str]]:
    """Aspect, id and name of terms that fit its product."""
    words = protein.product.lower()
    return [(letter, go_id, name) for word, letter, go_id, name in _GO_BY_WORD if word in words]


def go_lines(protein: Protein) -> list[GoLine]:
    """Lines of interpro2go for its entry."""
    family = family_of(protein)
    return [
        GoLine(family.entry, family.description, go_id, name)
        for _, go_id, name in go_terms_of(protein)
    ]


def _signature(
    library: str, accession: str, name: str | None, description: str | None, kind: str
) -> Json:
    return {
        "accession": accession,
        "name": name,
        "description": description,
        "type": kind,
        "signatureLibraryRelease": {"library": library, "version": LIBRARIES[library]},
        "entry": None,
    }


def _entry(accession: str, name: str, description: str, kind: str) -> Json:
    return {
        "accession": accession,
        "name": name,
        "description": description,
        "type": kind,
        "parent": None,
    }


def _place(start: int, end: int, **more: object) -> Json:
    fragment = {"start": start, "end": end, "dc-status": "CONTINUOUS"}
    return {"start": start, "end": end, **more, "location-fragments": [fragment]}


def _profile_place(start: int, end: int, evalue: float, score: float) -> Json:
    model = end - start + 1
    place = _place(start, end, hmmStart=1, hmmEnd=model, hmmLength=model, evalue=evalue)
    return {
        **place,
        "score": score,
        "hmmBounds": "COMPLETE",
        "envelopeStart": start,
        "envelopeEnd": end,
    }


def matches_of(protein: Protein) -> tuple[Json, ...]:
    """Everything that InterPro found in it; () for what has no signature."""
    length = len(protein.residues)
    if protein.known.value == "without signature" or length < _SHORTEST_AA:
        return ()
    if protein.known.value == "spurious":
        return (_antifam(length),)
    family = family_of(protein)
    entry = _entry(family.entry, family.entry_name, family.description, protein.entry_type)
    evalue, score = 1e-5 ** (1 + length / 100), round(length * 0.9, 1)
    pfam = _signature("Pfam", family.pfam, family.pfam_name, family.description, protein.entry_type)
    whole = {"score": score, "evalue": evalue}
    return (
        {
            "signature": {**pfam, "entry": entry},
            "model-ac": family.pfam,
            **whole,
            "locations": [_profile_place(3, length - 2, evalue, score)],
            "source": "Pfam",
        },
        _gene3d(family, length),
        _ncbifam(family, length),
        _pattern(family, length),
        _disorder(length),
    )


def _gene3d(family: Family, length: int) -> Json:
    number = family.number
    kind = "Homologous_superfamily"
    signature = _signature("CATH-Gene3D", f"G3DSA:9.10.{number}.10", None, "Made-up fold", kind)
    description = f"{family.description} superfamily"
    entry = _entry(f"IPR8{number:05d}", f"{family.entry_name}_sf", description, kind)
    return {
        "signature": {**signature, "entry": entry},
        "model-ac": f"9made{number}",
        "score": 80.5,
        "evalue": 2e-22,
        "locations": [_profile_place(5, length - 4, 3e-22, 79.9)],
        "source": "CATH-Gene3D",
    }


def _ncbifam(family: Family, length: int) -> Json:
    """Belongs to no entry of InterPro."""
    accession = f"NF9{family.number:05d}"
    signature = _signature("NCBIFAM", accession, None, family.description, "Family")
    return {
        "signature": signature,
        "model-ac": accession,
        "score": 120.4,
        "evalue": 6e-33,
        "locations": [_profile_place(2, length - 1, 7e-33, 120.1)],
        "source": "NCBIFAM",
    }


def _pattern(family: Family, length: int) -> Json:
    """Has no E-value and no score, as patterns of PROSITE have none."""
    accession = f"PS9{family.number:04d}"
    description, kind = f"{family.description} signature", "Conserved_site"
    signature = _signature("PROSITE patterns", accession, "MADE_SITE", description, kind)
    site = f"{family.description}, conserved site"
    entry = _entry(f"IPR7{family.number:05d}", f"{family.entry_name}_CS", site, kind)
    middle = length // 2
    return {
        "signature": {**signature, "entry": entry},
        "model-ac": accession,
        "locations": [_place(middle, middle + 9, cigarAlignment="10M")],
        "source": "PROSITE patterns",
    }


def _disorder(length: int) -> Json:
    signature = _signature(
        "MobiDB-lite",
        "mobidb-lite",
        "disorder_prediction",
        "Consensus disorder prediction",
        "Region",
    )
    return {
        "signature": signature,
        "model-ac": "mobidb-lite",
        "locations": [{**_place(length - 20, length), "sequence-feature": None}],
        "source": "MobiDB-lite",
    }


def _antifam(length: int) -> Json:
    signature = _signature("AntiFam", "ANF99999", "Made_spurious", "Made-up spurious ORF", "Region")
    return {
        "signature": signature,
        "model-ac": "ANF99999",
        "score": 43.2,
        "evalue": 7e-12,
        "locations": [_profile_place(1, length, 8e-12, 43.1)],
        "source": "AntiFam",
    }


def predictions_of(matches: tuple[Json, ...]) -> tuple[Json, ...]:
    """The same with predictions of InterPro-N: a twin of each Pfam match, and one Pfam more."""
    twins = [
        _predicted(match["signature"], match["locations"])
        for match in matches
        if match["source"] == "Pfam"
    ]
    if matches:
        signature = _signature("Pfam", "PF99999", None, None, "Domain")
        twins.append(_predicted(signature, [{"start": 2, "end": 25}]))
    return (*matches, *twins)


def _predicted(signature: Json, places: list[Json]) -> Json:
    bare = {**signature, "name": None, "description": None, "type": None, "entry": None}
    located = [{**_place(one["start"], one["end"]), "score": 0.9912} for one in places]
    return {"signature": bare, "model-ac": None, "source": "InterPro-N", "locations": located}
