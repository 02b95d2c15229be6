"""Peptides of mass-spectrometry experiments: tables of search programs, or FASTA.

A table needs one column with the peptides; the columns of MaxQuant, FragPipe, DIA-NN, Proteome
Discoverer, Comet and plain tables are known. Decoys, contaminants and what a program itself is
not sure of (q-value above 0.01) are left out.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final, NamedTuple

from genint.formats.fasta import split_records
from genint.formats.imported.tables import Row, broken, rows_of
from genint.model.imported import ReadPeptide

SHORTEST_AA: Final = 7
"""Shorter ones lie in a phage genome by chance: six residues in one of 64 million random places."""
LONGEST_AA: Final = 80
"""Digestion gives none that are longer; whole proteins are."""
_MOST_Q: Final = 0.01
"""False discovery rate at which peptides are usually reported."""
_PEPTIDES: Final = (
    "peptide",
    "sequence",
    "stripped.sequence",
    "strippedsequence",
    "peptide sequence",
    "peptidesequence",
    "pep_seq",
    "plain_peptide",
    "annotated sequence",
    "modified sequence",
)
"""Names of the column, in lower case, the most bare one first."""
_SPECTRA: Final = (
    "spectra",
    "ms/ms count",
    "spectral count",
    "# psms",
    "psms",
    "spectrum count",
    "count",
)
_Q_VALUES: Final = ("q-value", "q.value", "qvalue", "q value", "percolator q-value")
_PROTEINS: Final = ("proteins", "protein", "protein.ids", "leading razor protein", "accession")
_DECOYS: Final = ("reverse", "decoy", "is_decoy", "isdecoy")
_CONTAMINANTS: Final = ("potential contaminant", "contaminant", "contaminants")
_YES: Final = frozenset({"+", "true", "1", "yes"})
_DECOY: Final = re.compile(r"(?:^|[;,|])\s*(?:rev_|reverse_|decoy|xxx_|##)", re.IGNORECASE)
_CONTAMINANT: Final = re.compile(r"(?:^|[;,|])\s*(?:con__|contam|cont_)", re.IGNORECASE)
_FLANKED: Final = re.compile(r"^\[?[A-Z-]?\]?\.(.+)\.\[?[A-Z-]?\]?$")
_MODIFICATION: Final = re.compile(
    r"^n(?=\[)|\[[^\]]*\]|\((?:[^()]|\([^()]*\))*\)|\{[^}]*\}|[+-]\d+(?:\.\d+)?|\d+\.\d+"
)
_N_TERMINAL: Final = re.compile(
    r"^[_n.-]*[\[({](?:n-term\W*)?(?:acetyl|formyl|ac\b|\+?42\.0|\+?27\.99|unimod:1\b|unimod:122\b)",
    re.IGNORECASE,
)
_RESIDUES: Final = re.compile(r"[ACDEFGHIKLMNPQRSTVWYUO]+")

DECOY: Final = "decoys"
CONTAMINANT: Final = "contaminants"
UNSURE: Final = "with a q-value above 0.01"
SHORT: Final = f"shorter than {SHORTEST_AA} residues"
LONG: Final = f"longer than {LONGEST_AA} residues"


class Peptides(NamedTuple):
    """Peptides, and how many rows were left out, by reason."""

    kept: tuple[ReadPeptide, ...]
    left_out: tuple[tuple[str, int], ...]


def peptide_column(header: str) -> str | None:
    """The column of a table that holds peptides, as the header writes it; None without one."""
    columns = {name.strip().lower(): name.strip() for name in header.split("\t")}
    return next((columns[name] for name in _PEPTIDES if name in columns), None)


def read_table(text: str, source: str, column: str) -> Peptides:
    """The peptides of a table.

    Args:
        text: With a header.
        source: Name of the file, for errors.
        column: That holds them.

    Raises:
        FormatError: a row is damaged, or holds no peptide.
    """
    left_out: Counter[str] = Counter()
    found: dict[str, ReadPeptide] = {}
    for row in rows_of(text, source):
        lowered = row._replace(fields={name.lower(): value for name, value in row.fields.items()})
        peptide = _peptide(lowered, column.lower())
        reason = _why_left_out(lowered, peptide)
        if reason is not None:
            left_out[reason] += 1
            continue
        _add(found, peptide)
    return Peptides(tuple(found.values()), tuple(sorted(left_out.items())))


def _add(found: dict[str, ReadPeptide], peptide: ReadPeptide) -> None:
    known = found.get(peptide.residues)
    if known is not None:
        peptide = peptide._replace(
            spectra=peptide.spectra + known.spectra,
            is_n_terminal=peptide.is_n_terminal or known.is_n_terminal,
        )
    found[peptide.residues] = peptide


def _peptide(row: Row, column: str) -> ReadPeptide:
    written = row.fields[column].strip()
    residues = bare(written)
    if not _RESIDUES.fullmatch(residues):
        raise row.fault(f"{written[:40]!r} is no peptide")
    spectra = row.real(*_SPECTRA)
    modified = row.text("modified sequence", "modified.sequence", "modifications") or written
    terminal = any(_N_TERMINAL.match(text) for text in (written, modified))
    return ReadPeptide(residues, max(int(spectra or 1), 1), terminal)


def bare(written: str) -> str:
    """The residues of a peptide without its neighbours and modifications, upper case.

    ``K.M[15.99]PEPTIDER.A`` and ``_(Acetyl (Protein N-term))MPEPTIDER_`` are ``MPEPTIDER``.
    """
    bare_of = _MODIFICATION.sub("", written.strip())
    flanked = _FLANKED.match(bare_of)
    return (flanked[1] if flanked else bare_of).strip("_.-").replace("*", "").upper()


def _why_left_out(row: Row, peptide: ReadPeptide) -> str | None:
    proteins = row.text(*_PROTEINS)
    if row.text(*_DECOYS).lower() in _YES or _DECOY.search(proteins):
        return DECOY
    if row.text(*_CONTAMINANTS).lower() in _YES or _CONTAMINANT.search(proteins):
        return CONTAMINANT
    q_value = row.real(*_Q_VALUES)
    if q_value is not None and q_value > _MOST_Q:
        return UNSURE
    return _why_of_length(peptide)


def _why_of_length(peptide: ReadPeptide) -> str | None:
    if len(peptide.residues) < SHORTEST_AA:
        return SHORT
    return LONG if len(peptide.residues) > LONGEST_AA else None


def read_fasta(text: str, source: str) -> Peptides:
    """The peptides of a FASTA file, one a record.

    Raises:
        FormatError: a record holds letters that are no residues, or whole proteins.
    """
    left_out: Counter[str] = Counter()
    found: dict[str, ReadPeptide] = {}
    for record in split_records(text, source=source):
        residues = bare("".join(record.section.split()))
        if not residues:
            continue
        if not _RESIDUES.fullmatch(residues):
            raise broken(source, record.line, "the record holds letters that are no residues")
        peptide = ReadPeptide(residues)
        if (reason := _why_of_length(peptide)) is not None:
            left_out[reason] += 1
            continue
        _add(found, peptide)
    return Peptides(tuple(found.values()), tuple(sorted(left_out.items())))
