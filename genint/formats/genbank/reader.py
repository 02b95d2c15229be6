"""GenBank text -> contigs.

The id of a record is its accession without version (``NC_001416``), as in the
loci that genint prints; the LOCUS name where there is no accession or where
several records share one. Frame: :mod:`flatfile`; feature tables:
:mod:`features`; coordinates: :mod:`locations`; genes: :mod:`genes`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from genint.errors import FormatError
from genint.formats.fasta import Section, name_records, nucleotides, unique_names
from genint.formats.genbank.features import read_features
from genint.formats.genbank.flatfile import (
    RawFeature,
    RecordHeader,
    RecordText,
    read_header,
    split_records,
)
from genint.formats.genbank.genes import (
    FeatureRole,
    RecordContext,
    UnnamedFeature,
    build_gene,
    build_other,
    build_rna,
    classify_features,
    common_table,
    source_host,
    source_organism,
    source_taxon,
)
from genint.formats.genbank.locations import Shape
from genint.formats.genbank.translation import DEFAULT_TABLE
from genint.formats.warnings import ReadCode, WarningLog
from genint.model.genome import Contig, Gene, OtherFeature, RnaGene, Topology

_NO_NAMES = frozenset({"", ".", "unknown", "unk", "-"})
_MASTERS = {"WGS", "TSA", "TLS", "WGS_SCAFLD", "TSA_SCAFLD"}


class _Record(NamedTuple):
    text: RecordText
    header: RecordHeader
    bases: str


class _RecordFeatures(NamedTuple):
    context: RecordContext
    header: RecordHeader
    features: tuple[RawFeature, ...]
    unnamed: tuple[UnnamedFeature, ...]


def read_genbank(text: str, *, source: str, log: WarningLog) -> tuple[Contig, ...]:
    r"""Every record of a GenBank text, in file order.

    Args:
        text: With ``\n`` line ends and at least one LOCUS line.
        source: File name for errors.
        log: Gets a warning on everything mended or doubtful.

    Raises:
        FormatError: a protein record, a record of records (WGS, TSA master), letters
            that are no nucleotides, or not one record with a sequence.

    Cost: O(length), about 10 MB/s with all genes translated.
    """
    records: list[_Record] = []
    missing: tuple[RecordText, str] | None = None
    for piece in split_records(text, source=source, log=log):
        found = _read_record(piece, source, log)
        if isinstance(found, _Record):
            records.append(found)
        else:
            missing = missing or (piece, found)
    if not records:
        raise FormatError(
            source=source,
            line=missing[0].line if missing else None,
            reason=missing[1] if missing else "there is no record",
            cure="download the full record, with its sequence",
        )
    read = _read_features(records, source, log)
    names = _feature_names(read, log)
    return tuple(_contig(item, names, log) for item in read)


def refuse_other_records(head: str, *, source: str, is_whole: bool) -> None:
    r"""Stop at the records in the beginning of a text that :func:`read_genbank` refuses.

    One is enough: the reader takes no file that holds a protein or master record.

    Args:
        head: With ``\n`` line ends and at least one LOCUS line.
        source: File name for errors.
        is_whole: That is the whole text.

    Raises:
        FormatError: as the reader raises it.
    """
    *pieces, last = split_records(head, source=source, log=WarningLog())
    if is_whole:
        pieces.append(last)
    elif "\n" in last.header:  # the LOCUS line is all there; the sequence may come later
        pieces.append(last._replace(sequence=""))
    for piece in pieces:
        _refuse_other_records(read_header(piece), piece, source)


def _read_record(piece: RecordText, source: str, log: WarningLog) -> _Record | str:
    """The record, or why it has no sequence."""
    header = read_header(piece)
    _refuse_other_records(header, piece, source)
    label = header.name or f"the record in line {piece.line}"
    bases = ""
    if piece.sequence is not None:
        section = Section(piece.sequence, piece.sequence_line, label, source)
        bases = nucleotides(section, log=log, numbered=True)
    if not bases:
        if "CONTIG" in header.keywords:
            why = "it only lists the pieces that it is joined from (CONTIG)"
        elif piece.terminated:
            why = "it has no ORIGIN section with bases"
        else:
            why = "the file is cut off before it"
        reason = f"{label} has no sequence: {why}"
        log.add(ReadCode.RECORD_WITHOUT_SEQUENCE, f"{reason}.", line=piece.line)
        return reason
    _note_frame(header, piece, label, len(bases), log)
    return _Record(piece, header, bases)


def _refuse_other_records(header: RecordHeader, piece: RecordText, source: str) -> None:
    """Stop at records of the flat file format that hold no genome."""
    if header.unit == "aa":
        raise FormatError(
            source=source,
            line=piece.line,
            reason=f"{header.name} is a protein record (GenPept)",
            cure="give the nucleotide record that the protein is coded by",
        )
    if header.unit == "rc" or (header.keywords & _MASTERS and piece.sequence is None):
        raise FormatError(
            source=source,
            line=piece.line,
            reason=f"{header.name} is the master record of an assembly and holds no sequence",
            cure="download the records that it lists",
        )


def _note_frame(
    header: RecordHeader, piece: RecordText, label: str, length_bp: int, log: WarningLog
) -> None:
    """Warn of what the frame of a record says about lost text."""
    if not piece.terminated:
        log.add(
            ReadCode.MISSING_TERMINATOR,
            f"{label} ends without //; the file may be cut off.",
            line=piece.line,
        )
    if header.stated_bp is None:
        log.add(
            ReadCode.LOCUS_LINE,
            f"The LOCUS line of {label} does not give the length in its place.",
            line=piece.line,
        )
    elif header.stated_bp != length_bp:
        log.add(
            ReadCode.LENGTH_DIFFERS,
            f"The LOCUS line of {label} says {header.stated_bp} bp, the sequence has {length_bp}.",
            line=piece.line,
        )


def _read_features(
    records: Sequence[_Record], source: str, log: WarningLog
) -> list[_RecordFeatures]:
    read: list[_RecordFeatures] = []
    for contig, record in zip(_record_ids(records, log), records, strict=True):
        features = read_features(record.text, contig=contig, log=log)
        header = record.header
        shape = Shape(
            length_bp=len(record.bases),
            circular=header.topology is Topology.CIRCULAR,
            own_names=frozenset({header.name, header.accession, header.version} - {""}),
        )
        context = RecordContext(contig, record.bases, shape, source)
        unnamed = classify_features(features, context, log=log)
        read.append(_RecordFeatures(context, record.header, features, unnamed))
    return read


def _record_ids(records: Sequence[_Record], log: WarningLog) -> tuple[str, ...]:
    """Accession, else LOCUS name, else version, else a number; unique by suffix."""
    accessions = Counter(record.header.accession for record in records)
    stems: list[str] = []
    for number, record in enumerate(records, start=1):
        header = record.header
        name = _without_length(header, len(record.bases))
        shared = accessions[header.accession] > 1
        choices = (name, header.accession) if shared else (header.accession, name)
        stem = next(
            (text for text in (*choices, header.version) if text.lower() not in _NO_NAMES), ""
        )
        if not stem:
            stem = f"record_{number}"
            log.add(
                ReadCode.UNNAMED_RECORD,
                f"A record has no name and is called {stem}.",
                contig=stem,
                line=record.text.line,
            )
        stems.append("_".join(stem.split()))
    return name_records(stems, [record.text.line for record in records], log)


def _without_length(header: RecordHeader, length_bp: int) -> str:
    """The LOCUS name; long names grow together with the length behind them."""
    if header.stated_bp is None:
        return header.name.removesuffix(str(length_bp)) or header.name
    return header.name


def _feature_names(
    records: Sequence[_RecordFeatures], log: WarningLog
) -> dict[tuple[str, int], str]:
    """(contig, place among its features) -> name, unique in the whole genome.

    Genes choose first: an RNA of the same locus tag gets the suffix.
    """
    order = list(FeatureRole)
    queue = sorted(
        (
            (order.index(feature.kind), at, place, item.context.contig, feature)
            for at, item in enumerate(records)
            for place, feature in enumerate(item.unnamed)
        ),
        key=lambda entry: entry[:3],
    )
    names = unique_names([feature.stem for *_, feature in queue])
    for (_, _, _, contig, feature), name in zip(queue, names, strict=True):
        if name != feature.stem and feature.kind in (
            FeatureRole.CDS,
            FeatureRole.OPEN_READING_FRAME,
        ):
            log.add(
                ReadCode.DUPLICATE_GENE_ID,
                f"{feature.stem} is the name of several genes; this one is called {name}.",
                contig=contig,
                line=feature.feature.line,
            )
    return {
        (contig, place): name for (_, _, place, contig, _), name in zip(queue, names, strict=True)
    }


def _contig(item: _RecordFeatures, names: dict[tuple[str, int], str], log: WarningLog) -> Contig:
    stated_table = common_table(item.features)
    context = item.context
    genes: list[Gene] = []
    rna_genes: list[RnaGene] = []
    others: list[OtherFeature] = []
    untranslated = 0
    for place, feature in enumerate(item.unnamed):
        name = names[item.context.contig, place]
        if feature.kind is FeatureRole.RNA:
            rna_genes.append(build_rna(feature, name, contig=item.context.contig))
        elif feature.kind is FeatureRole.OTHER:
            others.append(build_other(feature, name, contig=item.context.contig))
        else:
            gene, lacks = build_gene(
                feature, name, context, table=stated_table or DEFAULT_TABLE, log=log
            )
            genes.append(gene)
            untranslated += lacks
    contig = item.context.contig
    if untranslated:
        text = f"{untranslated} CDS of {contig} have no translation; they were translated here."
        log.add(ReadCode.TRANSLATION_MISSING, text, contig=contig)
    header = item.header
    return Contig(
        id=item.context.contig,
        bases=context.bases,
        description=header.definition if header.definition != "." else "",
        topology=header.topology or Topology.LINEAR,
        topology_stated=header.topology is not None,
        translation_table=stated_table,
        molecule_type=header.molecule_type,
        organism=header.organism or source_organism(item.features),
        lineage=header.lineage,
        taxon_id=source_taxon(item.features),
        host=source_host(item.features),
        genes=tuple(genes),
        rna_genes=tuple(rna_genes),
        other_features=tuple(others),
    )
