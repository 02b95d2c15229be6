"""FASTA headers of proteins -> what they tell of the protein.

Four ways of writing one are known by their form: that of UniProt (``>sp|P12345|NAME_ORG
Product OS=...``), that of NCBI (``product [Organism]``, or ``[gene=...] [protein=...]`` of
coding sequences), that of Prokka's databases (``>id EC~~~gene~~~product~~~COG``), and plain
``>id product``.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from genint.formats.fasta import record_id

_MAX_CHARACTERS = 4_000
"""Of a header in which anything is looked for; names of products have some hundred."""
_UNIPROT_ID = re.compile(r"(?:sp|tr)\|([A-Z0-9]{6,10}(?:-\d+)?)\|\S+", re.IGNORECASE)
_UNIREF_ID = re.compile(r"UniRef\d+_(\S+)")
_UNIPROT_FIELD = re.compile(r"(?:^|\s)(OS|OX|GN|PE|SV)=")
_UNIREF_FIELD = re.compile(r"\s(n|Tax|TaxID|RepID)=")
_BRACKETED_FIELD = re.compile(
    r"\[(gene|locus_tag|protein|protein_id|db_xref|EC_number|organism|product)=((?:[^\[\]]|\[[^\[\]]*\])*)\]"
)
_ORGANISM = re.compile(r"\s*\[((?:[^\[\]]|\[[^\[\]]*\])+)\]$")
_FLAG = re.compile(r"^(?:MULTISPECIES|UNVERIFIED(?:_\w+)?|RecName: Full|SubName: Full)\s*[:=]\s*")
_EC = re.compile(r"\b\d+\.(?:\d+|-)\.(?:\d+|-)\.(?:n?\d+|-)(?![\d.])")
_COG = re.compile(r"\bCOG\d{4}\b|^[A-Z]$")
_COLUMNS = "~~~"
_MOST_COLUMNS = 4


class ToldProtein(NamedTuple):
    """What a header tells; empty where it does not."""

    accession: str
    name: str = ""
    symbol: str = ""
    organism: str = ""
    ec: tuple[str, ...] = ()
    cog: str = ""
    existence: int | None = None


def read_header(header: str) -> ToldProtein:
    """What a header tells of its protein.

    Args:
        header: Without ``>``.

    Returns:
        Its accession, empty where the header is, and whatever else is told.

    Cost: some 5 us.
    """
    words = header[:_MAX_CHARACTERS].strip().split(None, 1)
    if not words:
        return ToldProtein("")
    rest = " ".join(words[1].split()) if len(words) > 1 else ""
    uniprot = _UNIPROT_ID.fullmatch(words[0])
    if uniprot or (_UNIPROT_FIELD.search(rest) and "OS=" in rest):
        return _of_uniprot(uniprot[1] if uniprot else words[0], rest)
    uniref = _UNIREF_ID.fullmatch(words[0])
    if uniref:
        return _of_uniref(words[0], rest)
    accession = record_id(words[0]).strip("|")
    if rest.count(_COLUMNS) > 1:
        return _of_columns(accession, rest)
    fields = dict(reversed(_BRACKETED_FIELD.findall(rest)))
    if "protein" in fields or "product" in fields or "protein_id" in fields:
        return _of_fields(accession, rest, fields)
    return _of_ncbi(accession, rest)


def _of_uniprot(accession: str, rest: str) -> ToldProtein:
    name, *pieces = _UNIPROT_FIELD.split(rest)
    fields = dict(zip(pieces[::2], pieces[1::2], strict=True))
    level = fields.get("PE", "").strip()
    return ToldProtein(
        accession,
        name=name.strip(),
        symbol=fields.get("GN", "").strip(),
        organism=fields.get("OS", "").strip(),
        existence=int(level) if level in set("12345") else None,
    )


def _of_uniref(accession: str, rest: str) -> ToldProtein:
    name, *pieces = _UNIREF_FIELD.split(f" {rest}")
    fields = dict(zip(pieces[::2], pieces[1::2], strict=True))
    name = name.strip().removeprefix("Cluster: ")
    return ToldProtein(accession, name=name, organism=fields.get("Tax", "").strip())


def _of_columns(accession: str, rest: str) -> ToldProtein:
    columns = [column.strip() for column in rest.split(_COLUMNS)] + [""] * _MOST_COLUMNS
    ec, symbol, name, cog = columns[:_MOST_COLUMNS]
    return ToldProtein(
        accession,
        name=name,
        symbol=symbol,
        ec=tuple(dict.fromkeys(_EC.findall(ec))),
        cog=_cog(cog),
    )


def _of_fields(accession: str, rest: str, fields: dict[str, str]) -> ToldProtein:
    return ToldProtein(
        fields.get("protein_id") or accession,
        name=_bare(fields.get("protein") or fields.get("product", "")),
        symbol=fields.get("gene", ""),
        organism=fields.get("organism", ""),
        ec=tuple(dict.fromkeys(_EC.findall(fields.get("EC_number", "")))),
        cog=_cog(" ".join(value for name, value in _BRACKETED_FIELD.findall(rest) if "x" in name)),
    )


def _of_ncbi(accession: str, rest: str) -> ToldProtein:
    organism = _ORGANISM.search(rest)
    if organism is None:
        return ToldProtein(accession, name=_bare(rest))
    name = _bare(rest[: organism.start()])
    return ToldProtein(accession, name=name, organism=organism[1].removeprefix("organism="))


def _bare(name: str) -> str:
    """A name without the flags of RefSeq in front."""
    return _FLAG.sub("", name.strip())


def _cog(text: str) -> str:
    found = _COG.search(text)
    return found[0] if found else ""
