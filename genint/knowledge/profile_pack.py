"""Profile pack: profile HMMs in a tenth of their space, and back.

Every probability p of a profile is kept as round(-steps * log2 p) in one byte (255
stands for zero); steps is a whole number that the maker of a pack chooses: 12 keep
p within 3 % of its value, 5 within 7 %, and take less room. Kept are 20 match
emissions and 7 transitions per node; insert emissions are the background and are
rebuilt, as HMMER does not score them. Names, gathering thresholds and E-value
parameters are kept exactly. Layout::

    magic, format version, profiles, payload bytes, SHA-256 of steps and payload,
    steps per bit
    zstd( length of the table of contents, table of contents (JSON),
          transitions of all profiles, match emissions of all profiles )

Not kept is what a search does not read: how many sequences a profile was built
from, its secondary structure, its trusted and noise cutoffs. What quantising
loses was measured: see the tests of this module.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
import pyhmmer
import zstandard
from numpy.typing import NDArray
from pyhmmer.easel import Alphabet
from pyhmmer.plan7 import HMM, Background

from genint.errors import UnavailableError
from genint.knowledge.table_files import (
    FINEST_STEPS,
    FORMAT_VERSION,
    HEADER,
    HEADER_BYTES,
    MAGIC,
    STEPS,
    read_header,
)

_FILTERS, _PROFILES, _MODELS, _INDEX = ".h3f", ".h3p", ".h3m", ".h3i"


def press(profiles: Iterable[HMM], stem: Path) -> int:
    """Write optimised profiles as ``hmmpress`` does, without the models themselves.

    HMMER wants a file of models and its index to be there but reads neither for a
    search; with the first model alone they take 10 kB instead of 90 MB.

    Args:
        profiles: In the order in which they are to be searched; read one at a time.
        stem: Path without suffix, in a folder that is there; ``.h3f``, ``.h3p``, ``.h3m``
            and ``.h3i`` are written; to wait for the disk is left to the caller.

    Returns:
        How many profiles were pressed; where there were none, only the first two files
        are there, empty, and HMMER cannot open them.

    Raises:
        OSError: the files cannot be written.

    Cost: 300 bytes of disk a node, 2.5 s for a million nodes.
    """
    background: Background | None = None
    pressed = 0
    with (
        _beside(stem, _FILTERS).open("wb") as filters,
        _beside(stem, _PROFILES).open("wb") as parameters,
    ):
        for profile in profiles:
            if background is None:
                background = Background(profile.alphabet)
                _press_first(profile, stem)
            optimised = profile.to_profile(background).to_optimized()
            optimised.offsets.model = 0
            optimised.offsets.filter = filters.tell()
            optimised.offsets.profile = parameters.tell()
            optimised.write(filters, parameters)
            pressed += 1
    return pressed


def _press_first(profile: HMM, stem: Path) -> None:
    """The file of models and its index, of the first profile alone."""
    first = stem.with_name(f"{stem.name}-first")
    pyhmmer.hmmer.hmmpress([profile], first)
    for suffix in (_MODELS, _INDEX):
        _beside(first, suffix).replace(_beside(stem, suffix))
    for suffix in (_FILTERS, _PROFILES):
        _beside(first, suffix).unlink()


def _beside(stem: Path, suffix: str) -> Path:
    """The stem with a suffix behind it; a dot in the stem stays."""
    return stem.with_name(stem.name + suffix)


_CONTENTS_LENGTH = struct.Struct("<I")

_ZERO = 255
_SMALLEST = 254
_RESIDUES = 20
_TRANSITIONS = 7
_TRANSITION_GROUPS = ((0, 3), (3, 5), (5, 7))
"""Transitions from a match, an insert and a delete state: each sums to one."""

_COMPRESSION = zstandard.ZstdCompressionParameters.from_level(19, window_log=27)
"""Families that are alike lie far apart. Against xz a fifth more bytes, unpacked ten times as fast:
a first run waits for it."""


class _Entry(NamedTuple):
    """Line of the table of contents; numbers are exact in single precision."""

    name: str
    accession: str
    description: str
    length: int
    gathering: tuple[float, float]
    evalue_parameters: tuple[float, ...]

    @classmethod
    def of(cls, profile: HMM) -> Self:
        gathering = profile.cutoffs.gathering
        if gathering is None:
            raise ValueError(f"profile {profile.name} has no gathering threshold")
        return cls(
            profile.name,
            profile.accession or "",
            profile.description or "",
            profile.M,
            (_shortest(gathering[0]), _shortest(gathering[1])),
            tuple(_shortest(value) for value in profile.evalue_parameters.as_vector()),
        )


def _shortest(value: float) -> float:
    """The number with fewest digits that is the same in single precision."""
    return float(str(np.float32(value)))


def encode(profiles: Iterable[HMM], steps_per_bit: int = FINEST_STEPS) -> bytes:
    """Pack profiles of amino acids, in their order.

    Args:
        profiles: Each with a gathering threshold and E-value parameters.
        steps_per_bit: How finely probabilities are kept, 1 to 12.

    Raises:
        ValueError: a profile has no gathering threshold, or steps out of range.

    Cost: some 3 s and 60 MB for 2,500 profiles; the same bytes each time for one
    version of zstandard.
    """
    if not 1 <= steps_per_bit <= FINEST_STEPS:
        raise ValueError(f"steps per bit must be 1 to {FINEST_STEPS}, not {steps_per_bit}")
    contents: list[_Entry] = []
    transitions: list[bytes] = []
    emissions: list[bytes] = []
    for profile in profiles:
        contents.append(_Entry.of(profile))
        steps = _quantised(profile.transition_probabilities, steps_per_bit)
        transitions.append(steps.tobytes())
        steps = _quantised(profile.match_emissions, steps_per_bit)
        emissions.append(steps[1:].tobytes())
    listing = json.dumps(contents, ensure_ascii=False, separators=(",", ":")).encode()
    payload = b"".join(
        (_CONTENTS_LENGTH.pack(len(listing)), listing, *transitions, *emissions),
    )
    steps_field = STEPS.pack(steps_per_bit)
    digest = hashlib.sha256(steps_field + payload).digest()
    header = HEADER.pack(MAGIC, FORMAT_VERSION, len(contents), len(payload), digest)
    packer = zstandard.ZstdCompressor(compression_params=_COMPRESSION)
    return header + steps_field + packer.compress(payload)


def _quantised(probabilities: object, steps_per_bit: int) -> NDArray[np.uint8]:
    with np.errstate(divide="ignore"):
        steps = np.rint(-steps_per_bit * np.log2(np.asarray(probabilities, dtype=np.float64)))
    return np.where(np.isinf(steps), _ZERO, np.minimum(steps, _SMALLEST)).astype(np.uint8)


class UnpackedPack(NamedTuple):
    """A pack whose checksum was found right, ready for :func:`rebuild`."""

    payload: bytes | mmap.mmap
    steps_per_bit: int


def decode(packed: bytes) -> Iterator[HMM]:
    """Rebuild the profiles one after the other, in the order of :func:`encode`.

    Raises:
        UnavailableError: the pack is damaged or of another version; raised before
            the first profile.

    Cost: for 2,300 profiles (390,000 nodes) 0.02 s to decompress and 0.1 s to rebuild;
    memory is the unpacked payload (27 bytes a node) and one profile.
    """
    return rebuild(unpack(packed))


def unpack(packed: bytes) -> UnpackedPack:
    """Decompress a pack.

    Raises:
        UnavailableError: the pack is damaged or of another version.
    """
    header = read_header(packed)
    compressed = memoryview(packed)[HEADER_BYTES:]
    try:
        # A damaged pack cannot fill the memory: it is as long as the header promises, or refused.
        if zstandard.frame_content_size(compressed) != header.payload_bytes:
            raise UnavailableError("the profile pack is damaged: its length differs")
        payload = zstandard.ZstdDecompressor().decompress(compressed)
    except zstandard.ZstdError as error:
        raise UnavailableError(f"the profile pack is damaged: {error}") from error
    steps_field = packed[HEADER.size : HEADER_BYTES]
    digest = hashlib.sha256(steps_field)
    digest.update(payload)
    if digest.hexdigest() != header.digest:
        raise UnavailableError("the profile pack is damaged: its digest differs")
    return UnpackedPack(payload, header.steps_per_bit)


def rebuild(pack: UnpackedPack) -> Iterator[HMM]:
    """The profiles of an unpacked pack, one after the other."""
    profiles = PackedProfiles(pack)
    for number in range(len(profiles)):
        yield profiles.profile(number)


class PackedProfiles:
    """The profiles of an unpacked pack, each rebuilt when it is asked for.

    Args:
        pack: Its payload may be mapped into memory.

    Attributes:
        entries: The table of contents.
        offsets: Match positions before each profile, and of all.
        emissions: Shape (positions, 20): steps of the match emissions of all profiles.
        steps_per_bit: How finely probabilities are kept.

    Cost: 15 ms for 4,000 profiles; one is rebuilt in 0.2 ms.
    """

    def __init__(self, pack: UnpackedPack) -> None:
        payload = memoryview(pack.payload)
        (listed,) = _CONTENTS_LENGTH.unpack_from(payload)
        self._transitions_at = _CONTENTS_LENGTH.size + listed
        listing = json.loads(bytes(payload[_CONTENTS_LENGTH.size : self._transitions_at]))
        self.entries = tuple([_Entry(*fields) for fields in listing])
        self.offsets = np.cumsum([0, *(entry.length for entry in self.entries)])
        self.steps_per_bit = pack.steps_per_bit
        positions = int(self.offsets[-1])
        emissions_at = self._transitions_at + (positions + len(self.entries)) * _TRANSITIONS
        self.emissions = np.frombuffer(
            payload, np.uint8, positions * _RESIDUES, emissions_at
        ).reshape(-1, _RESIDUES)
        self._payload = payload
        self._mapped = pack.payload if isinstance(pack.payload, mmap.mmap) else None
        self._alphabet = Alphabet.amino()
        self._background = np.asarray(
            Background(self._alphabet).residue_frequencies, dtype=np.float32
        )
        self._probabilities = probabilities_of_steps(pack.steps_per_bit)

    def __len__(self) -> int:
        return len(self.entries)

    def release(self) -> None:
        """Give back memory of a payload that is mapped; what is asked for later is read again.

        Reading all emissions, as a search does, brings all of them into memory.
        """
        if self._mapped is not None and hasattr(mmap, "MADV_DONTNEED"):  # not on Windows
            self._mapped.madvise(mmap.MADV_DONTNEED)

    def profile(self, number: int) -> HMM:
        """The profile at a place of the pack."""
        entry = self.entries[number]
        first = int(self.offsets[number])
        at = self._transitions_at + (first + number) * _TRANSITIONS
        transitions = self._payload[at : at + (entry.length + 1) * _TRANSITIONS]
        emissions = self._probabilities[self.emissions[first : first + entry.length]]
        return _profile(
            entry,
            _looked_up(self._probabilities, transitions, _TRANSITIONS),
            emissions,
            self._alphabet,
            self._background,
        )


def probabilities_of_steps(steps_per_bit: int) -> NDArray[np.float32]:
    """The probability that each byte of a pack stands for."""
    steps = np.arange(256, dtype=np.float32) / np.float32(-steps_per_bit)
    probabilities: NDArray[np.float32] = np.exp2(steps)
    probabilities[_ZERO] = 0.0
    return probabilities


def _looked_up(table: NDArray[np.float32], steps: memoryview, width: int) -> NDArray[np.float32]:
    """Shape (rows, width): the probabilities before they are made to sum to one."""
    values: NDArray[np.float32] = table[np.frombuffer(steps, dtype=np.uint8)].reshape(-1, width)
    return values


def _profile(
    entry: _Entry,
    transitions: NDArray[np.float32],
    emissions: NDArray[np.float32],
    alphabet: Alphabet,
    background: NDArray[np.float32],
) -> HMM:
    profile = HMM(alphabet, entry.length, entry.name)
    profile.accession = entry.accession or None
    profile.description = entry.description or None
    for first, last in _TRANSITION_GROUPS:
        group = transitions[:, first:last]
        group /= group.sum(axis=1, keepdims=True)
    np.asarray(profile.transition_probabilities)[:] = transitions
    np.asarray(profile.match_emissions)[1:] = emissions / emissions.sum(axis=1, keepdims=True)
    np.asarray(profile.insert_emissions)[:] = background
    # Assigning to the vector would only replace a copy: write into its memory.
    np.asarray(profile.evalue_parameters.as_vector())[:] = entry.evalue_parameters
    profile.cutoffs.gathering = tuple(entry.gathering)
    profile.set_composition()
    profile.set_consensus()
    return profile
