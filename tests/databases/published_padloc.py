"""PADLOC-DB as it is published, of a few proteins and systems that were made up."""

from __future__ import annotations

import gzip
import io
import re
import tarfile
from collections.abc import Mapping
from pathlib import Path

from pyhmmer.easel import Alphabet, TextMSA, TextSequence
from pyhmmer.plan7 import Background, Builder

from tests.databases.published_formats import made_domain

ARCHIVE = "padloc-db.tar.gz"
PROTEINS = ("MadA", "MadB", "MadC", "MadX")
_DOMAINS = dict(zip(PROTEINS, (51, 52, 53, 54), strict=True))
_COLUMNS = (
    *("hmm.accession", "hmm.name", "hmm.description", "protein.name", "secondary.name", "author"),
    *("e.val.threshold", "hmm.coverage.threshold", "target.coverage.threshold"),
    *("literature.ref", "database.ref", "comment"),
)


def defence_domain(protein: str) -> str:
    """The residues that the profile of a made-up protein recognises."""
    return made_domain(_DOMAINS[protein])


def defence_profile(protein: str) -> bytes:
    """A profile in HMMER3 text, made of an alignment of two sequences."""
    domain = defence_domain(protein)
    rows = [
        TextSequence(name=name, sequence=residues)
        for name, residues in (("one", domain), ("other", f"{domain[:10]}A{domain[11:]}"))
    ]
    alphabet = Alphabet.amino()
    alignment = TextMSA(name=f"{protein}_1", sequences=rows).digitize(alphabet)
    profile, _, _ = Builder(alphabet, seed=42).build_msa(alignment, Background(alphabet))
    profile.command_line = None  # that of this process
    profile.accession = f"PDLC9{_DOMAINS[protein]:04}"
    profile.description = f"Made-up protein {protein}"
    text = io.BytesIO()
    profile.write(text)
    lines = text.getvalue().splitlines(keepends=True)
    return b"".join(line for line in lines if not line.startswith(b"DATE"))


def definition(**changed: object) -> bytes:
    """A definition of a system in YAML; lists are genes, missing ones are written NA."""
    values = {
        "force_strand": "FALSE",
        "maximum_separation": 1,
        "minimum_core": 2,
        "minimum_total": 2,
        "core_genes": ["MadA", "MadB"],
        "secondary_genes": ["mad_helpers"],
        "neutral_genes": ["NA"],
        "prohibited_genes": ["MadX"],
    } | changed
    lines = []
    for name, value in values.items():
        if isinstance(value, list):
            lines += [f"{name}:", *(f"  - {item}" for item in value)]
        else:
            lines.append(f"{name}: {value}")
    return ("\n".join(lines) + "\n").encode()


def padloc_members() -> dict[str, bytes]:
    """Path in the archive -> content."""
    rows = [
        (
            *(f"PDLC9{_DOMAINS[name]:04}", f"{name}_1", f"Made-up protein {name}", f"{name}|Mad"),
            *("mad_helpers" if name == "MadC" else "NA", "Nobody"),
            *(("1.00E-05", "0.5", "0.3") if name != "MadX" else ("NA", "NA", "NA")),
            *("NA", "NA", "NA"),
        )
        for name in PROTEINS
    ]
    profiles = "".join("\t".join(row) + "\n" for row in (_COLUMNS, *rows))
    systems = (
        "system\tyaml.name\tsearch\tcomment\treferences\tgroup\tfill\tstroke\n"
        "Mad Type I\tmad_type_I\tTRUE\tNA\tNA\tDMS\t#FFFFFF\t#000000\n"
        "Mad (other)\tmad_other\tTRUE\tNA\tNA\tPDC\t#FFFFFF\t#000000\n"
        "Adjacent protein\tadjacent\tFALSE\tNA\tNA\tNA\t#FFFFFF\t#000000\n"
    )
    other = definition(minimum_core=1, minimum_total=1, core_genes=["Mad"], secondary_genes=["NA"])
    return {
        "LICENSE": b"MIT License\n",
        "RELEASE.md": b"# PADLOC-DB release v2.0.0\n",
        "hmm/._PDLC90051.hmm": b"hidden by an operating system",
        **{f"hmm/PDLC9{_DOMAINS[name]:04}.hmm": defence_profile(name) for name in PROTEINS},
        "hmm_meta.txt": profiles.encode(),
        "sys_meta.txt": systems.encode(),
        "sys/mad_type_I.yaml": definition(),
        "sys/mad_other.yaml": other,
    }


def archive(members: Mapping[str, bytes], folder: str = "padloc-db-2.0.0") -> bytes:
    """The archive of some files, the same bytes every time."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as tar:
        for path, content in members.items():
            member = tarfile.TarInfo(f"{folder}/{path}")
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return gzip.compress(plain.getvalue(), mtime=0)


def sample(reference: Path) -> dict[str, bytes]:
    """The members of an archive of the real profiles at hand, with all definitions."""
    text = gzip.decompress((reference / "padloc" / "sample_200.hmm.gz").read_bytes())
    profiles = [part + b"//\n" for part in text.split(b"//\n") if part.strip()]
    names = [re.search(rb"(?m)^NAME +(\S+)", profile)[1].decode() for profile in profiles]
    header, *rows = (reference / "padloc" / "hmm_meta.txt").read_text().split("\n")
    known = [row for row in rows if row.count("\t") and row.split("\t")[1] in names]
    members = {f"hmm/{at:04}.hmm": profile for at, profile in enumerate(profiles)}
    members["hmm_meta.txt"] = "\n".join((header, *known)).encode()
    members["sys_meta.txt"] = (reference / "padloc" / "sys_meta.txt").read_bytes()
    with tarfile.open(reference / "padloc" / "sys.tar.gz") as tar:
        members |= {
            member.name: tar.extractfile(member).read() for member in tar if member.isfile()
        }
    return members
