"""Doubts about a name: what speaks against it although no other evidence contradicts it.

A protein may be far too short for its name, the name may be one of eukaryotes, of what no phage has
or one that the file denies, the audit may contradict the file's name, or the gene may be a tiny
frame that nothing but the gene finder speaks for. Each doubt lowers the score of the hypothesis and
is listed among its uncertainties in the same words.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple

from genint.interpret.claims import ScoringModel
from genint.knowledge.distinctions import denies
from genint.knowledge.foreign_names import foreign_function, no_phage_word
from genint.knowledge.name_lengths import UsualLength, usual_length
from genint.knowledge.products import Product
from genint.model.evidence import Evidence
from genint.model.genome import Contig, Gene
from genint.model.interpretation import ScoreTerm
from genint.model.vocabulary import EvidenceType, GenomeKind, Specificity

TOO_SHORT: Final = "too_short_for_name"
FOREIGN: Final = "name_of_eukaryotes"
NO_PHAGE: Final = "name_of_no_phage"
DENIED: Final = "denied_by_file"
TINY: Final = "tiny_frame"
CONTRADICTED: Final = "contradicted_by_audit"
"""Classes of doubts; the parameters say how often the claim is wrong where one is raised."""
LOW_AT_MOST: Final = frozenset({TOO_SHORT, NO_PHAGE, CONTRADICTED})
"""Doubts that leave a name LOW at most, however many have copied it."""

_FAR_SHORTER = 0.5
"""Share of what nearly all proteins of a name reach: below, hardly any room for the function is
left, while a domain less, or another start, is above."""
_MUCH_SHORTER, _ENOUGH_COUNTED = 2 / 3, 20
"""The same for names that the file alone gives, or one annotator; and how many proteins of the name
must have been counted. Of 13 such names in 22 records, read one by one, ten were of fragments or
wrong (a transaldolase of 125 residues in a prophage), two were open, one (PsiE) was right."""
_NO_ROOM = 0.25
"""Share below which families of such short proteins do not lift the doubt: annotators took the name
over from a symbol (TreA of a phage's terminal repeat is no trehalase) or from one another."""
_TINY_AA = 40
"""Residues below which frames without a ribosome binding site are mostly chance."""
_NAMES = frozenset({Specificity.PROTEIN, Specificity.FAMILY})
_CLASSES = _NAMES | {Specificity.CATEGORY}
"""What says of a whole protein what it is; a class (MFS transporter) has its lengths too."""
_ONE_OF_A_KIND = ("major ", "portal protein")
"""Begin the names of what a phage has one of. Staphylococcal phages have up to four genes that
were named after the major tail protein, three of them of 75 to 105 residues."""
_OF_MICROVIRUSES = frozenset(
    {"major_spike_protein", "minor_spike_protein", "internal_scaffolding_protein"}
)
"""Products (id) of microviruses alone."""
_LONGEST_MICROVIRUS_BP = 8_000
"""Microviruses have 4 to 7 kb, the smallest known phages with a tail 11."""
_OF_TAILED_PHAGES = re.compile(
    r"\b(?:terminase|portal|tail|tape measure|baseplate)\b", re.IGNORECASE
)
_HALF = 0.5
"""A domain that covers this share of the protein and less of its own profile is cut off itself."""
_WHOLE_PROTEIN, _WHOLE_REFERENCE = 0.6, 0.7
"""Shares of the protein, and of profile or entry, from which both have one length."""
_FEW_NAMES = 2
"""Named members below which a family may have its name from one error."""
LONE: Final = "_lone"
"""Ends the classes of families all of whose names come from one kind of source."""
_PIECE = re.compile(
    r"\b(?:fragment|partial|truncated|incomplete|remnant|leader|[nc][- ]?termin\w+|domain|split"
    r"|interrupted|degenerate)",
    re.IGNORECASE,
)
"""Names that say themselves that the protein is a piece."""
_ONE_OF_SEVERAL = re.compile(r"(?<!subunit )\b(?:orf ?)?[a-d]$", re.IGNORECASE)
"""Of a name that may be the first of several, shorter than the others: IS3 transposase A; subunits
with a letter have a length of their own."""


_BY_SEQUENCE = frozenset({EvidenceType.DOMAIN, EvidenceType.HOMOLOGY})
"""Types of evidence that show a function rather than repeat a name."""


class OfPhage(NamedTuple):
    """What is known of a phage as a whole, which raises doubts about single genes.

    Attributes:
        named_again: Products (id) of which a phage has one, that several of its genes are called.
        is_microvirus: It has proteins of microviruses, which have no tail and no terminase.
    """

    named_again: frozenset[str] = frozenset()
    is_microvirus: bool = False


NO_PHAGE_KNOWN: Final = OfPhage()


class Doubt(NamedTuple):
    """One doubt.

    Attributes:
        strength: Class of the parameters that says how often it is justified.
        said: The doubt in words, for sum and list of uncertainties.
    """

    strength: str
    said: str


def doubts_of(
    evidence: Sequence[Evidence],
    gene: Gene,
    model: ScoringModel,
    phage: OfPhage = NO_PHAGE_KNOWN,
    *,
    contradicted: str | None = None,
) -> tuple[Doubt, ...]:
    """Doubts about a hypothesis, the most serious first.

    Args:
        evidence: Of the hypothesis, the one that words it first.
        gene: Whose function it is.
        model: Lengths of proteins by name, and the vocabulary.
        phage: What is known of the phage as a whole.
        contradicted: What the audit found instead of the file's name; None where it does not
            contradict that.

    Cost: some microseconds.
    """
    return (
        *_of_audit(evidence[0], contradicted),
        *_of_length(evidence, gene, model, phage.named_again),
        *_of_name(evidence[0]),
        *_of_no_phage(evidence, model),
        *_of_no_microvirus(evidence[0], phage),
        *_of_denial(evidence[0], gene),
        *_of_frame(gene),
    )


def of_phage(contig: Contig, leads: Sequence[Evidence], model: ScoringModel) -> OfPhage:
    """What the leading names of a contig's genes say of the phage that it is.

    Args:
        contig: One record.
        leads: Of each gene the evidence that words its leading hypothesis.
        model: Of the contig.

    Returns:
        Nothing for bacteria, which may have several prophages.
    """
    if model.setting.kind is not GenomeKind.PHAGE:
        return NO_PHAGE_KNOWN
    whole = Counter(
        lead.product for lead in leads if lead.product is not None and lead.specificity in _NAMES
    )
    known = model.products.products
    again = (
        product
        for product, genes in whole.items()
        if genes > 1 and known[product].name.startswith(_ONE_OF_A_KIND)
    )
    small = len(contig) <= _LONGEST_MICROVIRUS_BP
    return OfPhage(frozenset(again), small and not _OF_MICROVIRUSES.isdisjoint(whole))


def doubt_terms(doubts: Iterable[Doubt], model: ScoringModel) -> list[ScoreTerm]:
    """What doubts take from a score: the odds times the probability that the doubt is unfounded."""
    return [
        ScoreTerm(doubt.said, math.log(1.0 - model.parameters.reliability[doubt.strength]))
        for doubt in doubts
    ]


def _of_audit(lead: Evidence, contradicted: str | None) -> Iterable[Doubt]:
    """That evidence independent of the file contradicts its name, by the audit's strict rule."""
    if contradicted is not None and lead.type is EvidenceType.ANNOTATION:
        yield Doubt(CONTRADICTED, f"evidence contradicts it: {contradicted}")


def _of_length(
    evidence: Sequence[Evidence], gene: Gene, model: ScoringModel, again: Collection[str]
) -> Iterable[Doubt]:
    """That proteins of this name are at least twice as long.

    Of what a phage has one, and other genes are called too, that they are longer. Else not raised
    where something else than a name says that such short ones have the function: a family or a
    similar protein of the same length. Without room for even a part, nothing says so; nor does a
    family of pieces that one kind of source named after the whole: one mistaken name was copied
    from piece to piece.
    """
    lead, length_aa = evidence[0], len(gene.protein)
    product = model.products.products.get(lead.product) if lead.product else None
    if lead.specificity not in _CLASSES or not length_aa or _is_a_piece(gene, lead.claim, product):
        return
    usual = usual_length(lead.subject, product, model.name_lengths, model.products)
    if usual is None or length_aa >= usual.length.shortest_aa:
        return
    if lead.product in again:
        yield Doubt(
            TOO_SHORT, f"{_too_short(length_aa, usual)}, and other genes of the phage have it"
        )
        return
    if length_aa >= _FAR_SHORTER * usual.length.shortest_aa:
        if not any(map(_is_borne_out, evidence)) and _is_much_shorter(length_aa, usual):
            yield Doubt(TOO_SHORT, f"{_too_short(length_aa, usual)}, and nothing else supports it")
        return
    has_room = length_aa >= _NO_ROOM * usual.length.shortest_aa
    is_whole = any(map(_has_its_length, evidence)) and not any(map(_is_cut_domain, evidence))
    if not has_room or not is_whole:
        yield Doubt(TOO_SHORT, _too_short(length_aa, usual))


def _is_borne_out(item: Evidence) -> bool:
    """Whether more than one annotator's word says of the whole protein what it is."""
    if item.type is EvidenceType.ANNOTATION or item.specificity not in _CLASSES:
        return False
    return item.support is None or item.support.independent >= _FEW_NAMES


def _is_much_shorter(length_aa: int, usual: UsualLength) -> bool:
    """Whether it is shorter by a third, of proteins counted by their own name, not their class."""
    counted = usual.length.proteins >= _ENOUGH_COUNTED and not usual.of_class
    return counted and length_aa < _MUCH_SHORTER * usual.length.shortest_aa


def _too_short(length_aa: int, usual: UsualLength) -> str:
    return (
        f"too short for its name: {length_aa} residues; proteins named “{usual.name}” have "
        f"{usual.length.shortest_aa} and more ({usual.length.proteins:,} counted)"
    )


def _is_a_piece(gene: Gene, name: str, product: Product | None) -> bool:
    """Whether file or name say already that the protein is not whole.

    A letter that the term itself ends in (segregation and condensation protein B) says nothing.
    """
    cut_off = gene.location.partial_5 or gene.location.partial_3
    if gene.pseudo or cut_off or _PIECE.search(name) is not None:
        return True
    found = _ONE_OF_SEVERAL.search(name)
    of_term = product is not None and product.name.lower().endswith(f" {name[-1].lower()}")
    return found is not None and not of_term


def _has_its_length(item: Evidence) -> bool:
    """Whether an observation names the whole protein, by whole proteins of the same length."""
    protein, reference = item.measured.protein_coverage, item.measured.target_coverage
    if item.specificity not in _CLASSES or protein is None or reference is None:
        return False
    if item.support is not None and item.support.independent < _FEW_NAMES:
        return False
    if item.strength.endswith(LONE):
        return False
    return protein >= _WHOLE_PROTEIN and reference >= _WHOLE_REFERENCE


def _is_cut_domain(item: Evidence) -> bool:
    """Whether the protein is mostly one domain, and that is not whole: then it is a piece."""
    protein, reference = item.measured.protein_coverage, item.measured.target_coverage
    if item.type is not EvidenceType.DOMAIN or protein is None or reference is None:
        return False
    return protein >= _HALF > reference


def _of_name(lead: Evidence) -> Iterable[Doubt]:
    """That the name is one of eukaryotes."""
    word = foreign_function(lead.claim)
    if word is not None:
        yield Doubt(FOREIGN, foreign_said(word, lead.claim))


def foreign_said(word: str, claim: str) -> str:
    """That a word of a claim is of eukaryotes."""
    return f"taxon: “{word}” in “{claim}” is of eukaryotes"


def _of_no_phage(evidence: Sequence[Evidence], model: ScoringModel) -> Iterable[Doubt]:
    """That no phage has the function, where only names say that this one has it."""
    if model.setting.kind is not GenomeKind.PHAGE:
        return
    if any(item.type in _BY_SEQUENCE for item in evidence):
        return
    for item in evidence:
        word = no_phage_word(item.subject)
        if word is not None:
            yield Doubt(NO_PHAGE, f"no phage is known to have {word}, and no domain shows it")
            return


def _of_no_microvirus(lead: Evidence, phage: OfPhage) -> Iterable[Doubt]:
    """That a microvirus has no tail, and packs its single strand of DNA without a terminase."""
    if phage.is_microvirus and (found := _OF_TAILED_PHAGES.search(lead.subject)):
        said = f"no microvirus has a {found[0].lower()}, and this record has proteins of theirs"
        yield Doubt(NO_PHAGE, said)


def _of_denial(lead: Evidence, gene: Gene) -> Iterable[Doubt]:
    """That the file says of the protein that it is not this."""
    if gene.product is not None and denies(gene.product, lead.subject):
        yield Doubt(DENIED, f"the file says “{gene.product}”")


def _of_frame(gene: Gene) -> Iterable[Doubt]:
    """That a very short frame lacks the site that makes chance unlikely.

    Genes of the file were annotated by somebody, rescued ones have addends of their own, and a
    gene that is cut off has its start elsewhere.
    """
    length_aa = len(gene.protein)
    if gene.scores is None or gene.rescue is not None or gene.location.partial_5 or gene.peptides:
        return
    if 0 < length_aa < _TINY_AA and gene.scores.rbs_motif is None:
        yield Doubt(
            TINY,
            f"perhaps no gene: a frame of {length_aa} residues without a ribosome binding site",
        )
