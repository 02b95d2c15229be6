"""Sentences of the report: the reasoning behind a hypothesis, and other products of a gene."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from genint.interpret.scoring import BY_DOMAIN, LIMIT, START, Scored, is_context
from genint.model.evidence import (
    Evidence,
    FamilySupport,
    Measurements,
    ReferenceEntry,
    is_of_file,
)
from genint.model.genome import CalledBy, Contig, Gene
from genint.model.interpretation import ONLY_THE_FILE, Classification, Hypothesis, Says, ScoreTerm
from genint.model.interval import Strand
from genint.model.rescue import (
    AlternativeProduct,
    AlternativeStart,
    Rescue,
    RescueTerm,
    percent,
    place_words,
    probability_words,
    shift_words,
    start_words,
)
from genint.model.vocabulary import (
    CogSource,
    ConfidenceLevel,
    EvidenceSource,
    EvidenceType,
    NameBasis,
    Specificity,
)

_OF_FILE: Final = frozenset({CalledBy.GENBANK, CalledBy.GENBANK_GENE})
_DOUBTFUL_CALL: Final = 0.9
"""Gene finder's own probability below which the gene itself is in doubt."""
_SURE_PEPTIDES: Final = 2
"""Peptides from which a protein counts as seen (guidelines of the Human Proteome Project)."""
_DOUBTFUL_RESCUE: Final = 0.8
"""The same of a gene that the gene finder leaves out: one of five such is none."""
_MOST_STARTS: Final = 3
_MOST_PEPTIDES: Final = 5
_MOST_RIVALS = 2
_UNIPROT_NAMES = {
    "uniprot_experiment": "curators name it by a published experiment",
    "uniprot_curated": "its name is a curator's inference or an author's statement",
    "uniprot_similarity": "curators have its name from a characterised relative",
    "uniprot_rule": "its name is reviewed, given by a rule or without a reason",
    "uniprot_automatic": "a rule named it automatically, without review",
    "uniprot_submitted": "its name is what the submitter wrote",
    "uniprot_other_sequence": "its name is reviewed",
    "uniprot_other_automatic": "a rule named it automatically, without review",
}
"""Class of evidence -> who gave the name."""
_TYPE_WORDS = {
    EvidenceType.ANNOTATION: "file",
    EvidenceType.FAMILY: "family",
    EvidenceType.DOMAIN: "domain",
    EvidenceType.HOMOLOGY: "similar protein",
    EvidenceType.GENE_CONTEXT: "gene context",
    EvidenceType.SEQUENCE_FEATURE: "sequence",
    EvidenceType.GENE_CALL: "gene call",
}
_ASIDES = {
    Says.OTHER: (
        "has another name, perhaps a relative's",
        "have other names, perhaps relatives'",
    ),
    Says.IDENTIFIER: (
        "has the file's gene symbol or EC number, but not the words of its product",
        "have the file's gene symbol or EC number, but not the words of its product",
    ),
    Says.CLASS: ("names only its class", "name only its class"),
    Says.FITS: ("fits, but does not name it", "fit, but do not name it"),
}
"""What one observation or several from beyond the file say of a name that only the file gives."""
_PARTS = frozenset({Specificity.DOMAIN, Specificity.CATEGORY})
_SIMILAR_MEANINGS = {
    Specificity.PROTEIN: "so the protein may be called “{}”",
    Specificity.FAMILY: "so the protein may be a relative, “{}”",
    Specificity.CATEGORY: "so the protein may be of the class “{}”",
    Specificity.DOMAIN: "so the protein {}",
}
_COG_SOURCES = {
    CogSource.ANNOTATION: "as the file says",
    CogSource.GENINT_FAMILY: "by its genint family",
    CogSource.HOMOLOGY: "by the similar protein",
    CogSource.IMPORTED: "by another program",
    CogSource.PFAM: "by Pfam",
    CogSource.PRODUCT_ROLE: "by the role of the name",
}


def reasoning(gene: Gene, scored: Scored, classification: Classification) -> tuple[str, ...]:
    """Steps from what was seen to the score, in the order in which they matter.

    A step that adds to the score, or takes from it, ends in what it adds in log-odds; the
    last step is their sum, with the starting value and the limit, which have no other step.
    """
    best = scored.hypotheses[0]
    steps = [
        *call_step(gene),
        *peptide_step(gene),
        *_evidence_steps(best),
        *(f"{term.reason[:1].upper()}{term.reason[1:]} {_weight(term)}." for term in _others(best)),
        *(_rival_step(rival) for rival in scored.hypotheses[1 : _MOST_RIVALS + 1]),
        *(f"Conflict: {conflict}." for conflict in scored.conflicts),
        *_classification_step(classification),
        score_sentence(best),
    ]
    return tuple(steps)


def _weight(term: ScoreTerm) -> str:
    sign = "-" if round(term.log_odds, 2) < 0 else "+"
    return f"[{sign}{abs(term.log_odds):.2f}]"


def _evidence_steps(best: Hypothesis) -> list[str]:
    """One step for each piece of evidence, with its weight; a second one of an origin adds none."""
    weights = {id(term.evidence): term for term in best.terms if term.evidence is not None}
    steps = []
    for item in best.evidence:
        term = weights.get(id(item))
        added = _weight(term) if term else "[adds nothing: same origin]"
        steps.append(f"{_told(item, best).removesuffix('.')} {added}.")
    return steps


def _told(item: Evidence, best: Hypothesis) -> str:
    """The sentence of an observation; the name in the file is not said again."""
    sentence = evidence_sentence(item)
    if item.type is EvidenceType.ANNOTATION and item.claim == best.claim:
        return sentence.replace(f" names it “{item.claim}”", " gives this name", 1)
    return sentence


def _others(best: Hypothesis) -> list[ScoreTerm]:
    """Addends that are neither start, evidence nor limit: rivals, neighbours that differ."""
    return [term for term in best.terms if term.evidence is None and not _in_sum(term)]


def _in_sum(term: ScoreTerm | RescueTerm) -> str:
    """What the sum calls an addend that has no step of its own; empty for others."""
    return {START: "start", LIMIT: "limit"}.get(_kind(term), "")


def _kind(term: ScoreTerm | RescueTerm) -> str:
    return next((kind for kind in (START, LIMIT) if term.reason.startswith(kind)), "")


def _agreement(best: Hypothesis) -> str:
    """Which independent types of evidence agree; a single one is not enough for HIGH."""
    if (single := single_source(best)) is not None:
        return f": {single}"
    return f" by {_listed(kind.value.replace('_', ' ') for kind in best.types)}"


def single_source(best: Hypothesis) -> str | None:
    """What names the function where no two types do; None where two count.

    Such as ``only the file names it; the family names only its class``. The chain, the
    uncertainties and the summary of a gene all say it in these words.
    """
    if best.basis is NameBasis.FILE:
        return f"{ONLY_THE_FILE}{''.join(f'; {aside}' for aside in _asides(best))}"
    if len(best.types) > 1:
        return None
    is_part = best.specificity in _PARTS
    [first] = (not is_part and best.types) or {best.evidence[0].type}
    weak = {
        term.evidence.type
        for term in best.terms
        if term.evidence is not None and term.says is Says.NAME and not is_context(term)
    } - {first}
    verb = "shows" if is_part else "names"
    if not weak:
        return f"only the {_TYPE_WORDS[first]} {verb} it"
    others = _listed(f"the {_TYPE_WORDS[kind]}" for kind in weak)
    agree = "agrees" if len(weak) == 1 else "agree"
    aside = "" if is_part else ", too weakly for HIGH"
    return f"the {_TYPE_WORDS[first]} {verb} it; {others} {agree}{aside}"


def _asides(best: Hypothesis) -> list[str]:
    """What observations from beyond the file say of a function that only the file names."""
    said: defaultdict[Says, set[str]] = defaultdict(set)
    for term in best.beyond_file:
        if term.evidence is not None:
            said[term.says].add(f"the {_TYPE_WORDS[term.evidence.type]}")
    stronger: set[str] = set()
    for says in _ASIDES:
        said[says] -= stronger
        stronger |= said[says]
    asides = [
        f"{_listed(who)} {verbs[len(who) > 1]}"
        for says, verbs in _ASIDES.items()
        if (who := said[says])
    ]
    return [*_same_source(best), *asides]


def _same_source(best: Hypothesis) -> list[str]:
    """That a family names it too, but has the name from this record or the file's annotator."""
    if any(_names_like_file(item) for item in best.evidence):
        return ["the family too, with a name from the same source"]
    return []


def _names_like_file(item: Evidence) -> bool:
    of_family = item.type is EvidenceType.FAMILY and item.specificity is Specificity.PROTEIN
    others = item.support is not None and item.support.independent > 0
    return of_family and others and is_of_file(item)


def _listed(names: Iterable[str]) -> str:
    """Names as a sentence lists them, in alphabetical order: ``a``, ``a and b``, ``a, b and c``."""
    *others, last = sorted(names)
    return f"{', '.join(others)} and {last}" if others else last


def _rival_step(rival: Hypothesis) -> str:
    return f"Competing hypothesis: “{rival.claim}” [{rival.score:.2f}], {_without_scores(rival)}."


def _without_scores(rival: Hypothesis) -> str:
    """Why it lost; its score stands in front, that of the leading one in the last step."""
    return re.sub(r" \(\d\.\d\d against \d\.\d\d\)$", "", rival.verdict)


def _classification_step(found: Classification) -> list[str]:
    parts = []
    if found.cog_category and found.cog_source:
        source = _COG_SOURCES[found.cog_source]
        parts.append(f"COG {found.cog_category} ({found.cog_name}), {source}")
    if found.go_terms:
        named = (f"{term.id} {term.name}".strip() for term in found.go_terms)
        parts.append(", ".join(named))
    return [f"Classification: {'; '.join(parts)}."] if parts else []


def score_sentence(best: Hypothesis) -> str:
    """The arithmetic of the score: what each step above adds, in their order, and the sum."""
    level = ConfidenceLevel.of(best.score)
    return f"Score: {_sum(best.terms)}, probability {best.score:.2f}: {level}{_agreement(best)}."


def _sum(terms: Sequence[ScoreTerm | RescueTerm], *, told: bool = False) -> str:
    """Addends and the sum of what is printed of them, so that a reader can check it.

    The reason of each stands beside it where no step of its own says it, or ``told``.
    """
    addends = "".join(
        f" {'-' if term.log_odds < 0 else '+'} {abs(term.log_odds):.2f}"
        + (f" ({term.reason})" if told else f" ({_in_sum(term)})" if _in_sum(term) else "")
        for term in terms
    )
    addends = f"-{addends[3:]}" if addends.startswith(" - ") else addends[3:]
    return f"{addends} = {sum(round(term.log_odds, 2) for term in terms):.2f} log-odds"


def evidence_sentence(item: Evidence) -> str:
    """One observation with accession, figures and database."""
    if item.type is EvidenceType.ANNOTATION:
        return _annotation_sentence(item)
    if item.support is not None:
        return _family_sentence(item, item.support)
    if item.similar is not None:
        return _similar_sentence(item, item.similar)
    if item.type is EvidenceType.GENE_CONTEXT:
        return f"Gene context: {item.label}."
    if item.source.is_imported and item.type is not EvidenceType.DOMAIN:
        meaning = _SIMILAR_MEANINGS[item.specificity].format(item.claim)
        return f"{item.label}; {meaning}."
    measured = item.measured
    sentence = f"{item.database} {item.accession}: {_verb(item)}"
    if measured.protein_from is not None:
        sentence += f", residues {measured.protein_from}-{measured.protein_to}"
    return sentence + _figures(measured, "profile") + "."


def _figures(measured: Measurements, target: str) -> str:
    """E-value, else score, and coverage, in brackets; empty without any."""
    figures = []
    if measured.evalue is not None:
        figures.append(f"E {measured.evalue:.1e}")
    elif measured.score_bits is not None:
        figures.append(f"{measured.score_bits:,.1f} bits")
    if measured.protein_coverage is not None and measured.target_coverage is not None:
        figures.append(
            f"{percent(measured.protein_coverage)} of protein, "
            f"{percent(measured.target_coverage)} of {target}"
        )
    return f" ({'; '.join(figures)})" if figures else ""


def _annotation_sentence(item: Evidence) -> str:
    source = f" ({item.accession})" if item.accession else ""
    sentence = f"The file{source} names it “{item.claim}”"
    if item.ec:
        sentence += f", EC {', '.join(item.ec)}"
    if item.strength == "annotation_experiment":
        sentence += ", and cites an experiment for it"
    return sentence + "".join(f"; {caveat}" for caveat in item.caveats) + "."


def _verb(item: Evidence) -> str:
    if item.specificity is Specificity.DOMAIN:
        return item.claim
    if item.strength == BY_DOMAIN:
        return f"is a domain of “{item.subject}”"
    return f"belongs to “{item.subject}”"


def _family_sentence(item: Evidence, support: FamilySupport) -> str:
    """The support of a family's name, before how well the protein fits the family."""
    measured = item.measured
    of = f"{support.agreeing} of {support.named_members} named members"
    if not support.named_members:
        of = "members"
    records = f"{support.records} record" + ("s" if support.records != 1 else "")
    sentence = (
        f"genint family {item.accession}: {of} from {records} are called "
        f"“{item.original_name or item.subject}”"
    )
    if item.original_name:
        sentence += f", which is a kind of “{item.subject}”"
    if support.is_member:
        sentence += ", this very protein among them"
    if item.specificity is Specificity.DOMAIN:
        sentence += "; the protein contains a region like them"
    if measured.protein_from is not None:
        sentence += f"; residues {measured.protein_from}-{measured.protein_to}"
    return f"{sentence}{_figures(measured, 'profile')}."


def _similar_sentence(item: Evidence, entry: ReferenceEntry) -> str:
    """Which protein is similar, its name, and how much of the two is similar."""
    if item.source is EvidenceSource.UNIPROT:
        return _uniprot_sentence(item, entry)
    measured = item.measured
    organism = f", {entry.organism}" if entry.organism else ""
    sentence = f"{item.database} {item.accession} ({entry.name}{organism}): "
    if measured.identity is not None:
        sentence += f"{percent(measured.identity)} identical"
    if measured.protein_from is not None:
        sentence += f" over residues {measured.protein_from}-{measured.protein_to}"
    meaning = _SIMILAR_MEANINGS[item.specificity].format(item.claim)
    return f"{sentence}{_figures(measured, 'that protein')}; {meaning}."


def _uniprot_sentence(item: Evidence, entry: ReferenceEntry) -> str:
    """Which entry it is, whether it has the same sequence, and who named it."""
    organism = f", {entry.organism}" if entry.organism else ""
    same = item.measured.identity is not None
    which = "has this very sequence" if same else "is found by its identifier, its sequence differs"
    meaning = _SIMILAR_MEANINGS[item.specificity].format(item.claim)
    return (
        f"{item.database} {item.accession} ({entry.name}{organism}) {which}; "
        f"{_UNIPROT_NAMES[item.strength]}; {meaning}."
    )


def call_step(gene: Gene) -> list[str]:
    """How the gene was called; nothing for genes of the user's file."""
    if gene.called_by in _OF_FILE:
        return []
    if gene.rescue is not None:
        return [f"Gene call: {_rescue_sentence(gene.rescue)}"]
    if gene.note:
        return [f"Gene call: {gene.note}"]
    scores = gene.scores
    if scores is None:
        return []
    site = (
        f"ribosome binding site {scores.rbs_motif}"
        if scores.rbs_motif
        else "no ribosome binding site seen"
    )
    return [
        f"Gene call: {gene.called_by.value} predicts {len(gene.protein)} amino acids, start codon "
        f"{scores.start_codon}, {site}, total score {scores.total:.1f}."
    ]


def peptide_step(gene: Gene) -> list[str]:
    """What mass spectrometry saw of the protein; nothing where it saw none of it."""
    if not gene.peptides:
        return []
    seen = gene.peptides
    number = f"{len(seen)} peptide{'s' if len(seen) > 1 else ''}"
    spectra = sum(one.spectra for one in seen)
    times = f" in {spectra} spectra" if spectra > len(seen) else ""
    shown = ", ".join(f"{one.first}-{one.last}" for one in seen[:_MOST_PEPTIDES])
    more = f" and {len(seen) - _MOST_PEPTIDES} more" if len(seen) > _MOST_PEPTIDES else ""
    start = "; one begins with its first residue" if any(one.shows_start for one in seen) else ""
    return [
        f"Mass spectrometry: {number} of this protein{times}, residues {shown}{more}{start}; it is "
        "made, whatever it does."
    ]


def _rescue_sentence(rescue: Rescue) -> str:
    """The place of the frame, the addends, their sum, and the probability."""
    place = place_words(
        rescue.kind, rescue.host_id, rescue.host_overlap, same_strand=rescue.same_strand
    )
    return (
        f"{place}; gene finders leave such frames out. {_sum(rescue.terms, told=True)} that it "
        f"is a gene: {probability_words(rescue.probability, rescue.held_out)}; from"
        f" {rescue.threshold:.2f} on it is called one."
    )


def call_uncertainties(gene: Gene) -> list[str]:
    """Whether the gene itself is in doubt."""
    if len(gene.peptides) >= _SURE_PEPTIDES:
        return []
    if gene.rescue is not None:
        sure = gene.rescue.probability
        if sure < _DOUBTFUL_RESCUE:
            return [f"the gene itself is uncertain (probability {sure:.2f} that it is a gene)"]
        return []
    if gene.scores is not None and gene.scores.confidence < _DOUBTFUL_CALL:
        return [f"the gene finder is unsure of the gene ({gene.scores.confidence:.2f})"]
    return []


def other_products(contig: Contig) -> Mapping[str, tuple[str, ...]]:
    """What genes may make besides their protein, by gene id: other starts, slipping ribosomes.

    Cost: O(alternative starts and products of the contig).
    """
    starts: defaultdict[str, list[AlternativeStart]] = defaultdict(list)
    for start in contig.alternative_starts:
        starts[start.gene_id].append(start)
    sentences: defaultdict[str, list[str]] = defaultdict(list)
    for gene_id, found in starts.items():
        sentences[gene_id].append(_starts_sentence(found, contig))
    for product in contig.alternative_products:
        sentences[product.gene_id].append(_product_sentence(product))
    return {gene_id: tuple(listed) for gene_id, listed in sentences.items()}


def _starts_sentence(starts: list[AlternativeStart], contig: Contig) -> str:
    """The most probable ones, those left out counted."""
    ranked = sorted(starts, key=lambda one: (-one.probability, one.interval))
    words = [_start_words(one, contig) for one in ranked[:_MOST_STARTS]]
    left = len(ranked) - _MOST_STARTS
    if left > 0:
        words.append(f"and {left} more")
    return f"a shorter product may be made too, from {'; '.join(words)}"


def _start_words(start: AlternativeStart, contig: Contig) -> str:
    first, last = start.interval.one_based(len(contig))
    base = first if start.strand is Strand.FORWARD else last
    length_aa = len(start.interval) // 3 - 1
    words = start_words(base, length_aa, start.codon, start.rbs_motif, start.share)
    return f"{words}, probability {start.probability:.2f}"


def _product_sentence(product: AlternativeProduct) -> str:
    on = f" and go on in the frame of {product.joined_id}" if product.joined_id else ""
    return (
        f"some ribosomes may slip {shift_words(product.shift)} at {product.heptamer}{on}: another "
        f"product of {len(product.protein)} amino acids, probability {product.probability:.2f}"
    )
