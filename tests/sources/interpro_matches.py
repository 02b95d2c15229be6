"""Made-up matches of InterPro for a protein of 300 residues."""

from __future__ import annotations

from genint.model import (
    AnswerState,
    CalledBy,
    Gene,
    GoTerm,
    InterProAnswer,
    InterProEntry,
    InterProMatch,
    Interval,
    Location,
    MatchPlace,
    Strand,
)

PROTEIN_AA = 300
TITLES = {
    "pfam": "Pfam",
    "ncbifam": "NCBIFAM",
    "panther": "PANTHER",
    "cdd": "CDD",
    "hamap": "HAMAP",
    "antifam": "AntiFam",
}
_MODEL = 1_000


def gene(id_="g", length_aa=PROTEIN_AA):
    return Gene(
        id=id_,
        contig="c",
        location=Location.simple(Interval(0, 3 * length_aa + 3), Strand.FORWARD),
        protein="M" * length_aa,
        translation_table=11,
        called_by=CalledBy.PYRODIGAL,
    )


def go_term(number):
    return GoTerm(f"GO:{number:07d}", f"term {number}")


def entry(accession, name, description, kind, parent=None):
    return InterProEntry(accession, name, description, kind, parent)


def place(first, last, model):
    if model is None:
        return MatchPlace(first, last)
    return MatchPlace(first, last, 1, round(_MODEL * model), _MODEL)


def matched(
    accession, library, first, last, of, *, model=0.95, evalue=1e-50, score=200.0, description=""
):
    """A signature of an entry, on those residues and that share of its model."""
    return InterProMatch(
        accession=accession,
        library=library,
        library_title=TITLES.get(library, library),
        library_version="1",
        description=description,
        entry=of,
        evalue=evalue,
        score_bits=score,
        places=(place(first, last, model),),
    )


def loose(
    accession, library, first, last, description, kind, *, model=0.95, evalue=1e-50, score=200.0
):
    """A signature of no entry."""
    return InterProMatch(
        accession=accession,
        library=library,
        library_title=TITLES.get(library, library),
        library_version="1",
        description=description,
        type=kind,
        evalue=evalue,
        score_bits=score,
        places=(place(first, last, model),),
    )


def answer(*matches, release="109.0", through_uniparc=False):
    return InterProAnswer(AnswerState.HIT, tuple(matches), release, through_uniparc=through_uniparc)


def claims(seen):
    """What was claimed, in its order."""
    return [item.claim for item in seen.evidence]
