"""Names that are at odds with what the residues show.

A holin lies in the membrane, a portal protein does not: where the sequence says otherwise, the
name or the start of the gene may be wrong. Only what was measured to be worth a word is told:
it is rare among proteins of that name, and common among others. Of 226 phage proteins named
holin 9 % have no segment, most of them endonucleases by their sequence; of other proteins 89 %.
A major capsid protein has a segment in 0.5 %, a portal protein or integrase in none of 600, other
phage proteins in 10 %. ``python -m training.feature_check`` prints these and the bacterial ones.
Not worth a word: terminases with a segment, endolysins with or without one, tape measure
proteins without a coiled coil.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Final, NamedTuple

from genint.model.features import FeatureKind, SequenceFeature

LONGEST_HOLIN: Final = 250
"""None of 226 phage proteins named holin is longer; 2 of 10 other proteins are."""
_SEGMENT: Final = frozenset({FeatureKind.TRANSMEMBRANE})
_INSERTED: Final = _SEGMENT | {FeatureKind.SIGNAL_PEPTIDE, FeatureKind.LIPOPROTEIN_SIGNAL}
"""A single segment at the beginning is often taken for a signal peptide, and the other way
round, so either will do where one of them is expected."""


class _AtOdds(Enum):
    """What the sequence shows though the name says otherwise."""

    NO_SEGMENT = "no transmembrane segment is predicted"
    NOT_INSERTED = "no transmembrane segment or signal peptide is predicted"
    NO_SIGNAL = "no signal peptide is predicted (or the gene starts elsewhere)"
    SEGMENT = "a transmembrane segment is predicted"

    def shown_by(self, features: Iterable[SequenceFeature]) -> bool:
        """Whether the features of a protein are so."""
        kinds = {feature.kind for feature in features}
        if self is _AtOdds.SEGMENT:
            return bool(kinds & _SEGMENT)
        return not kinds & _INSERTED


class _Rule(NamedTuple):
    """What is at odds with which names.

    Attributes:
        called: What they are called in the doubt.
        at_odds: What their sequence does not show.
        roles: Roles that they play.
        wanted: Pattern of their names, in lower case.
        unwanted: Pattern of names that are not theirs all the same.
    """

    called: str
    at_odds: _AtOdds
    roles: frozenset[str]
    wanted: re.Pattern[str]
    unwanted: re.Pattern[str]

    def covers(self, name: str, role_id: str | None) -> bool:
        """Whether a protein of that name and role is one of these."""
        if self.unwanted.search(name):
            return False
        return role_id in self.roles or bool(self.wanted.search(name))


def _rule(called: str, at_odds: _AtOdds, roles: str, wanted: str, unwanted: str = "$^") -> _Rule:
    return _Rule(
        called, at_odds, frozenset(roles.split()), re.compile(wanted), re.compile(unwanted)
    )


_HOLIN: Final = _rule(
    "holin", _AtOdds.NO_SEGMENT, "holin", r"\bholin\b", r"anti-?holin|lysin|inhibitor|associated"
)
_RULES: Final = (
    _HOLIN,
    _rule("spanin", _AtOdds.NOT_INSERTED, "spanin", r"\b[io]?-?spanin\b"),
    _rule(
        "major capsid protein",
        _AtOdds.SEGMENT,
        "major_capsid",
        r"major (capsid|head) protein",
        r"protease|scaffold|fusion",
    ),
    _rule("portal protein", _AtOdds.SEGMENT, "portal", r"\bportal (protein|vertex)"),
    _rule("integrase", _AtOdds.SEGMENT, "integrase", r"\bintegrase\b"),
    _rule(
        "transporter in the membrane",
        _AtOdds.NO_SEGMENT,
        "",
        r"\bpermease\b|inner membrane protein|\b(anti|sym|uni)porter\b",
        r"atp-binding|atpase|periplasmic|substrate-binding|fused|accessory|regulat|associated"
        r"|phospho|lipoprotein|\bpts\b",
    ),
    _rule(
        "protein outside the inner membrane",
        _AtOdds.NO_SIGNAL,
        "",
        r"\bperiplasmic\b|outer membrane (protein|porin|usher)|\bporin\b|\blipoprotein\b",
        r"inner|regulat|sens|permease|anchor|atpase|kinase|fused|complex|assembly|export|aquaporin"
        r"|releas|peptidase|transferase|chaperone|transporter|acyl|locali[sz]|involved|effector"
        r"|cytoplasmic",
    ),
    _rule(
        "protein of translation",
        _AtOdds.SEGMENT,
        "ribosomal_protein trna_synthetase",
        r"^(30s|50s) ribosomal (subunit )?protein|\btrna (ligase|synthetase)$"
        r"|^translation (elongation|initiation) factor",
    ),
)


def feature_doubts(
    name_subject: str, role_id: str | None, features: Sequence[SequenceFeature], length_aa: int
) -> tuple[str, ...]:
    """What makes a name doubtful, in plain words; () where nothing does.

    Args:
        name_subject: What the protein is called.
        role_id: Of a phage protein, the role that the name gives it.
        features: What was observed of its sequence.
        length_aa: Its residues.
    """
    name = name_subject.lower()
    doubts = [
        f"named as a {rule.called}, but {rule.at_odds.value}"
        for rule in _RULES
        if rule.covers(name, role_id) and rule.at_odds.shown_by(features)
    ]
    if length_aa > LONGEST_HOLIN and _HOLIN.covers(name, role_id):
        doubts.append(f"named as a holin, but longer ({length_aa} residues) than holins are")
    return tuple(doubts)
