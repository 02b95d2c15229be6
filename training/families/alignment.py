"""From the members of a family to its profile: choose, align, build.

Alignment by FAMSA (Deorowicz et al. 2016, doi:10.1038/srep33964), profile by HMMER
(Eddy 2011, doi:10.1371/journal.pcbi.1002195).
"""

from __future__ import annotations

import io
from collections.abc import Sequence

import pyfamsa
from pyhmmer.easel import Alphabet, TextMSA, TextSequence
from pyhmmer.plan7 import HMM, Background, Builder, HMMFile

MOST_ALIGNED = 60
"""Members in an alignment: more of them hardly change a profile."""
SEED = 42
"""Of the random sequences that HMMER calibrates a profile on."""
RECIPE = f"2 famsa {pyfamsa.__version__} {MOST_ALIGNED} members, seed {SEED}"
"""What profiles depend on besides their members; a new recipe makes them all anew."""

_WORD_AA = 4
_UNUSUAL = str.maketrans("UOJ", "CKL")
"""Selenocysteine, pyrrolysine, leucine or isoleucine: FAMSA knows the 20 and X, B, Z."""


def build_profile(members: Sequence[str]) -> HMM:
    """Profile of a family, calibrated; the same for the same members in any order.

    Args:
        members: Residues of each.

    Raises:
        ValueError: an alignment has no column that half of the members share.

    Cost: some 0.1 s for 60 members of 300 aa, mostly calibration.
    """
    chosen = diverse(members, MOST_ALIGNED)
    sequences = [
        pyfamsa.Sequence(str(at).encode(), residues.translate(_UNUSUAL).encode())
        for at, residues in enumerate(chosen)
    ]
    # FAMSA's refinement is what differs from run to run: 3 of 62 families in 12 runs.
    aligned = pyfamsa.Aligner(threads=1, refine=False).align(sequences)
    rows = sorted((int(row.id), row.sequence.decode()) for row in aligned)
    alphabet = Alphabet.amino()
    alignment = TextMSA(
        name="family",
        sequences=[TextSequence(name=str(at), sequence=row) for at, row in rows],
    ).digitize(alphabet)
    profile, _, _ = Builder(alphabet, seed=SEED).build_msa(alignment, Background(alphabet))
    profile.creation_time = None  # the same profile tomorrow
    profile.command_line = None  # and from another folder
    return profile


def diverse(members: Sequence[str], most: int) -> tuple[str, ...]:
    """At most so many members, as different from one another as can be.

    Begins with the one of median length and adds whichever shares fewest words with
    those that are in; ties go to the first in alphabetical order.
    """
    ordered = sorted(members)
    if len(ordered) <= most:
        return tuple(ordered)
    words = [_words(residues) for residues in ordered]
    by_length = sorted(range(len(ordered)), key=lambda at: (len(ordered[at]), at))
    newest = by_length[len(by_length) // 2]
    chosen = [newest]
    likeness = [0.0] * len(ordered)
    likeness[newest] = 2.0
    while len(chosen) < most:
        for at, own in enumerate(words):
            shared = len(own & words[newest]) / max(1, min(len(own), len(words[newest])))
            likeness[at] = max(likeness[at], shared)
        newest = min(range(len(ordered)), key=lambda at: (likeness[at], at))
        likeness[newest] = 2.0
        chosen.append(newest)
    return tuple(ordered[at] for at in sorted(chosen))


def _words(residues: str) -> frozenset[str]:
    return frozenset(residues[at : at + _WORD_AA] for at in range(len(residues) - _WORD_AA + 1))


def to_bytes(profile: HMM) -> bytes:
    """A profile as HMMER's binary file."""
    stream = io.BytesIO()
    profile.write(stream, binary=True)
    return stream.getvalue()


def from_bytes(content: bytes, name: str) -> HMM:
    """The profile of such a file, by another name.

    Raises:
        ValueError: the file holds none.
    """
    with HMMFile(io.BytesIO(content)) as file:
        profile = file.read()
    if profile is None:
        raise ValueError("no profile in the file")
    profile.name = profile.accession = name
    return profile
