"""Gene calling: how each contig is searched, in which topology and genetic code."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from genint.genes.calls import (
    ContigCalls,
    GeneCalls,
    IdSeries,
    gene_of,
    with_candidates,
)
from genint.genes.genetic_code import (
    MIN_TEXT_BP,
    Code,
    infer_genetic_code,
    stated_code,
)
from genint.genes.orf_candidates import internal_starts, propose
from genint.genes.orf_features import ContigFrames
from genint.genes.prodigal import (
    STANDARD_CODE,
    VIRAL_MODEL_CODES,
    Model,
    meta_model,
    search,
    trained_model,
)
from genint.genes.topology import (
    ContigSearch,
    InferredTopology,
    better_topology,
    circle_warnings,
    end_warnings,
    infer_topology,
    search_as_circle,
    search_contig,
    tried_topology,
    why_no_circle,
    with_ends,
    with_starts,
)
from genint.knowledge.rescue import RescueParameters, load_rescue
from genint.model.genome import Contig, GeneCalling, Genome
from genint.model.kinds import kinds_of
from genint.model.vocabulary import BACTERIUM_BP, GenomeKind

_LARGE_CONTIG_BP = 100_000
"""Contigs of many phages in one file are mostly shorter; those of a bacterium hold half of
its bases in longer ones. Pyrodigal too needs this much to learn from."""
_DRAFT_CONTIG_BP = 10_000
_MAX_GC_SPREAD = 0.04
"""Between genome and collection: four bacteria cut into pieces of 10 kb spread by 0.019 to
0.028 in GC share, ten phages of several hosts by 0.11."""
_EXPLAINED = 0.82
"""Share of a contig inside genes below which a code of its own is tried: two recoded
phages searched with the model of S. pyogenes have 0.72 and 0.78, most bacteria 0.85 and more."""
_OWN_CODE_BP = range(MIN_TEXT_BP, BACTERIUM_BP)
"""Lengths of contigs that may be a phage or a plasmid among those of a bacterium."""
_SAMPLE_BP = 50_000
_SAMPLES = 4
"""Stretches of a bacterium that its genetic code is inferred from."""
_USUAL = Code(STANDARD_CODE, "the usual code")
_TOGETHER_BP = 500_000
"""Bases of contigs whose frames are measured in one go, by columns of all of them."""
_WINDOW_BP = 10_000
_LEVEL = 4
_MIN_RATIO = 0.05
"""Compressed size per base. Real DNA of 27 to 63 % GC needs 0.28 to 0.34; tandem repeats
of up to 1,000 bases stay below (longer ones have stops in every frame, so they do no harm)."""


@dataclass(frozen=True, slots=True)
class ChosenSearch:
    """A contig after its search, with the topology and the code that it was searched in."""

    contig: Contig
    result: ContigSearch
    topology: InferredTopology
    code: Code
    method: str


def call_genes(
    genome: Genome,
    *,
    phage: bool = False,
    locus_tag_prefix: str | None = None,
    locus_tags_before: int = 0,
    parameters: RescueParameters | None = None,
) -> GeneCalls:
    """Predict the protein-coding genes of every contig.

    Args:
        genome: Genes that it has already play no part; its genetic codes and
            topologies, where the file states them, do.
        phage: Propose all frames that the finder leaves out and that justify the search
            of their protein, those inside genes among them; else only frames beside
            genes that are likely without it, and none in bacteria.
        locus_tag_prefix: Stem of the ids, which then run over all records; default: the id
            of the record, with numbers of its own.
        locus_tags_before: Numbers behind the prefix, in steps of ten, that are taken.
        parameters: Of the models that judge frames; default: what ships.

    Returns:
        Base calls with ids ``<stem>_00010``, ``_00020`` by position, and candidates
        with ids in the gaps between them. The base calls are the same with and
        without ``phage``. The same input gives the same calls.

    Cost: lambda 0.2 CPU s, E. coli K-12 3 CPU s (6 with ``phage``); O(length) memory.
    """
    found = call_contigs(
        genome,
        phage=phage,
        locus_tag_prefix=locus_tag_prefix,
        locus_tags_before=locus_tags_before,
        parameters=parameters,
    )
    return with_remarks(genome, found)


def call_contigs(  # noqa: PLR0913 - all but the genome by keyword
    genome: Genome,
    *,
    phage: bool,
    locus_tag_prefix: str | None = None,
    locus_tags_before: int = 0,
    parameters: RescueParameters | None = None,
    longest_bp: int | None = None,
) -> tuple[ContigCalls, ...]:
    """Predict the genes of contigs, which may be some of a file.

    Contigs of phages are searched each by itself; those of bacteria learn from one another and
    must come together.

    Args:
        genome: With the kind of each contig where it has not all contigs of the file.
        phage: See :func:`call_genes`, as for the following three.
        locus_tag_prefix: Only for all contigs of a file together: the numbers run over them.
        locus_tags_before: Numbers that are taken.
        parameters: Of the models that judge frames.
        longest_bp: Of the contigs of the file; None: it has no others.
    """
    searched = search_genome(genome, scored=phage, longest_bp=longest_bp)
    used = parameters or load_rescue()
    series = list(_id_series(searched, locus_tag_prefix, locus_tags_before))
    calls = (
        call
        for few in _together(searched)
        for call in _contig_calls(searched[few], series[few], used, nested=phage)
    )
    found = map(_with_all_bases, calls, genome.contigs)
    return tuple(replace(call, contig=with_ends(call.contig)) for call in found)


def with_remarks(genome: Genome, found: tuple[ContigCalls, ...]) -> GeneCalls:
    """The calls on all contigs of a genome, with remarks on the shapes of contigs."""
    contigs = [call.contig for call in found]
    remarks = (*circle_warnings(contigs), *end_warnings(contigs))
    return GeneCalls(replace(genome, warnings=(*genome.warnings, *remarks)), found)


def _id_series(
    searched: Sequence[ChosenSearch], prefix: str | None, before: int
) -> Iterator[IdSeries]:
    """The ids of each contig; with a prefix no two contigs have a number in common."""
    ids = IdSeries(prefix or "", before)
    for one in searched:
        yield ids if prefix else IdSeries(one.contig.id)
        ids = ids.behind(len(one.result.calls))


def needs_calling(genome: Genome) -> bool:
    """Whether a genome comes without any protein-coding gene."""
    return not genome.genes


def is_bacterium(genome: Genome) -> bool:
    """At least 500 kb in contigs that look like one genome.

    A file of a hundred phages is long enough too, but has no genome in common to
    learn from. One genome it is where half of the bases lie in contigs of 100 kb and
    more, or, as in drafts, in contigs of 10 kb and more of nearly the same GC content.

    Cost: O(length).
    """
    if genome.length_bp < BACTERIUM_BP:
        return False
    if _half_lies_in(genome, _LARGE_CONTIG_BP):
        return True
    return _half_lies_in(genome, _DRAFT_CONTIG_BP) and _gc_spread(genome) <= _MAX_GC_SPREAD


def search_genome(
    genome: Genome, *, scored: bool, longest_bp: int | None = None
) -> list[ChosenSearch]:
    """Search every contig in its topology and its code.

    Args:
        genome: Its genes play no part.
        scored: Score the frames that are not called in bacteria too; elsewhere they always are.
        longest_bp: Of the contigs of the file; None: it has no others.
    """
    readable = replace(genome, contigs=tuple(map(_without_endless_repeats, genome.contigs)))
    kinds = kinds_of(genome)
    bacterial = [c for c in readable.contigs if kinds[c.id] is GenomeKind.BACTERIUM]
    bacterium = replace(readable, contigs=tuple(bacterial))
    if longest_bp is None:
        longest_bp = max(map(len, genome.contigs), default=0)
    found: dict[str, ChosenSearch] = {}
    if enough := is_bacterium(bacterium):
        searched = _search_bacterium(bacterium, scored) or ()
        found = {one.contig.id: one for one in searched}
    note = "; too few known bases to learn from" if enough and not found else ""
    return [
        found.get(contig.id) or _search_small(contig, longest_bp, note)
        for contig in readable.contigs
    ]


def mask_endless_repeats(bases: str) -> str:
    """The same length, with windows of 10 kb that are one endless repeat turned to N.

    Cost: O(length); 0.02 s a megabase.
    """
    windows = [bases[at : at + _WINDOW_BP] for at in range(0, len(bases), _WINDOW_BP)]
    if not any(map(_is_endless, windows)):
        return bases
    return "".join("N" * len(w) if _is_endless(w) else w for w in windows)


def _is_endless(window: str) -> bool:
    """Whether a whole window repeats itself; shorter ends of contigs never do harm."""
    if len(window) < _WINDOW_BP:
        return False
    return len(zlib.compress(window.encode("ascii"), _LEVEL)) < _MIN_RATIO * len(window)


def _without_endless_repeats(contig: Contig) -> Contig:
    return replace(contig, bases=mask_endless_repeats(contig.bases))


def _with_all_bases(calls: ContigCalls, contig: Contig) -> ContigCalls:
    """Give a contig back what was masked for the search, and say that it was."""
    called = calls.contig
    if called.bases == contig.bases or called.calling is None:
        return calls
    method = f"{called.calling.method}; endless repeats were not searched"
    calling = replace(called.calling, method=method)
    return replace(calls, contig=replace(called, bases=contig.bases, calling=calling))


def _half_lies_in(genome: Genome, contig_bp: int) -> bool:
    """Whether contigs of that length and more hold half of the bases."""
    held_bp = sum(len(contig) for contig in genome.contigs if len(contig) >= contig_bp)
    return 2 * held_bp >= genome.length_bp


def _gc_spread(genome: Genome) -> float:
    """Standard deviation of the contigs' GC share, 0..0.5, each weighted by its length."""
    long = [contig.bases for contig in genome.contigs if len(contig) >= _DRAFT_CONTIG_BP]
    shares = [(bases.count("G") + bases.count("C")) / len(bases) for bases in long]
    total_bp = sum(map(len, long))
    mean = sum(len(bases) * share for bases, share in zip(long, shares, strict=True)) / total_bp
    squares = (len(bases) * (share - mean) ** 2 for bases, share in zip(long, shares, strict=True))
    return math.sqrt(sum(squares) / total_bp)


def _search_bacterium(genome: Genome, scored: bool) -> list[ChosenSearch] | None:
    """Search with a model trained on all contigs; None where none can be trained."""
    known_bp = sum(len(c.bases) - c.bases.count("N") for c in genome.contigs)
    if known_bp < _LARGE_CONTIG_BP:
        return None
    longest_bp = max(map(len, genome.contigs))
    common = _code_from_samples(genome)
    codes = [stated_code(contig) or common for contig in genome.contigs]
    texts = [contig.bases for contig in genome.contigs]
    models = {n: trained_model(texts, n) for n in sorted({code.number for code in codes})}
    searched = (
        _search(contig, longest_bp, models[code.number], code)
        for contig, code in zip(genome.contigs, codes, strict=True)
    )
    return [
        own if own is not None else replace(one, result=with_starts(one.result)) if scored else one
        for one in searched
        for own in (_in_its_own_code(one, common, longest_bp),)
    ]


def _in_its_own_code(searched: ChosenSearch, common: Code, longest_bp: int) -> ChosenSearch | None:
    """A contig whose genes the genome's code does not explain, searched in a code of its own.

    A recoded phage or plasmid may lie among the contigs of a draft.
    """
    contig, calls = searched.contig, searched.result.calls
    coding_bp = sum(len(call.interval) for call in calls)
    explained = coding_bp >= _EXPLAINED * len(contig)
    if stated_code(contig) or len(contig) not in _OWN_CODE_BP or explained:
        return None
    own = _search_small(contig, longest_bp, "")
    return own if own.code.number not in {common.number, STANDARD_CODE} else None


def _code_from_samples(genome: Genome) -> Code:
    """One code for all contigs of a bacterium, from stretches over its whole length."""
    if all(stated_code(contig) for contig in genome.contigs):
        return _USUAL
    joined = "".join(contig.bases for contig in genome.contigs)
    stride = (len(joined) - _SAMPLE_BP) // (_SAMPLES - 1)
    samples = [joined[at * stride : at * stride + _SAMPLE_BP] for at in range(_SAMPLES)]
    code = infer_genetic_code([(text, search(text, meta_model(STANDARD_CODE))) for text in samples])
    return replace(code, reason=f"{code.reason} (inferred from {_SAMPLES} samples of the genome)")


def _search_small(contig: Contig, longest_bp: int, note: str) -> ChosenSearch:
    """Search one contig with the models that come with the finder."""
    stated = stated_code(contig)
    if stated is None:
        usual = _search(contig, longest_bp, meta_model(STANDARD_CODE), _USUAL)
        code = infer_genetic_code([(usual.result.layout.text, usual.result.found)])
    else:
        usual, code = None, stated
    if usual is not None and code.number == STANDARD_CODE:
        found = replace(usual, code=code)
    else:
        found = _search(contig, longest_bp, meta_model(code.number), code)
    return replace(found, result=with_starts(found.result), method=found.method + note)


def _search(contig: Contig, longest_bp: int, model: Model, code: Code) -> ChosenSearch:
    """Search a contig in its topology, or in both where the file does not state it."""
    topology = infer_topology(contig, longest_bp=longest_bp)
    if topology is not None:
        result = search_contig(contig.bases, model, circle=topology.is_circle)
    else:
        line = search_contig(contig.bases, model, circle=False)
        topology, result = _tried_both_ways(contig, line)
    return ChosenSearch(contig, result, topology, code, _method(result))


def _tried_both_ways(contig: Contig, line: ContigSearch) -> tuple[InferredTopology, ContigSearch]:
    """The topology of a contig where the file does not say, and the search in it."""
    reason = why_no_circle(line)
    if reason is not None:
        return tried_topology(reason, is_circle=False), line
    circle = search_as_circle(contig.bases, line)
    topology = better_topology(line, circle)
    return topology, circle if topology.is_circle else line


def _method(result: ContigSearch) -> str:
    if not result.model.is_meta:
        return "pyrodigal single, trained on this genome"
    name = "pyrodigal-gv meta" if result.model.code in VIRAL_MODEL_CODES else "pyrodigal meta"
    return f"{name}, {result.found.model_name}" if result.found.model_name else name


def _together(searched: Sequence[ChosenSearch]) -> Iterator[slice]:
    """Contigs whose frames are measured together: a long one, or as many short ones as it has."""
    first, held_bp = 0, 0
    for number, one in enumerate(searched):
        if held_bp and held_bp + len(one.contig) > _TOGETHER_BP:
            yield slice(first, number)
            first, held_bp = number, 0
        held_bp += len(one.contig)
    if first < len(searched):
        yield slice(first, len(searched))


def _contig_calls(
    searched: Sequence[ChosenSearch],
    series: Sequence[IdSeries],
    parameters: RescueParameters,
    *,
    nested: bool,
) -> Iterator[ContigCalls]:
    """Genes and candidates of contigs, with their ids."""
    measured = [
        ContigFrames(
            one.contig.bases,
            one.code.number,
            circle=one.topology.is_circle,
            bacterium=not one.result.model.is_meta,
            calls=one.result.calls,
            starts=one.result.starts,
        )
        for one in searched
    ]
    proposals = propose(measured, parameters, nested=nested)
    starts = internal_starts(measured, parameters)
    for one, ids, frames, inside in zip(searched, series, proposals, starts, strict=True):
        # Without the option they are reported, and never genes of their own.
        kept = inside if nested else [start._replace(is_strong=False) for start in inside]
        yield with_candidates(_called(one, ids), frames, kept, ids, one.code.number)


def _called(searched: ChosenSearch, ids: IdSeries) -> Contig:
    """A contig with the genes that were called on it."""
    contig, code = searched.contig, searched.code
    genes = tuple(
        gene_of(contig, call, ids.base_id(place), code.number)
        for place, call in enumerate(searched.result.calls)
    )
    calling = GeneCalling(
        method=searched.method,
        translation_table=code.number,
        code_reason=code.reason,
        topology_reason=searched.topology.reason,
    )
    return replace(contig, topology=searched.topology.topology, genes=genes, calling=calling)
