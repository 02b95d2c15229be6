"""Locus tags of the features of a result, as every format for databases writes them.

They are those of the file, or by the prefix that the run was given; the tag that the file had is
``/old_locus_tag`` then. Ids that are made of the id of a record are no locus tags.

Source: INSDC feature table definition (``/locus_tag``, ``/old_locus_tag``).
"""

from __future__ import annotations

from typing import Final

from genint.formats.genbank.writer import ascii_text
from genint.model.genome import CalledBy
from genint.model.locus_tags import TAG_STEP, last_number, prefix_of
from genint.report.result import GeneItem, GenintResult, OtherFeatureItem, RnaGeneItem
from genint.report.wording import shown_text

OF_FILE: Final = frozenset({CalledBy.GENBANK, CalledBy.GENBANK_GENE})
"""Genes that the file has."""
NO_GENES: Final = frozenset({"regulatory", "misc_feature"})
"""Stretches that a search finds and that are no genes, and have no tags: riboswitches, introns."""
Tagged = GeneItem | RnaGeneItem | OtherFeatureItem


def tag_of(item: Tagged) -> str | None:
    """The locus tag of a feature; None where the file has none and none was to be given."""
    return item.new_locus_tag or tag_of_file(item)


def tag_of_file(item: Tagged) -> str | None:
    """The locus tag that the file has for a feature, in one line of ASCII; None for none."""
    match item:
        case GeneItem():
            own = None if item.locus.startswith(f"{item.record}:") else item.locus
        case RnaGeneItem():
            own = item.locus_tag
        case OtherFeatureItem():
            # before schema 1.9 only the id is known
            own = item.locus_tag or (item.id if prefix_of(item.id) else None)
    return ascii_text(shown_text(own)) if own else None


def old_tag_of(item: Tagged) -> str | None:
    """The tag of the file, where a feature has another one by the prefix of the run."""
    own = tag_of_file(item) if item.new_locus_tag else None
    return own if own != item.new_locus_tag else None


def is_of_file(item: Tagged) -> bool:
    """Whether the file has a feature, and no search found it."""
    match item:
        case GeneItem():
            return item.called_by in OF_FILE
        case RnaGeneItem():
            return item.method is None
        case OtherFeatureItem():
            return True


def locus_tags_taken(result: GenintResult) -> int:
    """Numbers behind the prefix, in steps of ten, that are taken when a result was written.

    One more than the highest of all features, and of what may still become one: the numbers between
    it and the first gene of the next file are those that a gene found later would have.
    """
    before, prefix = result.parameters.locus_tags_before, result.parameters.locus_tag_prefix
    if prefix is None:
        return before
    features: tuple[Tagged, ...] = (*result.genes, *result.rna_genes, *result.other_features)
    ids = [
        *(item.id for item in features),
        *(gene.id for gene in result.rejected),
        *(product.id for product in result.alternative_products),
        *(tag for item in features if (tag := tag_of_file(item))),
    ]
    genes = last_number(ids, prefix) // TAG_STEP
    arrays = last_number((one.id for one in result.crispr_arrays), prefix)
    highest = max(genes, arrays)
    return max(before, highest + 1) if highest else before


def tag_remarks(result: GenintResult) -> tuple[str, ...]:
    """What a submitter should know of the locus tags of the file, in one sentence each."""
    rnas = (rna for rna in result.rna_genes if rna.kind not in NO_GENES)
    items: tuple[Tagged, ...] = (*result.genes, *rnas, *result.other_features)
    of_file = [item for item in items if is_of_file(item)]
    remarks = []
    kept = dict.fromkeys(
        tag for item in of_file if not item.new_locus_tag and (tag := tag_of_file(item))
    )
    if broken := [tag for tag in kept if not prefix_of(tag)]:
        remarks.append(
            f"{_tags(len(broken))} of the file {'is' if len(broken) == 1 else 'are'} not by the "
            f"rules of the INSDC (a registered prefix of 3 to 12 letters and digits, an "
            f"underscore, letters and digits), such as {broken[0]}; they are written as they are, "
            f"--locus-tag gives new ones"
        )
    if replaced := dict.fromkeys(old for item in of_file if (old := old_tag_of(item))):
        verb = "is" if len(replaced) == 1 else "are"
        remarks.append(f"{_tags(len(replaced))} of the file {verb} old_locus_tag now")
    return tuple(remarks)


def _tags(count: int) -> str:
    return "1 locus tag" if count == 1 else f"{count:,} locus tags"
