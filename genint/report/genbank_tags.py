"""New locus tags in the lines of a GenBank file; the tags that it had become ``/old_locus_tag``.

Every feature with a tag that is replaced gets the new one, whatever it is (``sig_peptide``,
``exon``); of features without a tag, those of genes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from genint.formats.genbank.writer import (
    FeatureText,
    RecordLines,
    feature_at,
    qualifier_lines,
    qualifiers_of,
)
from genint.model.genome import Gene, Genome, OtherFeature, Qualifier, RnaGene
from genint.model.locus_tags import with_new_tags
from genint.report.locus_tags import Tagged, tag_of
from genint.report.result import GenintResult

_Feature = Gene | RnaGene | OtherFeature


class TagChange(NamedTuple):
    """What becomes of the lines of one feature: those that go, and those to be added behind one."""

    removed: range
    behind: int
    added: tuple[str, ...]


def as_tagged(genome: Genome, result: GenintResult) -> Genome:
    """The genome of a file with the ids and tags that its features have in a result."""
    items: tuple[Tagged, ...] = (*result.genes, *result.rna_genes, *result.other_features)
    used = result.parameters
    if used.locus_tag_prefix is None or not any(item.new_locus_tag for item in items):
        return genome
    return with_new_tags(genome, used.locus_tag_prefix, before=used.locus_tags_before)


def changed_tags(
    result: GenintResult,
    own: Sequence[tuple[Tagged, _Feature]],
    lines: Sequence[str],
    records: Sequence[RecordLines],
) -> Iterator[TagChange]:
    """What changes in the lines of a file so that its features have the tags of a result.

    Args:
        result: Nothing changes where its run had no prefix.
        own: Features of the result, each with that of the file which it is.
        lines: Of the file.
        records: The same as in the result.

    Cost: O(lines of the feature tables).
    """
    if result.parameters.locus_tag_prefix is None:
        return
    renamed: dict[tuple[str, str], str] = {}
    tagged: dict[int, tuple[str, str | None]] = {}
    for item, feature in own:
        tag, old = tag_of(item), feature.locus_tag
        if tag is None or tag == old:
            continue
        if old:
            renamed.setdefault((item.record, old), tag)
        over = feature.gene_line if not isinstance(feature, OtherFeature) else None
        for line in (feature.line, over):
            if line is not None:
                tagged.setdefault(line, (tag, old))
    for record, where in zip(result.records, records, strict=True):
        tags = {old: tag for (name, old), tag in renamed.items() if name == record.id}
        for start in where.starts:
            feature_text = feature_at(lines, start)
            yield from _of_feature(lines, feature_text, tags, tagged.get(start))


_TAGS: Final = ("/locus_tag=", "/old_locus_tag=")


def _of_feature(
    lines: Sequence[str],
    feature: FeatureText,
    renamed: Mapping[str, str],
    given: tuple[str, str | None] | None,
) -> Iterator[TagChange]:
    tags = [at for at in feature.qualifiers if lines[at[0] - 1].lstrip().startswith(_TAGS)]
    if not (tags or given):
        return
    found = qualifiers_of(lines, feature._replace(qualifiers=tuple(tags)))
    own = [one for one in found if one.qualifier.name == "locus_tag" and one.qualifier.value]
    if own:
        old = (own[0].qualifier.value or "").strip()
        tag, behind, removed = renamed.get(old), own[0].lines[-1], own[0].lines
    elif given:
        tag, old = given[0], given[1] or ""
        behind = feature.qualifiers[0][0] - 1 if feature.qualifiers else feature.end
        removed = range(0)
    else:
        return
    if tag is None:
        return
    added = qualifier_lines(Qualifier("locus_tag", tag))
    if old and Qualifier("old_locus_tag", old) not in (one.qualifier for one in found):
        added += qualifier_lines(Qualifier("old_locus_tag", old))
    yield TagChange(removed, behind, added)
