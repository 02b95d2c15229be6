"""What the page holds of the bases of a record: GC content and GC skew along it, and the bases.

All of it is text that a page can carry and its scripts can read at any place without unpacking
the rest: a value of a track is one letter, and so are three bases.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from genint.report.result import Record

MOST_POINTS: Final = 1000
"""Values of a track, about as many as a map has pixels along its backbone."""
MOST_POINTS_OF_ALL: Final = 16_000
"""Values of the tracks of all records: 32 kB of letters."""
_LEAST_POINTS: Final = 50  # fewer would not show where a value changes
_LEAST_LENGTH_BP: Final = 1000
_WINDOW_BP: Final = 500  # of short records; those of long ones are as wide as two steps
_MOST_OF_RECORD: Final = 10  # a window is a tenth of its record at the most
_STEPS: Final = (1, 2, 5, 10)

ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
"""The letters of base64, in its order."""
_ABSENT: Final = len(ALPHABET) - 1
_GRADES: Final = _ABSENT - 1  # an even number, so that a skew of nothing is a grade too

MOST_BASES: Final = 12_000_000
"""Records of more bases in all are left out of the page, of which they would be 4 MB."""
_BASES_A_LETTER: Final = 3
_AS_DIGITS: Final = bytes(max(0, "ACGT".find(chr(code))) for code in range(256))
_NO_DIGIT: Final = re.compile(r"([^ACGT])\1*")
_AS_LETTERS: Final = bytes.maketrans(bytes(range(len(ALPHABET))), ALPHABET.encode())


class GcTracks(NamedTuple):
    """GC content and GC skew along a record, in windows around places a step apart.

    A letter is a grade from the lowest to the highest value, in the order of base64; the last
    letter stands where a window holds no base that counts.

    Attributes:
        step_bp: Bases between two places, the first of which is at the start of the record.
        window_bp: Bases of a window, half of them on either side of its place. At an end of a
            linear record it has the half that is there.
        mean: GC content of the whole record, 0 to 1.
        lowest: GC content that the first grade stands for.
        highest: GC content that the last grade stands for.
        content: A letter for the GC content, (G + C) / (A + C + G + T), of each window.
        most_skew: What the last grade stands for; the first is as much below nothing.
        skew: A letter for the GC skew, (G - C) / (G + C), of each window.
    """

    step_bp: int
    window_bp: int
    mean: float
    lowest: float
    highest: float
    content: str
    most_skew: float
    skew: str


def points_for(records: int) -> int:
    """How many values a track has at the most where so many records have maps; 0 for none."""
    points = min(MOST_POINTS, MOST_POINTS_OF_ALL // max(1, records))
    return points if points >= _LEAST_POINTS else 0


def gc_tracks(record: Record, most_points: int) -> GcTracks | None:
    """GC content and GC skew along a record, None where it is too short or has no bases.

    Args:
        record: Its bases are null where the result was made before 1.9.
        most_points: Values of a track at the most; 0 for no tracks.

    Cost: 0.2 s for 4.6 Mb.
    Source: Lobry 1996, doi:10.1093/oxfordjournals.molbev.a025626
    """
    bases = record.sequence
    if not most_points or bases is None or len(bases) < _LEAST_LENGTH_BP:
        return None
    step = _round_step(-(-len(bases) // most_points))
    target = min(_WINDOW_BP, len(bases) // _MOST_OF_RECORD)
    half = max(1, round(target / (2 * step)))
    windows = tuple(_window_counts(bases, step, half, circular=record.topology == "circular"))
    contents = [(g + c) / (a + c + g + t) if a + c + g + t else None for a, c, g, t in windows]
    skews = [(g - c) / (g + c) if g + c else None for _, c, g, _ in windows]
    known = [value for value in contents if value is not None]
    if not known:
        return None
    lowest, highest = min(known), max(known)
    most = max((abs(value) for value in skews if value is not None), default=0.0)
    strong = bases.count("G") + bases.count("C")
    mean = strong / (strong + bases.count("A") + bases.count("T"))
    return GcTracks(
        step_bp=step,
        window_bp=2 * half * step,
        mean=round(mean, 4),
        lowest=round(lowest, 4),
        highest=round(highest, 4),
        content=_letters(contents, lowest, highest),
        most_skew=round(most, 4),
        skew=_letters(skews, -most, most),
    )


def _round_step(least: int) -> int:
    """The least of 1, 2 and 5 times a power of ten that is not below a number."""
    power = int(f"1{'0' * (len(str(least)) - 1)}")
    return next(times * power for times in _STEPS if times * power >= least)


def _window_counts(
    bases: str, step: int, half: int, *, circular: bool
) -> Iterator[tuple[int, ...]]:
    """A, C, G and T of the windows around every ``step`` bases, of ``half`` steps on both sides."""
    margin = half * step
    if circular:
        places = -(-len(bases) // step)
        text = bases[-margin:] + bases + bases[: margin + step]
    else:
        places = len(bases) // step + 1
        text = bases
    bins = range(0, len(text), step)
    sums = [
        tuple(accumulate((text.count(base, at, at + step) for at in bins), initial=0))
        for base in "ACGT"
    ]
    for place in range(places):
        first = place if circular else max(0, place - half)
        last = min(len(bins), place + (2 * half if circular else half))
        yield tuple(counts[last] - counts[first] for counts in sums)


def _letters(values: Sequence[float | None], lowest: float, highest: float) -> str:
    reach = (highest - lowest) or 1.0
    return "".join(
        ALPHABET[_ABSENT if value is None else round((value - lowest) / reach * _GRADES)]
        for value in values
    )


def packed_bases(bases: str) -> str:
    """Bases as text of a third of their number: three in a letter, the first counting most.

    What is none of A, C, G and T is written as A there, and follows after a blank as runs
    ``first base (0-based):letter:number of bases``, joined by commas. Cost: 10 ms for 1 Mb.
    """
    digits = bases.encode().translate(_AS_DIGITS) + bytes(-len(bases) % _BASES_A_LETTER)
    size = len(digits) // _BASES_A_LETTER
    # Every digit is below 4 and every sum below 64, so the bytes of these numbers never carry.
    first, middle, last = (
        int.from_bytes(digits[at::_BASES_A_LETTER], "big") for at in range(_BASES_A_LETTER)
    )
    letters = (16 * first + 4 * middle + last).to_bytes(size, "big").translate(_AS_LETTERS)
    runs = (f"{run.start()}:{run[1]}:{len(run[0])}" for run in _NO_DIGIT.finditer(bases))
    return " ".join(filter(None, (letters.decode(), ",".join(runs))))
