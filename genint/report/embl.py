"""EMBL rendering: the annotated GenBank file (:mod:`genint.report.genbank`) in EMBL's lines.

Biopython reads the one and writes the other: features, qualifiers and sequence are the same.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from Bio import BiopythonWarning, SeqIO

from genint.errors import InputError
from genint.model.genome import FileFormat, Topology
from genint.report.fasta import id_note, submission_ids
from genint.report.genbank import render_genbank
from genint.report.genbank_header import insdc_date
from genint.report.wording import shown_text

if TYPE_CHECKING:
    from Bio.SeqFeature import SeqFeature
    from Bio.SeqRecord import SeqRecord

    from genint.formats import Original
    from genint.report.result import GenintResult

_ACCESSION_LINE: Final = re.compile(r"^AC   .*\nXX\n", re.MULTILINE)


def render_embl(result: GenintResult, original: Original, genbank: str | None = None) -> str:
    """The file that was interpreted as EMBL, with the interpretation in its features.

    Args:
        result: What was found.
        original: The file, GenBank or FASTA.
        genbank: The same in GenBank's lines, where it is at hand.

    Raises:
        InputError: the result is of another file; or a feature breaks the GenBank format so that
            Biopython cannot read it, and it would be lost.

    Cost: 1 ms a gene, most of it for reading.
    """
    text = genbank or render_genbank(result, original)
    written = io.StringIO()
    try:
        with warnings.catch_warnings():
            # That a line is too long or a qualifier has no value is told when the file is read.
            warnings.simplefilter("ignore", BiopythonWarning)
            records = list(SeqIO.parse(io.StringIO(text), "genbank"))
            _rename(records, result, original)
            for record in records:
                record.annotations.setdefault("molecule_type", "DNA")
                lost = [one for one in record.features if one.location is None]
                if lost:
                    raise ValueError(f"the place of {_described(lost[0])} cannot be read")
            SeqIO.write(records, written, "embl")
    except (ValueError, TypeError, KeyError) as error:
        name = shown_text(original.genome.source.filename)
        why = _reason(error)
        raise InputError(
            f"{name} cannot be written as EMBL: {why}; mend the file, or take the format gbk"
        ) from error
    text = _with_id_lines(written.getvalue(), records)
    day = result.parameters.date
    if day is None or original.genome.source.format is not FileFormat.FASTA:
        return text  # a record of the file keeps the dates that it has
    return _ACCESSION_LINE.sub(rf"\g<0>DT   {insdc_date(day)} (Created)\nXX\n", text)


_NAMES: Final = ("locus_tag", "protein_id", "gene", "label", "product", "note")
"""Qualifiers by which a feature is known, best first."""
_MOST_REASON: Final = 200


def _described(feature: SeqFeature) -> str:
    """Key and name of a feature, such as ``the enhancer "CMV enhancer"``."""
    given = (value for name in _NAMES for value in feature.qualifiers.get(name, ()))
    name = next(given, "")
    return f'the {feature.type} "{name}"' if name else f"a {feature.type} without a name"


def _reason(error: Exception) -> str:
    """Why a record could not be read or written, in one line with the feature that is at fault."""
    first, *more = (line.strip() for line in str(error).splitlines() or [type(error).__name__])
    text = f"{first} {', '.join(more)}" if first.endswith(":") and more else first
    return shown_text(text)[:_MOST_REASON].rstrip(".:, ")


_NOT_IN_EMBL: Final = re.compile(r"[;\s]")


def _rename(records: Sequence[SeqRecord], result: GenintResult, original: Original) -> None:
    """Call records as feature tables do, where the file is FASTA or EMBL cannot have the id."""
    ids = submission_ids(result)
    is_fasta = original.genome.source.format is FileFormat.FASTA
    for record, item in zip(records, result.records, strict=True):
        if not is_fasta and not _NOT_IN_EMBL.search(record.id):
            continue
        record.id = ids[item.id]
        if record.id == item.id:
            continue
        for feature in record.features:
            if feature.type == "source":
                feature.qualifiers.setdefault("note", []).append(id_note(item.id))


_ID_LINE: Final = re.compile(
    r"^ID   (?P<id>[^;\n]*); (?P<version>[^;\n]*); (?P<topology>[^;\n]*); (?P<molecule>[^;\n]*); "
    r"; (?P<division>[^;\n]*); (?P<length>.*)$",
    re.MULTILINE,
)
_EMBL_DIVISIONS: Final = MappingProxyType({"BCT": "PRO", "UNK": "UNC", "UNA": "UNC"})
"""Of those of GenBank that EMBL calls otherwise."""


def _with_id_lines(text: str, records: Sequence[SeqRecord]) -> str:
    """The text with version, kind of molecule, data class and division in each ID line."""
    lines = iter(records)

    def whole(found: re.Match[str]) -> str:
        record = next(lines)
        division = str(record.annotations.get("data_file_division", found["division"]))
        if division not in _EMBL_DIVISIONS:
            division = found["division"]
        cells = (
            found["id"],
            found["version"] or "SV 1",
            found["topology"] or Topology.LINEAR.value,
            _molecule(record) or found["molecule"],
            "STD",
            _EMBL_DIVISIONS.get(division, division),
            found["length"],
        )
        return f"ID   {'; '.join(cells)}"

    return _ID_LINE.sub(whole, text)


def _molecule(record: SeqRecord) -> str | None:
    """What the source of a record says that its molecule is, such as ``genomic DNA``."""
    sources = (one for one in record.features if one.type == "source")
    given = (value for one in sources for value in one.qualifiers.get("mol_type", ()))
    return next(given, None)
