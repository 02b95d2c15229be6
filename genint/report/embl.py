"""EMBL rendering: the annotated GenBank file (:mod:`genint.report.genbank`) in EMBL's lines.

Biopython reads the one and writes the other: features, qualifiers and sequence are the same.
"""

from __future__ import annotations

import io
import re
import warnings
from typing import TYPE_CHECKING, Final

from Bio import BiopythonWarning, SeqIO

from genint.errors import InputError
from genint.model.genome import FileFormat
from genint.report.genbank import insdc_date, render_genbank
from genint.report.wording import shown_text

if TYPE_CHECKING:
    from genint.formats import Original
    from genint.report.result import GenintResult

_ACCESSION_LINE: Final = re.compile(r"^AC   .*\nXX\n", re.MULTILINE)


def render_embl(result: GenintResult, original: Original) -> str:
    """The file that was interpreted as EMBL, with the interpretation in its features.

    Args:
        result: What was found.
        original: The file, GenBank or FASTA.

    Raises:
        InputError: the result is of another file; or a feature breaks the GenBank format so that
            Biopython cannot read it, and it would be lost.

    Cost: 1 ms a gene, most of it for reading.
    """
    text = render_genbank(result, original)
    written = io.StringIO()
    try:
        with warnings.catch_warnings():
            # That a line is too long or a qualifier has no value is told when the file is read.
            warnings.simplefilter("ignore", BiopythonWarning)
            records = list(SeqIO.parse(io.StringIO(text), "genbank"))
            for record in records:
                record.annotations.setdefault("molecule_type", "DNA")
                lost = [one.type for one in record.features if one.location is None]
                if lost:
                    raise ValueError(f"the place of a feature ({lost[0]}) cannot be read")
            SeqIO.write(records, written, "embl")
    except (ValueError, TypeError, KeyError) as error:
        name = shown_text(original.genome.source.filename)
        why = shown_text(str(error).partition("\n")[0]).rstrip(".: ")
        raise InputError(
            f"{name} cannot be written as EMBL: {why}; mend the file, or take the format gbk"
        ) from error
    text = written.getvalue()
    day = result.parameters.date
    if day is None or original.genome.source.format is not FileFormat.FASTA:
        return text  # a record of the file keeps the dates that it has
    return _ACCESSION_LINE.sub(rf"\g<0>DT   {insdc_date(day)} (Created)\nXX\n", text)
