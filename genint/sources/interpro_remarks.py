"""What InterPro says besides functions: spurious proteins, and what was only predicted."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from genint.knowledge.interpro_libraries import ANTIFAM, is_feature, is_fold
from genint.model.evidence import Evidence
from genint.model.online import InterProMatch, MatchPlace
from genint.model.shares import percent
from genint.model.vocabulary import EvidenceSource, EvidenceType, Specificity
from genint.sources.domains import ECO_SEQUENCE_MODEL
from genint.sources.interpro_evidence import About
from genint.sources.interpro_measures import Stretch, evalue_of, measurements, stretch_of

STRENGTH_ANTIFAM: Final = "antifam"
_LEAST_SCORE: Final = 0.9
"""Of 0 to 1; below it InterPro-N is often wrong."""
_MOST_OF_IT: Final = 0.5
"""Share of the protein from which a model of a spurious one speaks against all of it."""
_SITES: Final = frozenset({"prositepatterns", "pirsr", ANTIFAM})


def spurious_of(about: About) -> tuple[list[Evidence], list[str]]:
    """Models of spurious proteins that match most of it, and in words those that match less."""
    against, remarks = [], []
    for match in about.answer.matches:
        if match.library != ANTIFAM or match.is_prediction:
            continue
        stretch = stretch_of(match, about.length_aa)
        if stretch is None or stretch.protein_share >= _MOST_OF_IT:
            against.append(_spurious(match, stretch, about))
        else:
            remarks.append(
                f"{percent(stretch.protein_share)} of the protein looks like a spurious one "
                f"(AntiFam {match.accession}: {_description(match)})"
            )
    return against, remarks


def _spurious(match: InterProMatch, stretch: Stretch | None, about: About) -> Evidence:
    named = f"AntiFam {match.accession}: {_description(match)}"
    evalue = evalue_of(match)
    told = [f"E {evalue:.1e}" if evalue else "E 0"] if evalue is not None else []
    if stretch is not None:
        told.append(f"{percent(stretch.protein_share)} of the protein")
    return Evidence(
        gene_id=about.gene_id,
        source=EvidenceSource.INTERPRO,
        type=EvidenceType.GENE_CALL,
        specificity=Specificity.PROTEIN,
        claim=f"looks like a spurious protein ({named})",
        subject="spurious protein",
        label=f"{named} ({', '.join(told)})" if told else named,
        strength=STRENGTH_ANTIFAM,
        origin=f"antifam:{match.accession}",
        eco=ECO_SEQUENCE_MODEL,
        database=about.database,
        accession=match.accession,
        measured=measurements(match, stretch),
    )


def _description(match: InterProMatch) -> str:
    return (match.description or match.name or "model of a spurious protein").rstrip(".")


def predictions_of(about: About, claimed: Collection[InterProMatch]) -> tuple[str, ...]:
    """What InterPro-N expects where no signature says anything, each family once, in words.

    Args:
        about: Whose it is.
        claimed: Signatures that claims rest on.
    """
    matched = {match.accession for match in about.answer.matches if not match.is_prediction}
    taken = [place for match in claimed for place in match.places]
    told: dict[str, str] = {}
    for match in about.answer.matches:
        if match.is_prediction and match.accession not in matched and _tells_function(match):
            for place in _sure_places(match, taken):
                told.setdefault(match.accession, _words(match, place, about))
    return tuple(told.values())


def _tells_function(match: InterProMatch) -> bool:
    library = match.library
    return not (is_fold(library) or is_feature(library) or library in _SITES)


def _sure_places(match: InterProMatch, taken: Collection[MatchPlace]) -> Iterator[MatchPlace]:
    for place in match.places:
        free = not any(place.start <= one.end and one.start <= place.end for one in taken)
        if free and place.score is not None and place.score >= _LEAST_SCORE:
            yield place


def _words(match: InterProMatch, place: MatchPlace, about: About) -> str:
    known = about.families.families.get(match.accession)
    name = known.description if known else match.description or match.name
    aside = f" ({name.rstrip('.')})" if name else ""
    score = int(100 * min(place.score or 0.0, 1.0)) / 100
    return (
        f"InterPro-N, a language model, expects {match.library_title} {match.accession}{aside} "
        f"at residues {place.start} to {place.end} (score {score:.2f}); no signature confirms it"
    )
