"""From bases to calls: how each contig is searched, and what is noted about it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from genint.genes import naming
from genint.genes.calls import ContigCalls, GeneCalls
from genint.genes.candidates import Ground, propose
from genint.genes.codes import MIN_TEXT_BP, Code, stated_code, told_code, unusable_code
from genint.genes.ends import end_warnings, with_ends
from genint.genes.finder import Model, is_known_code, meta_model, search, trained_model
from genint.genes.internal_starts import internal_starts
from genint.genes.layout import ContigSearch, search_contig
from genint.genes.models import STANDARD_CODE, VIRAL_MODEL_CODES
from genint.genes.placing import Naming, gene_of, with_candidates
from genint.genes.repeats import mask_endless_repeats
from genint.genes.shapes import Shape, better_shape, circle_warnings, settled_shape
from genint.knowledge.rescue import RescueParameters, load_rescue
from genint.model.genome import Contig, GeneCalling, Genome

_BACTERIUM_BP = 500_000
"""From here on a genome teaches the finder itself; the smallest free-living bacteria have it."""
_LARGE_CONTIG_BP = 100_000
"""Contigs of many phages in one file are mostly shorter; those of a bacterium hold half of
its bases in longer ones. Pyrodigal too asks for this much to learn from."""
_DRAFT_CONTIG_BP = 10_000
_MAX_GC_SPREAD = 0.04
"""Between genome and collection: four bacteria cut into pieces of 10 kb spread by 0.019 to
0.028 in GC share, ten phages of several hosts by 0.11."""
_EXPLAINED = 0.82
"""Share of a contig inside genes below which it is asked for a code of its own: two recoded
phages searched with the model of S. pyogenes have 0.72 and 0.78, most bacteria 0.85 and more."""
_OWN_CODE_BP = range(MIN_TEXT_BP, _BACTERIUM_BP)
"""Lengths of contigs that may be a phage or a plasmid among those of a bacterium."""
_SAMPLE_BP = 50_000
_SAMPLES = 4
"""Stretches of a bacterium that its genetic code is told from."""

_USUAL = Code(STANDARD_CODE, "the usual code")


@dataclass(frozen=True, slots=True)
class Settled:
    """A contig after its search, with the shape and the code that it was searched in."""

    contig: Contig
    result: ContigSearch
    shape: Shape
    code: Code
    method: str


def needs_calling(genome: Genome) -> bool:
    """Whether a genome comes without any protein-coding gene."""
    return not genome.genes


def call_genes(
    genome: Genome,
    *,
    phage: bool = False,
    locus_tag_prefix: str | None = None,
    parameters: RescueParameters | None = None,
) -> GeneCalls:
    """Predict the protein-coding genes of every contig.

    Args:
        genome: Genes that it has already play no part; its genetic codes and
            topologies, where the file states them, do.
        phage: Propose all frames that the finder leaves out and that are worth the search
            of their protein, those inside genes among them; else only frames beside
            genes that are likely without it, and none in bacteria.
        locus_tag_prefix: Stem of the ids; default: the record's id.
        parameters: Of the models that judge frames; default: what ships.

    Returns:
        Base calls with ids ``<stem>_00010``, ``_00020`` by position, and candidates
        with ids in the gaps between them. The base calls are the same with and
        without ``phage``. The same input gives the same calls.

    Cost: lambda 0.2 CPU s, E. coli K-12 3 CPU s (6 with ``phage``); O(length) memory.
    """
    searched = search_genome(genome, scored=phage)
    used = parameters or load_rescue()
    calls = (
        _contig_calls(s, naming.stem(s.contig, genome, locus_tag_prefix), used, nested=phage)
        for s in searched
    )
    found = tuple(map(_with_all_bases, calls, genome.contigs))
    found = tuple(replace(call, contig=with_ends(call.contig)) for call in found)
    contigs = [call.contig for call in found]
    remarks = (*circle_warnings(contigs), *end_warnings(contigs))
    return GeneCalls(replace(genome, warnings=(*genome.warnings, *remarks)), found)


def search_genome(genome: Genome, *, scored: bool) -> list[Settled]:
    """Search every contig in its shape and its code.

    Args:
        genome: Its genes play no part.
        scored: Score the frames that are not called in bacteria too; elsewhere they always are.
    """
    readable = replace(genome, contigs=tuple(map(_without_endless_repeats, genome.contigs)))
    if (enough := is_bacterium(readable)) and (found := _search_bacterium(readable, scored)):
        return found
    longest_bp = max(map(len, genome.contigs), default=0)
    note = "; too few known bases to learn from" if enough else ""
    return [_search_small(contig, longest_bp, note) for contig in readable.contigs]


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


def is_bacterium(genome: Genome) -> bool:
    """At least 500 kb in contigs that look like one genome.

    A file of a hundred phages is long enough too, but has no genome in common to
    learn from. One genome it is where half of the bases lie in contigs of 100 kb and
    more, or, as in drafts, in contigs of 10 kb and more of nearly the same GC content.

    Cost: O(length).
    """
    if genome.length_bp < _BACTERIUM_BP:
        return False
    if _half_lies_in(genome, _LARGE_CONTIG_BP):
        return True
    return _half_lies_in(genome, _DRAFT_CONTIG_BP) and _gc_spread(genome) <= _MAX_GC_SPREAD


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


def _search_bacterium(genome: Genome, scored: bool) -> list[Settled] | None:
    """Search with a model trained on all contigs; None where none can be trained."""
    known_bp = sum(len(c.bases) - c.bases.count("N") for c in genome.contigs)
    if known_bp < _LARGE_CONTIG_BP:
        return None
    longest_bp = max(map(len, genome.contigs))
    told = _told_from_samples(genome)
    codes = [_stated(contig) or told for contig in genome.contigs]
    texts = [contig.bases for contig in genome.contigs]
    models = {n: trained_model(texts, n) for n in sorted({code.number for code in codes})}
    searched = (
        _search(contig, longest_bp, models[code.number], code, scored=scored)
        for contig, code in zip(genome.contigs, codes, strict=True)
    )
    return [_in_its_own_code(settled, told, longest_bp) for settled in searched]


def _in_its_own_code(settled: Settled, told: Code, longest_bp: int) -> Settled:
    """A contig whose genes the genome's code does not explain, asked for a code of its own.

    A recoded phage or plasmid may lie among the contigs of a draft.
    """
    contig, calls = settled.contig, settled.result.calls
    coding_bp = sum(len(call.interval) for call in calls)
    explained = coding_bp >= _EXPLAINED * len(contig)
    if _stated(contig) or len(contig) not in _OWN_CODE_BP or explained:
        return settled
    own = _search_small(contig, longest_bp, "")
    return own if own.code.number not in {told.number, STANDARD_CODE} else settled


def _told_from_samples(genome: Genome) -> Code:
    """One code for all contigs of a bacterium, from stretches over its whole length."""
    if all(_stated(contig) for contig in genome.contigs):
        return _USUAL
    joined = "".join(contig.bases for contig in genome.contigs)
    stride = (len(joined) - _SAMPLE_BP) // (_SAMPLES - 1)
    samples = [joined[at * stride : at * stride + _SAMPLE_BP] for at in range(_SAMPLES)]
    code = told_code([(text, search(text, meta_model(STANDARD_CODE))) for text in samples])
    return replace(code, reason=f"{code.reason} (told from {_SAMPLES} samples of the genome)")


def _search_small(contig: Contig, longest_bp: int, note: str) -> Settled:
    """Search one contig with the models that come with the finder."""
    stated = _stated(contig)
    if stated is None:
        usual = _search(contig, longest_bp, meta_model(STANDARD_CODE), _USUAL)
        code = told_code([(usual.result.layout.text, usual.result.found)])
    else:
        usual, code = None, stated
    if usual is not None and code.number == STANDARD_CODE:
        found = replace(usual, code=code)
    else:
        found = _search(contig, longest_bp, meta_model(code.number), code)
    return replace(found, method=found.method + note)


def _stated(contig: Contig) -> Code | None:
    """The code that the file's features use, if any."""
    number = contig.translation_table
    if number is None:
        return None
    return stated_code(number) if is_known_code(number) else unusable_code(number)


def _search(
    contig: Contig, longest_bp: int, model: Model, code: Code, *, scored: bool = True
) -> Settled:
    """Search a contig in its shape, or in both where the file does not tell it."""
    shape = settled_shape(contig, longest_bp=longest_bp)
    if shape is not None:
        result = search_contig(contig.bases, model, circle=shape.is_circle, scored=scored)
    else:
        line, circle = (
            search_contig(contig.bases, model, circle=closed, scored=scored)
            for closed in (False, True)
        )
        shape = better_shape(line, circle)
        result = circle if shape.is_circle else line
    return Settled(contig, result, shape, code, _method(result))


def _method(result: ContigSearch) -> str:
    if not result.model.is_meta:
        return "pyrodigal single, trained on this genome"
    name = "pyrodigal-gv meta" if result.model.code in VIRAL_MODEL_CODES else "pyrodigal meta"
    return f"{name}, {result.found.model_name}" if result.found.model_name else name


def _contig_calls(
    settled: Settled, stem: str, parameters: RescueParameters, *, nested: bool
) -> ContigCalls:
    """Genes and candidates of a contig, with their ids."""
    contig, result, code = settled.contig, settled.result, settled.code.number
    genes = tuple(
        gene_of(contig, call, naming.base_id(stem, place), code)
        for place, call in enumerate(result.calls)
    )
    calling = GeneCalling(
        method=settled.method,
        translation_table=code,
        code_reason=settled.code.reason,
        topology_reason=settled.shape.reason,
    )
    called = replace(contig, topology=settled.shape.topology, genes=genes, calling=calling)
    ground = Ground(
        contig.bases, code, circle=settled.shape.is_circle, bacterium=not result.model.is_meta
    )
    proposals = propose(ground, result.calls, result.starts, parameters, nested=nested)
    starts = internal_starts(result.calls, result.starts, len(contig), parameters)
    return with_candidates(called, proposals, starts, Naming(stem, code, own_genes=nested))
