"""Protein of a CDS feature: translated here, compared with what the file says."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

from genint.formats.genbank.flatfile import RawFeature
from genint.formats.genbank.locations import Issue, parse_location
from genint.formats.warnings import ReadCode
from genint.model.interval import Location, Strand
from genint.model.sequence import (
    START_CODONS,
    extract,
    is_genetic_code,
    start_codons,
    stop_codons,
    translate,
    translate_cds,
)

DEFAULT_TABLE = 11
"""Bacteria, archaea and their phages: NCBI genetic code 11."""

_RESIDUES = frozenset("ABCDEFGHIKLMNOPQRSTUVWXYZ*J")
_AMBIGUOUS = frozenset("XBZJ")
_THREE_LETTER = {
    "Ala": "A", "Arg": "R", "Asn": "N", "Asp": "D", "Asx": "B", "Cys": "C", "Gln": "Q",
    "Glu": "E", "Glx": "Z", "Gly": "G", "His": "H", "Ile": "I", "Leu": "L", "Lys": "K",
    "Met": "M", "fMet": "M", "Phe": "F", "Pro": "P", "Pyl": "O", "Sec": "U", "Ser": "S",
    "Thr": "T", "Trp": "W", "Tyr": "Y", "Val": "V", "Xle": "J", "Xaa": "X", "OTHER": "X",
    "TERM": "*",
}  # fmt: skip
_CODON_BP = 3
_TABLE_NUMBER = re.compile(r"\d{1,3}", re.ASCII)
_EXCEPT = re.compile(r"\(\s*pos\s*:\s*(.+?)\s*,\s*aa\s*:\s*([A-Za-z]+)\s*\)", re.DOTALL)
_MAX_EXCEPTIONS = 100
"""Of one gene; proteins rich in selenocysteine have a few tens of them."""
_EXPLAINS_ANOTHER_PROTEIN = (
    "exception",
    "ribosomal_slippage",
    "trans_splicing",
    "artificial_location",
)


class Protein(NamedTuple):
    """A translation and its issues."""

    residues: str
    issues: tuple[Issue, ...]
    compared: bool
    """Whether the file had a translation to compare with."""


def codon_start_of(feature: RawFeature) -> tuple[int, tuple[Issue, ...]]:
    """1, 2 or 3; anything else in the file is read as 1 with an issue."""
    text = feature.value("codon_start")
    if text is None:
        return 1, ()
    if text in ("1", "2", "3"):
        return int(text), ()
    return 1, (Issue(ReadCode.BAD_CODON_START, f"codon_start {text[:20]!r} was read as 1"),)


def stated_table_of(feature: RawFeature) -> tuple[int | None, tuple[Issue, ...]]:
    """Genetic code that the feature names; None where it names none."""
    text = feature.value("transl_table")
    if text is None:
        return None, ()
    if _TABLE_NUMBER.fullmatch(text) and is_genetic_code(int(text)):
        return int(text), ()
    issue = Issue(
        ReadCode.BAD_TRANSL_TABLE,
        f"transl_table {text[:20]!r} is no NCBI genetic code; {DEFAULT_TABLE} was taken",
    )
    return DEFAULT_TABLE, (issue,)


class Frame(NamedTuple):
    """How a CDS is read: bases of its contig, place, first codon (1, 2, 3), code."""

    bases: str
    location: Location
    codon_start: int
    table: int


def cut_at_ends(feature: RawFeature, frame: Frame) -> tuple[Location, tuple[Issue, ...]]:
    """The location of a CDS of a linear record, open at an end of the record that cuts it off.

    Files that were cut in pieces do not always say so: the CDS then goes up to the end of the
    record, and has no stop codon there (or, at its 5' end, no start codon). What explains itself
    (``exception``, stops that are completed later) stays as it is.
    """
    if feature.has("transl_except", *_EXPLAINS_ANOTHER_PROTEIN):
        return frame.location, ()
    location, span, length_bp = frame.location, frame.location.span, len(frame.bases)
    at_low, at_high = span.start < _CODON_BP, 0 <= length_bp - span.end < _CODON_BP
    if location.strand is Strand.REVERSE:
        at_low, at_high = at_high, at_low
    coding = extract(frame.bases, location)[frame.codon_start - 1 :]
    whole = coding[: len(coding) // _CODON_BP * _CODON_BP]
    cut_5 = at_low and not location.partial_5 and whole[:3] not in start_codons(frame.table)
    cut_3 = at_high and not location.partial_3 and whole[-3:] not in stop_codons(frame.table)
    if not (cut_5 or cut_3):
        return location, ()
    lacking = " and ".join(
        name for name, cut in (("start codon", cut_5), ("stop codon", cut_3)) if cut
    )
    text = f"it goes up to the end of the record without a {lacking} and was taken as cut off there"
    opened = replace(
        location,
        partial_5=location.partial_5 or cut_5,
        partial_3=location.partial_3 or cut_3,
    )
    return opened, (Issue(ReadCode.LOCATION_GUESSED, text),)


def frame_by_stop(frame: Frame) -> tuple[Frame, tuple[Issue, ...]]:
    """A CDS without its 5' end in the frame of its stop codon, where its own runs into others.

    Files that were cut in pieces keep the codon_start of the whole gene.
    """
    coding = extract(frame.bases, frame.location)
    wanted = len(coding) % _CODON_BP + 1
    location = frame.location
    if not location.partial_5 or location.partial_3 or wanted == frame.codon_start:
        return frame, ()
    stops = [
        "*" in translate_cds(coding[at - 1 :], frame.table, complete_start=False)
        for at in (frame.codon_start, wanted)
    ]
    if stops != [True, False]:
        return frame, ()
    text = f"codon_start {frame.codon_start} leads into stop codons and was read as {wanted}"
    return frame._replace(codon_start=wanted), (Issue(ReadCode.BAD_CODON_START, text),)


def protein_of(feature: RawFeature, frame: Frame, *, remote: bool) -> Protein:
    """Protein of a CDS.

    The bases are translated with ``transl_except`` applied. Where the file's
    translation disagrees the bases win, with an issue, unless the feature says why
    its protein is another one (an ``exception``, slippage): then the file wins.
    With part of the gene on another record only the file can know the protein.

    Args:
        feature: The CDS.
        frame: How it is read.
        remote: Part of the location lies on another record.

    Cost: O(length of the gene).
    """
    stated = _stated_translation(feature)
    if remote:
        return Protein(stated or "", (), compared=stated is not None)
    coding = extract(frame.bases, frame.location)[frame.codon_start - 1 :]
    complete_start = frame.codon_start == 1 and not frame.location.partial_5
    residues = translate_cds(coding, frame.table, complete_start=complete_start)
    residues, issues = with_exceptions(feature, residues, coding, frame)
    if stated is None:
        return Protein(residues, issues, compared=feature.has("translation"))
    # many programs write the start codon's plain residue (V for GTG)
    plain = translate(coding[:3], frame.table) + residues[1:]
    for reading in (residues, plain):
        if agree(reading, stated, spare_bases=len(coding) % 3):
            # at a rare start codon the file decides whether it starts a protein
            usual = coding[:3] in START_CODONS
            return Protein(residues if usual else reading, issues, compared=True)
    if feature.has(*_EXPLAINS_ANOTHER_PROTEIN):
        return Protein(stated, issues, compared=True)
    differs = Issue(ReadCode.TRANSLATION_DIFFERS, _difference(residues, stated))
    return Protein(residues, (*issues, differs), compared=True)


def agree(ours: str, theirs: str, *, spare_bases: int = 0) -> bool:
    """Whether two translations are the same protein.

    An unknown residue agrees with any. With one or two bases left behind the
    last whole codon the file may have one residue more (two bases can decide).
    """
    if ours == theirs:
        return True
    if spare_bases and len(theirs) == len(ours) + 1:
        theirs = theirs[:-1]
    if len(ours) != len(theirs):
        return False
    return all(
        mine == other or mine in _AMBIGUOUS or other in _AMBIGUOUS
        for mine, other in zip(ours, theirs, strict=True)
    )


def _stated_translation(feature: RawFeature) -> str | None:
    """The file's translation where it is one: only residues, no final stop."""
    text = feature.value("translation")
    if text is None:
        return None
    residues = text.upper().removesuffix("*")
    return residues if residues and _RESIDUES.issuperset(residues) else None


def with_exceptions(
    feature: RawFeature, residues: str, coding: str, frame: Frame
) -> tuple[str, tuple[Issue, ...]]:
    """Apply every ``transl_except`` (selenocysteine, pyrrolysine, completed stops).

    Args:
        feature: The CDS.
        residues: Its translation without exceptions, final stop removed.
        coding: Its bases from the first whole codon on.
        frame: How it is read.

    Returns:
        The residues and an issue for every exception that does not fit the gene.
    """
    texts = [item.value or "" for item in feature.qualifiers if item.name == "transl_except"]
    if not texts:
        return residues, ()
    if len(texts) > _MAX_EXCEPTIONS:
        many = f"{len(texts)} transl_except are too many and were not applied"
        return residues, (Issue(ReadCode.BAD_TRANSL_EXCEPT, many),)
    issues: list[Issue] = []
    whole = list(residues.ljust(len(coding) // 3, "*"))
    for text in texts:
        found = _EXCEPT.fullmatch(text.strip())
        residue = _THREE_LETTER.get(found[2]) if found else None
        codon = _codon_at(found[1], frame) if found else None
        if residue is None or codon is None:
            issues.append(Issue(ReadCode.BAD_TRANSL_EXCEPT, f"{text[:60]!r} was not applied"))
        elif codon < len(whole):
            whole[codon] = residue
    return "".join(whole).removesuffix("*"), tuple(issues)


def _codon_at(position: str, frame: Frame) -> int | None:
    """Number of the codon that starts at a position of the contig, from 0."""
    parts = parse_location(position).parts
    if not parts:
        return None
    lowest, highest = min(p.first for p in parts), max(p.last for p in parts)
    before_bp = 0
    for part in frame.location.parts:
        interval = part.interval
        reverse = part.strand is Strand.REVERSE
        # files write the place of reverse genes with and without complement()
        for turn_bp in (0, len(frame.bases)):
            at = (highest if reverse else lowest) - 1 + turn_bp
            if interval.start <= at < interval.end:
                inside = interval.end - 1 - at if reverse else at - interval.start
                offset = before_bp + inside - (frame.codon_start - 1)
                return None if offset % 3 else offset // 3
        before_bp += len(interval)
    return None


def _difference(ours: str, theirs: str) -> str:
    if len(ours) != len(theirs):
        return f"the file's translation has {len(theirs)} residues, the bases give {len(ours)}"
    count = sum(mine != other for mine, other in zip(ours, theirs, strict=True))
    return f"the file's translation differs from the bases in {count} of {len(ours)} residues"
