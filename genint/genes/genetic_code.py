"""Which genetic code a contig is written in, and why we think so.

A stop codon that is read as an amino acid cuts genes to pieces under code 11. So the
same models are searched twice: once as they are, once with that codon freed (it then
weighs nothing for or against coding). Only where the genome is recoded do the calls
explain more of it. What TGA means shows in how often it is used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from genint.genes.prodigal import STANDARD_CODE, Call, Search, is_known_code, recoded, search_with
from genint.model.genome import Contig, ReadWarning, RnaGene
from genint.model.interval import Location
from genint.model.sequence import extract, reverse_complement

MIN_TEXT_BP = 4_000
"""Shorter texts hold too few genes: of 2 kb pieces of code-11 genomes some would pass."""
_TGA_READ, _TAG_READ = 4, 15
_GLYCINE_CODE = 25
_FREED_CODON = {_TGA_READ: "TGA", _TAG_READ: "TAG", _GLYCINE_CODE: "TGA"}
_CODE_NAMES = {
    4: "TGA is read as tryptophan",
    15: "TAG is read as glutamine",
    25: "TGA is read as glycine",
}
# A code must explain more by all four. Measured with the freed codon neutral: recoded
# genomes (SpV4, M. mycoides, a code-4 and a code-15 phage) gain 5 % to 85 % of score, 0.05 to
# 0.35 of coding density and 1.25 to 2.9 times the gene length; thirteen code-11 phages and
# plasmids, three bacteria and 100 microviruses lose score, but for single pieces below 20 kb,
# whose genes grow by less than this.
_MIN_SCORE_GAIN = 0.03
_MIN_DENSITY_GAIN = 0.03
_MIN_LENGTH_RATIO = 1.10
_MIN_FREED_CODONS = 5
_FULL = 0.93
"""Density from which no other code is tried: genes of recoded genomes cover 0.5 to 0.88 of them
under code 11."""
_MAX_TRYPTOPHAN_SHARE = 0.025
"""Tryptophan is 1.0 to 1.6 % of the residues of the code-4 genomes measured; glycine is 5 to
8 % of proteins, and where TGA is one of its codons TGA and TGG together exceed this."""

RECODED = "recoded"
"""Code of the warning on a contig whose genetic code is another than the file says or 11."""


@dataclass(frozen=True, slots=True)
class Code:
    """A genetic code and the reason for it, in plain words."""

    number: int
    reason: str


@dataclass(frozen=True)
class _Explained:
    """What sets of calls explain of their texts."""

    pieces: Sequence[tuple[str, Sequence[Call]]]
    text_bp: int
    coding_bp: int
    genes: int
    score: float

    @property
    def density(self) -> float:
        return self.coding_bp / self.text_bp

    @property
    def mean_gene_bp(self) -> float:
        return self.coding_bp / max(1, self.genes)

    @cached_property
    def codons(self) -> Counter[str]:
        """How often the genes read each codon."""
        read: Counter[str] = Counter()
        for text, calls in self.pieces:
            for call in calls:
                read.update(_inner_codons(text, call))
        return read

    @property
    def tryptophan_share(self) -> float:
        """TGA and TGG among all codons: what tryptophan would be if TGA were one of its."""
        return (self.codons["TGA"] + self.codons["TGG"]) / max(1, self.codons.total())


def stated_code(contig: Contig) -> Code | None:
    """The code that the file's own features use; 11 where the gene finder does not know that."""
    number = contig.translation_table
    if number is None:
        return None
    if is_known_code(number):
        return Code(number, "as the file says")
    return Code(
        STANDARD_CODE,
        f"the file says code {number}, which the gene finder does not know; 11 taken instead",
    )


def infer_genetic_code(pieces: Sequence[tuple[str, Search]]) -> Code:
    """Choose between codes 11, 4, 15 and 25.

    Args:
        pieces: Texts of one genome and what the models of code 11 found on each.

    Returns:
        The code and the figures that support it.

    Cost: two more searches with one model each: about 0.1 CPU s per megabase and model.
    """
    pieces = [(text, found) for text, found in pieces if found.chosen is not None]
    total_bp = sum(len(text) for text, _ in pieces)
    if total_bp < MIN_TEXT_BP:
        return Code(STANDARD_CODE, "the usual code; too little coding sequence to tell")
    usual = _explained([(text, found.calls) for text, found in pieces])
    if usual.density >= _FULL:
        return Code(STANDARD_CODE, _full_reason(usual))
    rivals = {
        code: _explained(
            [(text, search_with(text, recoded(found.chosen, code)).calls) for text, found in pieces]
        )
        for code in (_TGA_READ, _TAG_READ)
    }
    better = [code for code in rivals if _explains_more(rivals[code], usual, code)]
    if not better:
        return Code(STANDARD_CODE, _usual_reason(usual, rivals))
    code = max(better, key=lambda code: rivals[code].score)
    if code == _TGA_READ and rivals[code].tryptophan_share > _MAX_TRYPTOPHAN_SHARE:
        return Code(_GLYCINE_CODE, _recoded_reason(usual, rivals[code], _GLYCINE_CODE))
    return Code(code, _recoded_reason(usual, rivals[code], code))


def _explained(pieces: Sequence[tuple[str, Sequence[Call]]]) -> _Explained:
    calls = [call for _, calls in pieces for call in calls]
    return _Explained(
        pieces=pieces,
        text_bp=sum(len(text) for text, _ in pieces),
        coding_bp=sum(len(call.interval) for call in calls),
        genes=len(calls),
        score=sum(call.scores.total for call in calls),
    )


def _inner_codons(text: str, call: Call) -> list[str]:
    """Codons of a gene without its last one."""
    bases = extract(text, Location.simple(call.interval, call.strand))
    return [bases[at : at + 3] for at in range(0, len(bases) - 3, 3)]


def _explains_more(rival: _Explained, usual: _Explained, code: int) -> bool:
    return (
        rival.score >= usual.score * (1 + _MIN_SCORE_GAIN)
        and rival.density >= usual.density + _MIN_DENSITY_GAIN
        and rival.mean_gene_bp >= usual.mean_gene_bp * _MIN_LENGTH_RATIO
        and rival.codons[_FREED_CODON[code]] >= _MIN_FREED_CODONS
    )


def _usual_reason(usual: _Explained, rivals: dict[int, _Explained]) -> str:
    tested = " and ".join(
        f"{'less' if rival.score < usual.score else 'hardly more'} with {_FREED_CODON[code]} read"
        f" through ({_change(rival.score, usual.score)} of score)"
        for code, rival in rivals.items()
    )
    return f"the usual code explains {usual.density:.0%} of the bases, {tested}"


def _full_reason(usual: _Explained) -> str:
    return f"the usual code explains {usual.density:.0%} of the bases, as hardly another could"


def _recoded_reason(usual: _Explained, rival: _Explained, code: int) -> str:
    freed = _FREED_CODON[code]
    reason = (
        f"{_CODE_NAMES[code]}: {rival.codons[freed]} {freed} codons lie inside genes that go on;"
        f" coding density {rival.density:.0%} instead of {usual.density:.0%} under code 11,"
        f" mean gene {rival.mean_gene_bp:.0f} instead of {usual.mean_gene_bp:.0f} bp,"
        f" score {_change(rival.score, usual.score)}"
    )
    if freed != "TGA":
        return reason
    bound = "at most" if code == _TGA_READ else "more than"
    return (
        f"{reason}; TGA and TGG are {rival.tryptophan_share:.1%} of codons,"
        f" {bound} the {_MAX_TRYPTOPHAN_SHARE:.1%} that tryptophan can be"
    )


def _change(value: float, reference: float) -> str:
    return f"{(value - reference) / max(1.0, abs(reference)):+.0%}"


def with_suppressors(contig: Contig, rna_genes: Iterable[RnaGene]) -> Contig:
    """A contig whose reason for its genetic code says which tRNA reads the freed codon.

    The code is inferred before RNA is searched for, so this is evidence beside that of the
    genes: it completes the reason and changes nothing. A phage may do without, where its
    host reads the codon.

    Args:
        contig: After the search for genes.
        rna_genes: Found on it.
    """
    calling = contig.calling
    if calling is None or contig.translation_table or calling.translation_table == STANDARD_CODE:
        return contig
    freed = _FREED_CODON.get(calling.translation_table)
    if freed is None:
        return contig
    anticodon = reverse_complement(freed)
    readers = [rna for rna in rna_genes if rna.kind == "tRNA" and rna.anticodon == anticodon]
    if readers:
        places = ", ".join(_place(rna, len(contig)) for rna in readers)
        found = f"{len(readers)} tRNA with the anticodon {anticodon}, which reads {freed}: {places}"
    else:
        found = f"no tRNA with the anticodon {anticodon}, which reads {freed}, was found on it"
    reason = f"{calling.code_reason}; {found}"
    return replace(contig, calling=replace(calling, code_reason=reason))


def _place(rna: RnaGene, contig_bp: int) -> str:
    first, last = rna.location.span.one_based(contig_bp)
    return f"{rna.product} at {first:,} to {last:,}"


def recoded_warnings(contigs: Iterable[Contig]) -> tuple[ReadWarning, ...]:
    """One remark on every contig whose code is another than 11 although the file does not say so.

    Args:
        contigs: After the search, with what was decided on.
    """
    return tuple(
        ReadWarning(
            RECODED,
            f"genetic code {contig.calling.translation_table} was chosen, the file gives none: "
            f"{contig.calling.code_reason}",
            contig.id,
        )
        for contig in contigs
        if contig.calling is not None
        and contig.translation_table is None
        and contig.calling.translation_table != STANDARD_CODE
    )
