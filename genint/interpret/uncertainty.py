"""Uncertainties: what a curator should check about a gene and its interpretation.

Rules on taxa, on sequence features that a name leads one to expect, on coverage, on the gene
itself. Each uncertainty is a short phrase for the report.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Final, NamedTuple

from genint.interpret.doubts import foreign_said
from genint.interpret.explain import call_uncertainties, single_source
from genint.interpret.scoring import Scored, excluded_name
from genint.knowledge.foreign_names import foreign_word
from genint.knowledge.patterns import Pattern, pattern_of
from genint.model.evidence import Evidence, FeatureKind, SequenceFeature
from genint.model.genome import Contig, Gene, Topology
from genint.model.rescue import percent
from genint.model.vocabulary import Specificity

_SHORT_PROTEIN_AA = 80
"""Below this a profile match rests on few residues."""
_PARTIAL_PROFILE = 0.7
_PARTIAL_PROTEIN = 0.5


def uncertainties(gene: Gene, scored: Scored) -> tuple[str, ...]:
    """What a curator should check, each as a short phrase; the most serious first."""
    best = scored.hypotheses[0]
    found: list[str] = []
    if scored.conflicts:
        found.append("conflicting evidence")
    other = excluded_name(scored.hypotheses, scored.conflicts)
    if other is not None:
        found.append(
            f"two names for the whole protein, “{best.claim}” ({best.score:.2f}) and "
            f"“{other.claim}” ({other.score:.2f}): unless they mean one thing, at most one is right"
        )
    if (single := single_source(best)) is not None:
        found.append(f"single source: {single}" if single.startswith("only ") else single)
    if best.specificity is Specificity.DOMAIN:
        found.append("domain only: names a part of the protein, not its function as a whole")
    found.extend(caveat for item in best.evidence for caveat in item.caveats)
    found.extend(taxon_uncertainties(best.evidence))
    found.extend(_coverage_uncertainties(best.evidence))
    found.extend(gene_uncertainties(gene))
    return tuple(dict.fromkeys(found))


def _coverage_uncertainties(evidence: Sequence[Evidence]) -> list[str]:
    """Fragments of profiles, and matches that cover little of the protein."""
    found: list[str] = []
    explained: defaultdict[str, float] = defaultdict(float)
    for item in evidence:
        profile, protein = item.measured.target_coverage, item.measured.protein_coverage
        if profile is not None and profile < _PARTIAL_PROFILE:
            found.append(
                f"partial match: {percent(profile)} of {_kind_of(item)} {item.accession} is covered"
            )
        if protein is not None:
            # Families of one source lie side by side, those of two on top of each other.
            explained[item.source] += protein
    most = max(explained.values(), default=1.0)
    if most < _PARTIAL_PROTEIN:
        found.append(f"matches explain {percent(most)} of the protein's length")
    return found


def _kind_of(item: Evidence) -> str:
    """What an accession is of."""
    return "protein" if item.similar is not None else "family"


def joined_end_uncertainties(contig: Contig, gene: Gene) -> tuple[str, ...]:
    """That a gene spans ends which were joined although the file does not say circular."""
    if not gene.span.wraps(len(contig)):
        return ()
    if contig.topology is Topology.LINEAR:
        return (
            "the file joins the gene over both ends of a record that it calls linear: either the "
            "record is a circle, or the gene is two fragments",
        )
    if contig.topology_stated:
        return ()
    return (
        "the gene spans the joined ends of a sequence that the file does not call circular: in a "
        "linear sequence it would be two fragments",
    )


def gene_uncertainties(gene: Gene) -> list[str]:
    """Uncertainties about the gene itself rather than its function."""
    found = []
    if gene.pseudo:
        found.append("annotated as a pseudogene")
    if "*" in gene.protein:
        found.append("stop codons inside the reading frame")
    if gene.location.partial_5 or gene.location.partial_3:
        found.append("the gene is cut off at the end of the sequence")
    if 0 < len(gene.protein) < _SHORT_PROTEIN_AA:
        found.append(f"short protein ({len(gene.protein)} amino acids)")
    found.extend(call_uncertainties(gene))
    return found


_OF_EUKARYOTES = re.compile(
    r"""\b(?:human|homo|bovine|porcine|equine|canine|feline|murine|avian|simian|chicken|mouse|rat
        |rabbit|monkey|fowl|turkey|duck|swine|fish|insect|mosquito|bat|frog|snake)\b(?!.*\bphage\b)
      | (?:adeno|alphaherpes|arena|arteri|asfi|astro|baculo|birna|bunya|calici|circo|corona
        |cytomegalo|entero|filo|flavi|gemini|hepadna|herpes|influenza|irido|lenti|luteo|mimi
        |nano|nucleopolyhedro|orthomyxo|papilloma|paramyxo|parvo|picorna|polyoma|potex|poty|pox
        |reo|retro|rhabdo|rota|tobamo|toga|tombus|vaccinia|variola)[a-z]*\ ?virus
      | \b(?:vaccinia|variola|hepatitis|measles|rabies|ebola|dengue|mosaic
        |polyhedrosis|fever)\b.*\bvirus\b
      | \b(?:saccharomyces|arabidopsis|drosophila|caenorhabditis|homo\ sapiens|mus\ musculus)\b""",
    re.VERBOSE | re.IGNORECASE,
)
_PHAGE = re.compile(r"\b(?:phage|bacteriophage)\b|\bphage[A-Za-z0-9]", re.IGNORECASE)


def taxon_uncertainties(evidence: Iterable[Evidence]) -> tuple[str, ...]:
    """Evidence whose taxon is implausible for a bacterium or a phage."""
    found: dict[str, None] = {}
    for item in evidence:
        organism = item.similar.organism if item.similar is not None else ""
        if organism and _OF_EUKARYOTES.search(organism) and not _PHAGE.search(organism):
            found[
                f"taxon: {item.accession} is of {organism}, which is no bacterium and infects none"
            ] = None
        word = foreign_word(item.claim)
        if word:
            found[foreign_said(word, item.claim)] = None
    return tuple(found)


LONGEST_HOLIN: Final = 250
"""None of 226 phage proteins named holin is longer; 2 of 10 other proteins are."""
_SEGMENT: Final = frozenset({FeatureKind.TRANSMEMBRANE})
_INSERTED: Final = _SEGMENT | {FeatureKind.SIGNAL_PEPTIDE, FeatureKind.LIPOPROTEIN_SIGNAL}
"""A single segment at the beginning is often taken for a signal peptide, and the other way
round, so either will do where one of them is expected."""


class _Mismatch(Enum):
    """A sequence feature, or the lack of one, that does not fit a name."""

    NO_SEGMENT = "no transmembrane segment is predicted"
    NOT_INSERTED = "no transmembrane segment or signal peptide is predicted"
    NO_SIGNAL = "no signal peptide is predicted (or the gene starts elsewhere)"
    SEGMENT = "a transmembrane segment is predicted"

    def shown_by(self, features: Iterable[SequenceFeature]) -> bool:
        """Whether the features of a protein show it."""
        kinds = {feature.kind for feature in features}
        if self is _Mismatch.SEGMENT:
            return bool(kinds & _SEGMENT)
        return not kinds & _INSERTED


class _Rule(NamedTuple):
    """Which sequence features do not fit which names.

    Attributes:
        called: What such proteins are called in the uncertainty.
        mismatch: What their sequence should not show.
        roles: Roles that they play.
        wanted: Pattern of their names, in lower case.
        unwanted: Pattern of names that are excluded; None of none.
    """

    called: str
    mismatch: _Mismatch
    roles: frozenset[str]
    wanted: Pattern
    unwanted: Pattern | None

    def covers(self, name: str, role_id: str | None) -> bool:
        """Whether a protein of that name and role is one of these."""
        if self.unwanted is not None and self.unwanted.is_in(name):
            return False
        return role_id in self.roles or self.wanted.is_in(name)


def _rule(
    called: str, mismatch: _Mismatch, roles: str, wanted: str, unwanted: str | None = None
) -> _Rule:
    excluded = None if unwanted is None else pattern_of(unwanted)
    return _Rule(called, mismatch, frozenset(roles.split()), pattern_of(wanted), excluded)


_HOLIN: Final = _rule(
    "holin", _Mismatch.NO_SEGMENT, "holin", r"\bholin\b", r"anti-?holin|lysin|inhibitor|associated"
)
_RULES: Final = (
    _HOLIN,
    _rule("spanin", _Mismatch.NOT_INSERTED, "spanin", r"\b[io]?-?spanin\b"),
    _rule(
        "major capsid protein",
        _Mismatch.SEGMENT,
        "major_capsid",
        r"major (capsid|head) protein",
        r"protease|scaffold|fusion",
    ),
    _rule("portal protein", _Mismatch.SEGMENT, "portal", r"\bportal (protein|vertex)"),
    _rule("integrase", _Mismatch.SEGMENT, "integrase", r"\bintegrase\b"),
    _rule(
        "transporter in the membrane",
        _Mismatch.NO_SEGMENT,
        "",
        r"\bpermease\b|inner membrane protein|\b(anti|sym|uni)porter\b",
        r"atp-binding|atpase|periplasmic|substrate-binding|fused|accessory|regulat|associated"
        r"|phospho|lipoprotein|\bpts\b",
    ),
    _rule(
        "protein outside the inner membrane",
        _Mismatch.NO_SIGNAL,
        "",
        r"\bperiplasmic\b|outer membrane (protein|porin|usher)|\bporin\b|\blipoprotein\b",
        r"inner|regulat|sens|permease|anchor|atpase|kinase|fused|complex|assembly|export|aquaporin"
        r"|releas|peptidase|transferase|chaperone|transporter|acyl|locali[sz]|involved|effector"
        r"|cytoplasmic",
    ),
    _rule(
        "protein of translation",
        _Mismatch.SEGMENT,
        "ribosomal_protein trna_synthetase",
        r"^(30s|50s) ribosomal (subunit )?protein|\btrna (ligase|synthetase)$"
        r"|^translation (elongation|initiation) factor",
    ),
)


def feature_uncertainties(
    name_subject: str, role_id: str | None, features: Sequence[SequenceFeature], length_aa: int
) -> tuple[str, ...]:
    """Sequence features that do not fit a name; () where all fit.

    Args:
        name_subject: What the protein is called.
        role_id: Of a phage protein, the role that the name gives it.
        features: Of its sequence.
        length_aa: Its residues.
    """
    name = name_subject.lower()
    found = [
        f"named as a {rule.called}, but {rule.mismatch.value}"
        for rule in _RULES
        if rule.covers(name, role_id) and rule.mismatch.shown_by(features)
    ]
    if length_aa > LONGEST_HOLIN and _HOLIN.covers(name, role_id):
        found.append(f"named as a holin, but longer ({length_aa} residues) than holins are")
    return tuple(found)
