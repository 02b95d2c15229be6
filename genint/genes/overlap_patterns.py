"""Known overlaps of genes in phage modules: what a host's function says of a frame in it.

Such knowledge is older than any statistics of ours, and independent of the bases that these
judge: a frame of the right size at the right place in a gene of the right function is likelier
to be a gene. What each pattern adds is stated in ``genint/knowledge/data/rescue.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from genint.model.rescue import RescueKind, RescueTerm, StartPlace

_LIPOBOX = re.compile(r"[LVIMFAT][ASTVGI][GAS]C")
_MICROVIRUS_A = re.compile(r"\brf replication|rolling.circle replication|viral strand synthesis")
_SIGNAL_AA = 40
"""The lipobox of a lipoprotein ends its signal peptide, which lies within the first residues."""
_ANY = StartPlace.ELSEWHERE
_NESTED = frozenset({RescueKind.NESTED})
_INTERNAL = frozenset({RescueKind.INTERNAL_START})


@dataclass(frozen=True, slots=True)
class Pattern:
    """One known overlap.

    Attributes:
        key: Its name in the table of parameters.
        kinds: How the frame may lie to the host.
        host: What names of the host's families say, lower case.
        least_aa: Least length of the frame's protein.
        most_aa: Greatest one.
        lipobox: The protein begins like a lipoprotein.
        words: For the reasoning chain, with the source.
        place: Where in the host a start inside it lies.
    """

    key: str
    kinds: frozenset[RescueKind]
    host: re.Pattern[str]
    least_aa: int
    most_aa: int
    lipobox: bool
    words: str
    place: StartPlace = StartPlace.ELSEWHERE


PATTERNS = (
    Pattern(
        "outer_spanin_in_inner_spanin",
        _NESTED,
        re.compile(r"\bspanin|\brz\b|rz-like|rz1"),
        40,
        130,
        lipobox=True,
        words="a lipoprotein of this size inside an inner spanin, as Rz1 lies in Rz"
        " (doi:10.1016/j.jmb.2007.08.045)",
    ),
    Pattern(
        "lysis_in_external_scaffold",
        _NESTED,
        re.compile(r"external scaffold|scaffolding protein d\b"),
        60,
        120,
        lipobox=False,
        words="of the size of a lysis protein inside the external scaffolding protein, as E lies"
        " in D of phiX174 (doi:10.1038/264034a0)",
    ),
    Pattern(
        "scaffold_in_microvirus_replication",
        _NESTED,
        _MICROVIRUS_A,
        90,
        150,
        lipobox=False,
        words="of the size of an internal scaffolding protein inside the replication protein, as"
        " B lies in A of phiX174 (doi:10.1038/265702a0)",
    ),
    Pattern(
        "lysis_over_levivirus_replicase",
        frozenset({RescueKind.NESTED, RescueKind.OVERLAPPING}),
        re.compile(r"\bcoat protein of levi|levivir\w* (?:coat|replicase)|rna.directed rna poly"),
        30,
        120,
        lipobox=False,
        words="of the size of a lysis protein over the replicase or the coat protein of a"
        " levivirus, as of MS2 (doi:10.1038/295035a0)",
    ),
    Pattern(
        "shorter_microvirus_replication",
        _INTERNAL,
        _MICROVIRUS_A,
        250,
        400,
        lipobox=False,
        words="a strong start inside the replication protein of a microvirus, as of A* in A of"
        " phiX174 (doi:10.1038/265687a0)",
    ),
    Pattern(
        "shorter_primase_helicase",
        _INTERNAL,
        re.compile(r"primase.{0,3}helicase|helicase.{0,3}primase"),
        400,
        560,
        lipobox=False,
        words="a strong start inside a primase and helicase, as of 4B in 4A of T7"
        " (doi:10.1016/S0022-2836(83)80282-4)",
    ),
    Pattern(
        "scaffold_in_head_protease",
        _INTERNAL,
        re.compile(r"(?:head|capsid) (?:maturation )?protease|peptidase s49|s49 family"),
        100,
        260,
        lipobox=False,
        words="the best ATG where scaffolding proteins begin inside the gene of the head"
        " maturation protease, as Nu3 in C of lambda (doi:10.1038/283030a0)",
        place=StartPlace.LATE,
    ),
    Pattern(
        "dual_start_of_holin",
        _INTERNAL,
        re.compile(r"\bholin"),
        40,
        250,
        lipobox=False,
        words="a second start beside that of a holin, as of S107 and S105 of lambda"
        " (Mol Microbiol 1996;21:675)",
        place=StartPlace.DUAL,
    ),
)


def pattern_of(
    kind: RescueKind, protein: str, host_names: Sequence[str], *, place: StartPlace = _ANY
) -> Pattern | None:
    """The known overlap that a frame in a host fits; None where it fits none.

    Args:
        kind: How the frame lies to the host.
        protein: Its residues.
        host_names: Names of the families that recognise the host.
        place: Where a start inside the host lies in it.
    """
    for pattern in PATTERNS:
        if kind not in pattern.kinds or not pattern.least_aa <= len(protein) <= pattern.most_aa:
            continue
        if pattern.place is not place:
            continue
        if pattern.lipobox and not _LIPOBOX.search(protein[:_SIGNAL_AA]):
            continue
        if any(pattern.host.search(name.lower()) for name in host_names):
            return pattern
    return None


def pattern_term(
    kind: RescueKind,
    protein: str,
    host_names: Sequence[str],
    stated: Mapping[str, float],
    *,
    place: StartPlace = _ANY,
) -> RescueTerm | None:
    """What the function of the host adds; None where nothing."""
    found = pattern_of(kind, protein, host_names, place=place)
    return None if found is None else RescueTerm(found.words, stated[found.key])
