"""tRNA and tmRNA genes, found by ARAGORN.

ARAGORN looks for the fold: B box, T arm, acceptor stem, anticodon arm. It needs no
models, and names a tRNA by the codon that its anticodon reads in the genetic code.

Source: Laslett & Canback 2004, doi:10.1093/nar/gkh152 (through ``pyaragorn``).
"""

from __future__ import annotations

from importlib.metadata import version

from pyaragorn import ARAGORN_VERSION, TRANSLATION_TABLES, Gene, RNAFinder

from genint.model.interval import Strand
from genint.model.sequence import reverse_complement, stop_codons
from genint.rna.merge import RnaHit, SearchedContig, by_position

WHAT = "tRNA and tmRNA"
SHORTEST_BP = 50
"""No tRNA is shorter (the shortest of bacteria have 70 bp); ARAGORN divides by the length."""
_UNIT = "ARAGORN energy"
_USUAL_CODE = 11
_LONG_ARM_BP = 85
"""tRNA for selenocysteine have an acceptor and a long variable arm that make 90 to 101 bases
of them in bacteria (95 in E. coli); suppressors are made like the tRNA that they come from, and
those with an anticodon TCA are tryptophan's, of 72 to 77 bases."""
_THREE_LETTERS = 3
_WEAK_FOLD = 107.0
"""ARAGORN's energy below which a tRNA may be a remnant. Of 240 annotated tRNA of four bacteria
none has less (111 and more), of 22 annotated ones of five phages one has; the only two calls
in these bacteria that are not annotated have 104.5 and 105.8."""


def method() -> str:
    """Program and version, as results name it."""
    return f"ARAGORN {ARAGORN_VERSION} (pyaragorn {version('pyaragorn')})"


def find_trna(contig: SearchedContig) -> tuple[RnaHit, ...]:
    """Find tRNA and tmRNA genes of a contig, by position.

    Weaknesses: a tRNA with an intron is not found (few bacterial ones have one); a place
    that folds by chance is, about once in 5 Mb.

    Cost: 0.25 CPU s a megabase; O(length) memory.
    """
    if len(contig.bases) < SHORTEST_BP:
        return ()
    code = contig.code if contig.code in TRANSLATION_TABLES else _USUAL_CODE
    finder = RNAFinder(code, linear=True)
    name = method()
    found = (_hit(contig, gene, code, name) for gene in finder.find_rna(contig.text))
    return by_position(gene for gene in found if gene is not None)


def _hit(contig: SearchedContig, gene: Gene, code: int, name: str) -> RnaHit | None:
    start, end = gene.begin - 1, gene.end
    if not 0 <= start < end <= len(contig.text):
        return None  # a fold over an end that is none: ARAGORN pads lines
    interval = contig.place(start, end)
    if interval is None:
        return None
    strand = Strand(gene.strand)
    score = round(float(gene.energy), 1)
    if gene.type == "tmRNA":
        return RnaHit(
            interval, strand, "tmRNA", "transfer-messenger RNA", name, score, _UNIT,
            note=_tag(gene.peptide(), permuted=gene.permuted),
        )  # fmt: skip
    anticodon = gene.anticodon.upper()
    is_whole = len(anticodon) == _THREE_LETTERS and set(anticodon) <= set("ACGT")
    offset = gene.anticodon_offset - 1  # ARAGORN counts the bases of the gene from 1
    is_placed = is_whole and gene.sequence()[offset : offset + _THREE_LETTERS].upper() == anticodon
    product, note = _named(gene.amino_acid, anticodon, end - start, code, is_whole=is_whole)
    if score < _WEAK_FOLD:
        weak = f"Its fold is weak (energy {score:.1f}): it may be a remnant."
        note = f"{note} {weak}" if note else weak
    return RnaHit(
        interval, strand, "tRNA", product, name, score, _UNIT,
        anticodon=anticodon if is_whole else None, note=note,
        anticodon_offset=offset if is_placed else None,
    )  # fmt: skip


def _tag(peptide: str, *, permuted: bool) -> str:
    tag = peptide.rstrip("*")
    halves = "; its two halves are permuted" if permuted else ""
    return f"It marks unfinished proteins with the tag {tag}{halves}."


def _named(
    amino_acid: str, anticodon: str, length_bp: int, code: int, *, is_whole: bool
) -> tuple[str, str | None]:
    """Product and a remark on it."""
    if not is_whole:
        return "tRNA-OTHER", "Its anticodon cannot be determined: the loop has an unusual length."
    codon = reverse_complement(anticodon)
    if codon in stop_codons(code):
        if anticodon == "TCA" and length_bp >= _LONG_ARM_BP:
            return "tRNA-Sec", "It reads TGA, as selenocysteine where a SECIS element says so."
        other = ", or tRNA-Pyl of a host that makes pyrrolysine" if anticodon == "CTA" else ""
        return "tRNA-Sup", f"It reads the stop codon {codon}: a suppressor{other}."
    if anticodon == "CAT":
        return "tRNA-Met", "Or tRNA-Ile, where lysidine takes the place of the anticodon's C."
    if anticodon == "TCA" and length_bp >= _LONG_ARM_BP:
        return f"tRNA-{amino_acid}", "Its length is rather that of tRNA-Sec."
    return f"tRNA-{amino_acid}", None
