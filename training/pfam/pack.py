"""Make the profile pack and its tables: ``python -m training.pfam.pack --help``.

Keeps the families that occur in prokaryotes (seen in a survey of genomes) or hit a
protein of a phage or bacterium at their gathering threshold, and writes to
``genint/knowledge/data`` the quantised profiles, a table of the families, and the GO
terms that they name.
The same input gives the same bytes.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import os
import warnings
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pyhmmer
from Bio import BiopythonParserWarning, SeqIO
from pyhmmer.easel import Alphabet, DigitalSequenceBlock, TextSequence
from pyhmmer.plan7 import HMM, HMMFile

from genint.knowledge import profile_pack, table_files
from training.pfam import gecco_wheel

OUTPUT = Path(__file__).resolve().parents[2] / "genint" / "knowledge" / "data"
PFAM_RELEASE = "35.0"


def main() -> None:
    """Fetch, select, pack, write, and say what was done."""
    options = _options()
    source = gecco_wheel.unpack(options.work, options.wheel)
    with HMMFile(source / gecco_wheel.PROFILES) as models:
        profiles = sorted(models, key=accession)
    print(f"{len(profiles)} families of Pfam {PFAM_RELEASE}")
    kept = select(profiles, options.occurrence, proteins(options.proteins, options.genomes))
    packed = profile_pack.encode(kept)
    (OUTPUT / table_files.PFAM_PACK).write_bytes(packed)
    digest = table_files.read_header(packed).digest
    print(f"wrote {table_files.PFAM_PACK}: {len(packed) / 1e6:.2f} MB, digest {digest}")
    write_tables(kept, source / gecco_wheel.INTERPRO)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="folder for downloads")
    parser.add_argument("--wheel", type=Path, help="the gecco wheel, if it is here already")
    parser.add_argument(
        "--occurrence", type=Path, required=True, help="TSV with a column 'pfam' of families seen"
    )
    parser.add_argument(
        "--proteins",
        type=Path,
        nargs="*",
        default=[],
        help="gzipped FASTA of proteins of phages and bacteria",
    )
    parser.add_argument(
        "--genomes", type=Path, nargs="*", default=[], help="GenBank files of phages, translated"
    )
    return parser.parse_args()


def accession(profile: HMM) -> str:
    """Accession without version."""
    return str(profile.accession).partition(".")[0]


def proteins(fasta: Iterable[Path], genbank: Iterable[Path]) -> Iterator[str]:
    """Residues of all proteins of the files."""
    for path in fasta:
        with gzip.open(path, "rt", encoding="utf-8") as stream:
            for record in SeqIO.parse(stream, "fasta"):
                yield str(record.seq)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BiopythonParserWarning)  # odd LOCUS lines
        for path in genbank:
            for record in SeqIO.parse(path, "genbank"):
                for feature in record.features:
                    yield from feature.qualifiers.get("translation", ())


def select(profiles: list[HMM], occurrence: Path, others: Iterable[str]) -> list[HMM]:
    """The profiles that occur in prokaryotes or their phages, in their order."""
    with occurrence.open(encoding="utf-8") as stream:
        seen = {row["pfam"] for row in csv.DictReader(stream, delimiter="\t")}
    rare = [profile for profile in profiles if accession(profile) not in seen]
    residues = sorted({protein.replace("*", "X") for protein in others if protein})
    print(f"{len(profiles) - len(rare)} families occur in the surveyed genomes of prokaryotes")
    alphabet = Alphabet.amino()
    block = DigitalSequenceBlock(
        alphabet,
        (
            TextSequence(name=str(at), sequence=protein).digitize(alphabet)
            for at, protein in enumerate(residues)
        ),
    )
    searches = pyhmmer.hmmer.hmmsearch(
        rare, block, cpus=os.cpu_count() or 1, bit_cutoffs="gathering", Z=len(rare), domZ=len(rare)
    )
    found = {accession(hits.query) for hits in searches if len(hits.included)}
    print(
        f"{len(found)} of the other {len(rare)} hit one of {len(residues)} proteins of phages "
        f"and bacteria; dropped {len(rare) - len(found)}"
    )
    return [profile for profile in profiles if accession(profile) in seen | found]


def write_tables(profiles: list[HMM], interpro: Path) -> None:
    """Write the table of families and the table of GO terms that it refers to."""
    entries = json.loads(interpro.read_text(encoding="utf-8"))
    entry_of = {member: entry for entry in entries for member in entry["members"]}
    newest = max(entry["accession"] for entry in entries)
    terms: dict[str, tuple[str, str]] = {}
    heading = "accession name length_aa gathering_bits interpro type interpro_name go description"
    rows = []
    for profile in profiles:
        entry = entry_of.get(accession(profile), {})
        go = sorted(entry.get("go_terms", ()), key=lambda term: str(term["accession"]))
        terms.update({term["accession"]: (term["namespace"], term["name"]) for term in go})
        rows.append(
            (
                str(profile.accession),
                profile.name,
                str(profile.M),
                f"{profile.cutoffs.gathering1:.2f}",
                entry.get("accession", ""),
                entry.get("type", ""),
                entry.get("name", ""),
                " ".join(term["accession"] for term in go),
                profile.description,
            )
        )
    _write(
        table_files.PFAM_FAMILIES,
        f"Pfam {PFAM_RELEASE} (CC0): families in the profile pack; InterPro entries up to "
        f"{newest} (CC0) and their GO terms (CC BY 4.0), from gecco {gecco_wheel.VERSION}",
        heading,
        rows,
    )
    _write(
        table_files.GO_TERMS,
        "Gene Ontology terms (CC BY 4.0, doi:10.1093/genetics/iyad031) of those families",
        "id namespace name",
        [(term, *terms[term]) for term in sorted(terms)],
    )


def _write(name: str, comment: str, heading: str, rows: Sequence[tuple[str, ...]]) -> None:
    lines = [f"# {comment}", heading.replace(" ", "\t"), *("\t".join(row) for row in rows)]
    (OUTPUT / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"wrote {name}: {len(rows)} rows")


if __name__ == "__main__":
    main()
