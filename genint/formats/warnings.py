"""Every warning that reading a file can give, and the log that collects them."""

from __future__ import annotations

from enum import StrEnum

from genint.model.genome import ReadWarning


class ReadCode(StrEnum):
    """Codes of :class:`~genint.model.genome.ReadWarning`; the values are stable."""

    NOT_UTF8 = "not_utf8"
    """The text is not UTF-8 and was read as Latin-1."""
    TEXT_OUTSIDE_RECORDS = "text_outside_records"
    """Lines before, between or after the records were passed over."""
    UNNAMED_RECORD = "unnamed_record"
    """A record has no name and was given one."""
    DUPLICATE_RECORD_ID = "duplicate_record_id"
    """Two records share a name; the later one got a suffix."""
    EMPTY_RECORD = "empty_record"
    """A FASTA header has no sequence; the record is not in the genome."""
    RECORD_WITHOUT_SEQUENCE = "record_without_sequence"
    """A GenBank record has no sequence; it is not in the genome."""
    MASKED_BASES = "masked_bases"
    """X was read as N."""
    GAPS_REMOVED = "gaps_removed"
    """Gaps (-) were taken out of a sequence; positions count bases only."""
    MISSING_TERMINATOR = "missing_terminator"
    """A GenBank record ends without ``//``: the file may be cut off."""
    LENGTH_DIFFERS = "length_differs"
    """The sequence is longer or shorter than the LOCUS line says."""
    LOCUS_LINE = "locus_line"
    """The LOCUS line is not in its format; what could be read of it was taken."""
    FEATURE_UNREADABLE = "feature_unreadable"
    """A feature has no location that can be read; it is not in the genome."""
    QUALIFIER_MENDED = "qualifier_mended"
    """A qualifier breaks its format (a missing quote); the rest of it was taken."""
    LOCATION_GUESSED = "location_guessed"
    """order(), one-of() or a position given as a range was read as a plain one."""
    LOCATION_CLIPPED = "location_clipped"
    """A location runs past the ends of the sequence and was cut there."""
    LOCATION_REVERSED = "location_reversed"
    """First and last base of a location on a linear record are exchanged."""
    OVER_LINEAR_ENDS = "over_linear_ends"
    """A location joins the last base of a linear record to its first; it is one gene over both."""
    LOCATION_OUTSIDE = "location_outside"
    """No base of a location lies on the sequence; the feature is not in the genome."""
    REMOTE_LOCATION = "remote_location"
    """Part of a location lies on another record and is left out."""
    BAD_CODON_START = "bad_codon_start"
    """codon_start is not 1, 2 or 3; 1 was taken."""
    BAD_TRANSL_TABLE = "bad_transl_table"
    """transl_table is no NCBI genetic code; 11 was taken."""
    BAD_TRANSL_EXCEPT = "bad_transl_except"
    """A transl_except cannot be applied to the gene."""
    TRANSLATION_DIFFERS = "translation_differs"
    """The file's translation is not that of the bases; the bases were followed."""
    TRANSLATION_MISSING = "translation_missing"
    """CDS features have no translation; they were translated here."""
    DUPLICATE_GENE_ID = "duplicate_gene_id"
    """Genes share a name; the later ones got a suffix."""
    WRITTEN_BY_GENINT = "written_by_genint"
    """Notes, names and terms that genint wrote on an earlier run were left out."""


class WarningLog:
    """Collects warnings while one file is read; belongs to that one call."""

    def __init__(self) -> None:
        self._warnings: list[ReadWarning] = []

    def add(
        self, code: ReadCode, text: str, *, contig: str | None = None, line: int | None = None
    ) -> None:
        """Note one warning; ``text`` is one plain sentence."""
        self._warnings.append(ReadWarning(code.value, text, contig, line))

    def warnings(self) -> tuple[ReadWarning, ...]:
        """Everything noted so far, in order."""
        return tuple(self._warnings)
