"""A genome in one sentence, and each gene in one: the first that a reader sees, in all formats.

They separate what evidence supports from what only repeats the name in the file, and say of dark
genes that the databases used do not recognise them, which is no statement about the protein.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType
from typing import Final

from genint.knowledge.product_names import clean_product
from genint.model.interpretation import ONLY_THE_FILE, AuditVerdict
from genint.model.vocabulary import ConfidenceLevel, EvidenceSource, NameBasis, Specificity
from genint.report.result import Counts, GeneItem
from genint.report.result_gene import HypothesisItem, NoveltyItem

NOT_RECOGNISED: Final = "not recognised with the databases used"
"""What dark means."""
DARK_MEANING: Final = (
    f"Dark means {NOT_RECOGNISED}, which are listed at the end: such a gene may be well known "
    "elsewhere."
)
_LIKELIHOODS: Final = MappingProxyType(
    {
        ConfidenceLevel.HIGH: "Very likely",
        ConfidenceLevel.MODERATE: "Probably",
        ConfidenceLevel.LOW: "Possibly",
        ConfidenceLevel.SPECULATIVE: "Perhaps",
    }
)
SINGLE_SOURCE: Final = "single source: "
"""Start of the uncertainty that says what alone names a function."""
_PUTATIVE: Final = "putative "
_PSEUDOGENE: Final = "pseudogene of "
_PSEUDOGENE_WITH: Final = "pseudogene; "
"""Before the clause on a part of the protein that the pseudogene would make."""
_SOURCES: Final = MappingProxyType(
    {
        EvidenceSource.GENBANK: "the file",
        EvidenceSource.GENINT_FAMILY: "a genint family",
        EvidenceSource.PFAM: "Pfam",
        EvidenceSource.SWISSPROT: "Swiss-Prot",
        EvidenceSource.USER_PROTEINS: "the user's own proteins",
        EvidenceSource.UNIPROT: "UniProt",
        EvidenceSource.INTERPRO: "InterPro",
        EvidenceSource.BAKTA: "Bakta",
        EvidenceSource.PHAROKKA: "Pharokka",
        EvidenceSource.PHOLD: "Phold",
        EvidenceSource.EGGNOG_MAPPER: "eggNOG-mapper",
        EvidenceSource.INTERPROSCAN: "InterProScan",
        EvidenceSource.GENE_CONTEXT: "its neighbours",
    }
)


def headline(counts: Counts) -> str:
    """How many genes evidence supports, only the file names, or nothing recognises.

    Such as ``4,319 genes: 1,801 supported by evidence, 1,970 only repeat the file's name, 548
    dark``. Results before 1.7 do not tell the first two apart.
    """
    genes = f"{counts.total_genes:,} gene{'' if counts.total_genes == 1 else 's'}"
    supported, repeated = counts.supported_genes, counts.file_only_genes
    if supported is None or repeated is None:
        found = [f"{counts.interpreted_genes:,} interpreted"]
    else:
        found = [f"{supported:,} supported by evidence"]
        if repeated:
            verb = "repeats" if repeated == 1 else "repeat"
            found.append(f"{repeated:,} only {verb} the file's name")
    return f"{genes}: {', '.join(found)}, {counts.dark:,} dark"


def level_text(gene: GeneItem) -> str:
    """Level and score of a gene, and whether its name only repeats the file's."""
    if gene.is_dark:
        return gene.confidence
    text = f"{gene.confidence} ({gene.score:.2f})"
    return f"{text}, {gene.basis.remark}" if gene.basis and gene.basis.remark else text


def summary_of(gene: GeneItem) -> str:
    """The sentence that the result holds; made here for results before 1.7."""
    return gene.summary or gene_summary(gene)


def gene_summary(gene: GeneItem) -> str:
    """The interpretation of a gene in one sentence."""
    if gene.is_dark or gene.function is None:
        return _dark_summary(gene)
    against = _against(gene)
    name = gene.function.removeprefix(_PSEUDOGENE)
    pseudo = gene.pseudo and name != gene.function
    if gene.basis is NameBasis.FILE:
        start = "Pseudogene: only" if pseudo else "Only"
        return f"{start} the file names it {_as_in_file(gene, name)}{_aside(gene)}{against}."
    likely = _LIKELIHOODS[gene.confidence]
    has_part = name.startswith(_PSEUDOGENE_WITH)
    if has_part:
        likely = f"Pseudogene that {likely[:1].lower()}{likely[1:]}"
    elif pseudo:
        likely = f"Pseudogene, {likely[:1].lower()}{likely[1:]} of"
    bare = name.removeprefix(_PSEUDOGENE_WITH)
    claim = bare if has_part or _is_clause(gene) else f"“{bare}”"
    by = _sources(gene)
    support = f", supported by {by}" if by else ""
    return f"{likely} {claim}{support}{against}."


def _as_in_file(gene: GeneItem, name: str) -> str:
    """The file's words, and the name that the report has instead where that differs."""
    stated = clean_product(gene.product) if gene.product else name
    same = stated.removeprefix(_PUTATIVE).casefold() == name.removeprefix(_PUTATIVE).casefold()
    return f"“{name}”" if same else f"“{stated}”, here called “{name}”"


def _aside(gene: GeneItem) -> str:
    """What the uncertainty adds about a name that only the file gives."""
    start = f"{SINGLE_SOURCE}{ONLY_THE_FILE}"
    said = (text for text in gene.uncertainties if text.startswith(start))
    return next(said, start).removeprefix(start)


def _against(gene: GeneItem) -> str:
    """What evidence for another function says, beside the leading one.

    It contradicts only what the audit, by a stricter rule, says that it contradicts. Elsewhere two
    names exclude one another on paper, and a reader gets both.
    """
    if gene.audit is not None and gene.audit.verdict is AuditVerdict.CONTRADICTS:
        leads = gene.basis is NameBasis.FILE or gene.function == gene.audit.product
        return ", but other evidence contradicts it" if leads else ", which contradicts the file"
    rival = next((one for one in gene.hypotheses[1:] if _excludes(gene, one)), None)
    if rival is None:
        return _other_name(gene)
    if all(gene.evidence[at].source is EvidenceSource.GENBANK for at in rival.evidence):
        return f"; the file suggests “{rival.function}”"
    if rival.specificity is Specificity.DOMAIN:
        return f"; other evidence suggests that it {rival.function}"
    return f"; other evidence suggests “{rival.function}”"


def _other_name(gene: GeneItem) -> str:
    """Another name that evidence gives what only the file names so, perhaps in other words."""
    if gene.basis is not NameBasis.FILE or len(gene.hypotheses) < 2:  # noqa: PLR2004 - one beside it
        return ""
    second = gene.hypotheses[1]
    sure = second.level.is_supported and second.specificity is Specificity.PROTEIN
    by = next((gene.evidence[at].source for at in second.evidence), None)
    if not sure or by is None or by is EvidenceSource.GENBANK:
        return ""
    return f"; {_SOURCES.get(by, by)}, perhaps in other words, “{second.function}”"


def _excludes(gene: GeneItem, rival: HypothesisItem) -> bool:
    """Whether a listed conflict is between the leading hypothesis and another one."""
    best = gene.hypotheses[0].function
    return any(f"“{best}”" in text and f"“{rival.function}”" in text for text in gene.conflicts)


def _is_clause(gene: GeneItem) -> bool:
    """Whether the function reads as a part of a sentence, such as ``contains a DNA domain``."""
    best = gene.hypotheses[0] if gene.hypotheses else None
    return best is not None and best.specificity is Specificity.DOMAIN and not gene.pseudo


def _dark_summary(gene: GeneItem) -> str:
    facts = [f"{gene.length_aa} amino acids"]
    if gene.product:
        facts.append(f"called “{gene.product}” in the file")
    if gene.pfam_id:
        facts.append(f"with the conserved domain {gene.pfam_id} of unknown function")
    return f"{NOT_RECOGNISED.capitalize()}: {', '.join(facts)}."


def _sources(gene: GeneItem) -> str:
    """What counts for the leading hypothesis, strongest first."""
    if not gene.hypotheses:
        return ""
    best = gene.hypotheses[0]
    counted = [term.evidence for term in best.terms if term.evidence is not None]
    sources = dict.fromkeys(gene.evidence[at].source for at in counted or best.evidence)
    return joined(_SOURCES.get(source, source.replace("_", " ")) for source in sources)


def next_steps(novelty: NoveltyItem) -> tuple[str, ...]:
    """What to do about a dark gene, in order; results before 1.7 hold only the first."""
    return novelty.next_steps or (novelty.next_step,)


def joined(names: Iterable[str]) -> str:
    """Names as a sentence lists them: ``a``, ``a and b``, ``a, b and c``."""
    *others, last = list(names) or [""]
    return f"{', '.join(others)} and {last}" if others else last
