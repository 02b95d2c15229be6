"""Annotation evidence: products and cross-references of the user's file.

A product states what its submitter believed. Placeholders are no evidence; an experiment cited in
the record makes a claim stronger, a hedge in the name makes it weaker.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from genint.knowledge.product_names import NameKind, classify_product, clean_product
from genint.knowledge.products import ProductVocabulary
from genint.knowledge.table_files import NO_TERMS, Terms
from genint.model.evidence import Evidence, GoTerm
from genint.model.genome import Gene
from genint.model.vocabulary import EvidenceSource, EvidenceType, GoAspect, Specificity

ECO_IMPORTED = "ECO:0000313"
"""Imported information used in automatic assertion: all that a plain product is. Many files
come from automatic pipelines, so it need not be an author's statement."""
ECO_EXPERIMENT = "ECO:0000269"
"""Experimental evidence used in manual assertion."""

_STRENGTHS = {
    NameKind.NAME: "annotation",
    NameKind.HEDGED: "annotation_hedged",
    NameKind.BROAD: "annotation_broad",
    NameKind.SYMBOL: "annotation_symbol",
}
_CAVEATS = {
    NameKind.HEDGED: "the name in the file is itself hedged",
    NameKind.BROAD: "the name in the file is a wide class, not one function",
    NameKind.SYMBOL: "the file gives a gene symbol, not a function",
}
_SPECIFICITIES = {
    NameKind.NAME: Specificity.PROTEIN,
    NameKind.HEDGED: Specificity.PROTEIN,
    NameKind.BROAD: Specificity.CATEGORY,
    NameKind.SYMBOL: Specificity.FAMILY,
}
_NOT_OF_FUNCTION = re.compile(
    r"COORDINATES\s*:|EXISTENCE\s*:.*(?:mass[- ]spectromet|peptide|proteom)", re.IGNORECASE
)
"""Experiments that show a protein or its ends, and leave open what it does."""
_SHORTEST_SYMBOL = 3
_GO_QUALIFIERS = {
    "GO_function": GoAspect.FUNCTION,
    "GO_process": GoAspect.PROCESS,
    "GO_component": GoAspect.COMPONENT,
}
_GO_ID = re.compile(r"(?:\bGO:?\s?|\|)(\d{7})\b")
_NEXT_GO = re.compile(r";\s*(?=GO:\d{7}\b)")
"""Between the terms of one qualifier that lists several."""
_BRACKETED = re.compile(r"\[[^\]]*\]")
_COG_LETTER = re.compile(r"^COG:([A-Z])$")
_COG_ID = re.compile(r"\b(COG\d{4,5})\b")
_EC_NUMBER = re.compile(r"\b\d+\.(?:\d+|-)\.(?:\d+|-)\.(?:n?\d+|-)")


def observe(
    genes: Iterable[Gene], vocabulary: ProductVocabulary | None = None, terms: Terms = NO_TERMS
) -> tuple[Evidence, ...]:
    """Evidence from products and cross-references; none for predicted genes.

    Args:
        genes: Genes of a file, or predicted ones.
        vocabulary: Finds the terms that product names mean; None to do without.
        terms: What GO and COG identifiers of the file mean; its own words take precedence.

    Cost: some 40 microseconds a gene.
    """
    found = (_from_product(gene, vocabulary, terms) for gene in genes)
    return tuple(item for item in found if item is not None)


def _from_product(
    gene: Gene, vocabulary: ProductVocabulary | None, terms: Terms
) -> Evidence | None:
    if gene.product is None:
        return None
    kind = classify_product(gene.product)
    product = vocabulary.find(gene.product) if vocabulary else None
    if kind is NameKind.PLACEHOLDER:
        # A term that itself is called after a symbol of unknown function (YraN) tells nothing.
        if product is None or classify_product(product.name) is NameKind.PLACEHOLDER:
            return None
        kind = NameKind.SYMBOL  # known by its symbol (outer membrane lipoprotein LolB)
    name = clean_product(gene.product)
    cited = (one for one in gene.values("experiment") if not _NOT_OF_FUNCTION.match(one))
    experiment = next(cited, None)
    ec = _ec_numbers(gene)
    return Evidence(
        gene_id=gene.id,
        source=EvidenceSource.GENBANK,
        type=EvidenceType.ANNOTATION,
        specificity=Specificity.PROTEIN if ec and kind is NameKind.BROAD else _SPECIFICITIES[kind],
        claim=name,
        subject=name.removeprefix("putative "),
        label=f"product in the file: {name}" + (f" (EC {', '.join(ec)})" if ec else ""),
        strength=_strength(kind, experiment),
        origin=f"annotation:{gene.contig}",
        accession=gene.protein_id or gene.locus_tag,
        eco=ECO_EXPERIMENT if experiment else ECO_IMPORTED,
        cog=_cog_letter(gene, terms),
        ec=ec,
        go=tuple(map(terms.completed, _go_terms(gene))),
        caveats=(_CAVEATS[kind],) if kind in _CAVEATS else (),
        aliases=_aliases(gene),
        product=product.id if product else None,
    )


def _aliases(gene: Gene) -> tuple[str, ...]:
    """The gene's symbol, which families are often named after; never a mere letter."""
    symbol = gene.symbol
    return (symbol,) if symbol and len(symbol) >= _SHORTEST_SYMBOL else ()


def _strength(kind: NameKind, experiment: str | None) -> str:
    """Reliability class; an experiment counts only for an informative name."""
    if experiment and kind is NameKind.NAME:
        return "annotation_experiment"
    return _STRENGTHS[kind]


def _ec_numbers(gene: Gene) -> tuple[str, ...]:
    stated = list(gene.values("EC_number"))
    stated += re.findall(r"EC[ :](\d[\d.n-]+)", gene.product or "")
    return tuple(dict.fromkeys(ec for ec in stated if _EC_NUMBER.fullmatch(ec)))


def _go_terms(gene: Gene) -> tuple[GoTerm, ...]:
    """GO terms of the record, each once, with the name where the record has one."""
    values: list[tuple[str, GoAspect | None]] = [
        (value, aspect)
        for qualifier, aspect in _GO_QUALIFIERS.items()
        for listed in gene.values(qualifier)
        for value in _NEXT_GO.split(listed)
    ]
    values += [(value, None) for value in gene.values("db_xref") if value.startswith("GO:")]
    terms: dict[str, GoTerm] = {}
    for value, aspect in values:
        match = _GO_ID.search(value)
        if match:
            bare = _BRACKETED.sub("", value).replace(match[0], "", 1)
            name = bare.split("|")[0].strip(" -;:")
            known = terms.get(match[1])
            if known is None or not known.name:
                terms[match[1]] = GoTerm(f"GO:{match[1]}", name, aspect)
    return tuple(terms.values())


def _cog_letter(gene: Gene, terms: Terms) -> str | None:
    """The letter that the file gives, or the first one of a COG that it names."""
    stated = (_COG_LETTER.match(value) for value in gene.values("db_xref"))
    letter = next((match[1] for match in stated if match), None)
    if letter is not None or not terms.cog:
        return letter
    ids = (
        id_
        for qualifier in ("db_xref", "note", "inference")
        for value in gene.values(qualifier)
        for id_ in _COG_ID.findall(value)
    )
    return next((terms.cog[id_][0] for id_ in ids if terms.cog.get(id_)), None)
