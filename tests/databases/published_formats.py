"""Writers of the formats in which databases are published, for tests."""

from __future__ import annotations

import gzip
import io
import random
from collections.abc import Iterable

from pyhmmer.easel import Alphabet, TextSequence
from pyhmmer.plan7 import Background, Builder

_LINE = 60
_MADE_LENGTH = 24


def packed(content: bytes) -> bytes:
    """Compressed, the same bytes every time."""
    return gzip.compress(content, mtime=0)


def made_domain(number: int) -> str:
    """The residues that the profile of a made-up family is made of."""
    length = _MADE_LENGTH + number
    return "".join(random.Random(number).choices("ACDEFGHIKLMNPQRSTVWY", k=length))


def made_profiles(count: int, *, gathering: bool = True) -> bytes:
    """Profiles of made-up families in HMMER3 text, PF90001.1 and so on."""
    text = io.BytesIO()
    builder, background = Builder(Alphabet.amino(), seed=42), Background(Alphabet.amino())
    for number in range(1, count + 1):
        protein = TextSequence(name="made", sequence=made_domain(number))
        profile, _, _ = builder.build(protein.digitize(Alphabet.amino()), background)
        profile.command_line = None  # that of this process
        profile.name = f"Made_{number}"
        profile.accession = f"PF{90_000 + number}.1"
        profile.description = f"Made-up domain {number}"
        if gathering:
            profile.cutoffs.gathering = (20.0 + number, 20.5)
        profile.write(text)
    # HMMER notes when a profile was made.
    lines = text.getvalue().splitlines(keepends=True)
    return b"".join(line for line in lines if not line.startswith(b"DATE"))


def pfam_files(profiles: bytes) -> dict[str, bytes]:
    """Profiles with the tables that are published beside them."""
    families = _described(profiles)
    blocks = "".join(
        f"# STOCKHOLM 1.0\n#=GF ID   {name}\n#=GF AC   {accession}\n#=GF DE   {name} domain\n"
        f"#=GF GA   25.00; 25.00;\n#=GF TP   {'Domain' if number % 2 else 'Family'}\n"
        f"#=GF ML   {length}\n" + (f"#=GF CL   CL{number:04}\n" if number % 3 else "") + "//\n"
        for number, (accession, name, length) in enumerate(families, start=1)
    )
    clans = "".join(
        f"{accession.partition('.')[0]}\t{f'CL{number:04}' if number % 3 else ''}\t"
        f"{f'Clan_{number}' if number % 3 else ''}\t{name}\t{name} domain\n"
        for number, (accession, name, _) in enumerate(families, start=1)
    )
    return {
        "Pfam-A.hmm.gz": packed(profiles),
        "Pfam-A.hmm.dat.gz": packed(blocks.encode()),
        "Pfam-A.clans.tsv.gz": packed(clans.encode()),
    }


def _described(profiles: bytes) -> list[tuple[str, str, str]]:
    """Accession, name and length of each profile of a text."""
    found, now = [], {}
    for line in profiles.decode().splitlines():
        tag, _, value = line.partition(" ")
        if tag in {"ACC", "NAME", "LENG"}:
            now[tag] = value.strip()
        elif line == "//":
            found.append((now["ACC"], now["NAME"], now["LENG"]))
            now = {}
    return found


def swissprot_entry(
    accession: str, name: str, residues: str, *, symbol: str = "", ec: str = ""
) -> str:
    """An entry of the flat file."""
    gene = f"GN   Name={symbol};\n" if symbol else ""
    number = f"DE            EC={ec};\n" if ec else ""
    rows = [residues[start : start + _LINE] for start in range(0, len(residues), _LINE)]
    spaced = (" ".join(row[at : at + 10] for at in range(0, len(row), 10)) for row in rows)
    return (
        f"ID   {accession}_MADE{'':12}Reviewed;{len(residues):>12} AA.\nAC   {accession};\n"
        f"DE   RecName: Full={name};\n{number}{gene}OS   Escherichia coli.\n"
        "DR   GO; GO:0003677; F:DNA binding; IEA:InterPro.\nDR   Pfam; PF90001; Made_1; 1.\n"
        "PE   1: Evidence at protein level;\n"
        f"SQ   SEQUENCE   {len(residues)} AA;  11111 MW;  0123456789ABCDEF CRC64;\n"
        + "".join(f"     {row}\n" for row in spaced)
        + "//\n"
    )


def ontology(release: str, terms: Iterable[tuple[str, str, str]], *stanzas: str) -> bytes:
    """An ontology of terms (id, name, aspect) and further stanzas."""
    header = f"format-version: 1.2\ndata-version: releases/{release}\nontology: go\n"
    made = (
        f"[Term]\nid: {term}\nname: {name}\nnamespace: {aspect}\n" for term, name, aspect in terms
    )
    return "\n".join([header, *made, *stanzas]).encode()


def mapped(prefix: str, pairs: Iterable[tuple[str, str]]) -> bytes:
    """An external2go file."""
    lines = (f"{prefix}:{key} Made > GO:some term ; {term}\n" for key, term in pairs)
    return ("!version date: 2026/06/15\n!\n" + "".join(lines)).encode()
