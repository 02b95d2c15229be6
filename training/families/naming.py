"""The name of a family: what a curator would put on it, given its members' names.

Every name votes (:mod:`training.families.votes`) for the function that it states and
for whatever that is a kind of; the most telling claim with enough support wins
(:mod:`training.families.choice`). A doubt ("putative") stays only where nearly every
name has it: most submitters write it by habit, and how sure a transfer is, is for its
evidence to say.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from string import digits

from genint.knowledge.own_families import LEAST_CONSENSUS
from genint.knowledge.product_names import NameKind, classify_product, opposed, set_apart, words_of
from genint.knowledge.products import Product, ProductVocabulary, Relation
from genint.model.vocabulary import Category
from training.families.choice import Candidate, choose, modest, vague_of
from training.families.corrections import Corrections, FamilyCorrection
from training.families.inputs import InputError
from training.families.style import best_wording, family_symbol, mostly_hedged
from training.families.values import Lineage, Origin, TrainingProtein
from training.families.votes import Claim, Reading, Vote, cast, is_class, read_name, readings
from training.families.wording import last_symbol

MIN_MEMBERS = 2
MIN_RECORDS = 2
CURATED_ALONE = ((Origin.SWISSPROT, 1),)
_MAX_DISSENTERS = 8


@dataclass(frozen=True, slots=True)
class Label:
    """What a family is called, and what that rests on.

    Attributes:
        name: As reports say it.
        product: Id in the vocabulary; None for a name that it lacks.
        symbol: Gene symbol that the agreeing members share; None where they don't.
        vague: The name is of a class and leaves the function open.
        consensus: Share of the informative weight behind the name, 0..1.
        informative: Share of the members with an informative name, 0..1.
        members: Distinct proteins.
        named_members: Those with an informative name.
        agreeing: Hashes of the members whose name is this or a narrower one, sorted.
        records: Records that the members are from.
        origins: Agreeing members by who named them, most trusted first.
        dissenters: Other names, weightiest first, for a person to read.
        is_read: A person read the name from those of the members.
        covers: What the members may be called beside it, as a reader found.
        ec: Enzyme numbers that a reader decided on; None: those of the members.
    """

    name: str
    product: str | None
    symbol: str | None
    vague: bool
    consensus: float
    informative: float
    members: int
    named_members: int
    agreeing: tuple[str, ...]
    records: int
    origins: tuple[tuple[Origin, int], ...]
    dissenters: tuple[str, ...]
    is_read: bool = False
    covers: tuple[Claim, ...] = ()
    ec: tuple[str, ...] | None = None


def label(
    family_id: str,
    members: Sequence[TrainingProtein],
    vocabulary: ProductVocabulary,
    corrections: Corrections,
) -> Label | None:
    """The name of a cluster; None where it earns none and makes no family.

    A class ("virion structural protein") on the word of one automatic annotation says
    too little to ship. What a person decided of a family rests on what its records say,
    mistaken as that may be: where none of the members left says anything, it is void.
    """
    if len(members) < MIN_MEMBERS or len(_records(members)) < MIN_RECORDS:
        return None
    votes = cast(members, vocabulary, corrections)
    decided = corrections.family(family_id, members)
    if decided is None:
        return _as_voted(members, votes, vocabulary)
    if decided.is_dropped or not cast(members, vocabulary, Corrections()):
        return None
    found: Label | None = None
    if decided.name is not None:
        found = _as_decided(decided.name, decided, members, votes, vocabulary)
    if found is None or (decided.is_read and not found.agreeing):
        found = _as_voted(members, votes, vocabulary)  # what no record says is no evidence
    if found is None:
        return None
    symbol = found.symbol if decided.symbol is None else decided.symbol or None
    return replace(found, symbol=symbol, ec=decided.ec)


def _as_voted(
    members: Sequence[TrainingProtein], votes: Sequence[Vote], vocabulary: ProductVocabulary
) -> Label | None:
    """The label that the names of the members earn."""
    of_phages = 2 * sum(map(_is_of_phage, members)) >= len(members)
    chosen = modest(choose(votes, vocabulary, of_phages=of_phages), votes, vocabulary)
    if chosen is None:
        return None
    found = _describe(chosen, members, votes, vocabulary)
    return found if _earned(found, members) else None


def _earned(found: Label, members: Sequence[TrainingProtein]) -> bool:
    """Whether enough stands behind a name.

    Among bacteria one name is little: two members carry it, or the only one that has a name
    has it from a curator.
    """
    if found.vague and found.origins in (((Origin.SEED, 1),), ((Origin.AUTOMATIC, 1),)):
        return False
    if any(map(_is_of_phage, members)):
        return True
    if len(found.agreeing) >= MIN_MEMBERS:
        return True
    return found.named_members == 1 and found.origins == CURATED_ALONE


def _is_of_phage(member: TrainingProtein) -> bool:
    return any(said.lineage is Lineage.PHAGE for said in member.namings)


def check_decided(corrections: Corrections, vocabulary: ProductVocabulary) -> None:
    """Make sure that every name that a person gave a family states a function.

    Raises:
        InputError: one does not; the message names the family.
    """
    for entry in (corrections.families or {}).values():
        if entry.name is not None and read_name(entry.name, vocabulary) is None:
            raise InputError(f"correction of {entry}: {entry.name!r} states no function")


def _as_decided(
    name: str,
    decided: FamilyCorrection,
    members: Sequence[TrainingProtein],
    votes: Sequence[Vote],
    vocabulary: ProductVocabulary,
) -> Label:
    """The label with the name that a person gave; it counts as just accepted at least.

    Only members that say so are counted as its support, however it was found: by its own words,
    or by others that the person found to mean the same or a kind of it.
    """
    reading = read_name(name, vocabulary)
    if reading is None:
        raise ValueError(f"corrected name {name!r} states no function")
    covers = _claims(decided.covers, vocabulary)
    votes = [_widened(vote, covers, reading) for vote in votes]
    chosen = Candidate.weighed(reading.claim, votes, vague_of(reading.wider, vocabulary))
    measured = _describe(chosen, members, votes, vocabulary)
    if measured.product:
        name, vague = vocabulary.products[measured.product].name, measured.vague
    else:
        vague = classify_product(name) is NameKind.BROAD
    consensus = max(measured.consensus, LEAST_CONSENSUS)
    return replace(
        measured,
        name=name,
        vague=vague,
        consensus=consensus,
        is_read=decided.is_read,
        covers=covers,
    )


def _claims(names: Iterable[str], vocabulary: ProductVocabulary) -> tuple[Claim, ...]:
    """What names state, with the gene symbols in them and without."""
    read = (
        read_name(name, vocabulary, with_symbol=each) for name in names for each in (True, False)
    )
    return tuple(sorted({reading.claim for reading in read if reading is not None}))


def _widened(vote: Vote, covers: Iterable[Claim], to: Reading) -> Vote:
    """The vote, also for a name that covers what it says."""
    said = vote.reading
    if said.claims(to.claim) or not any(said.claims(claim) for claim in covers):
        return vote
    return vote._replace(
        reading=said._replace(wider=(*said.wider, (to.claim, to.wording), *to.wider))
    )


def _records(members: Iterable[TrainingProtein]) -> frozenset[str]:
    return frozenset(record for member in members for record in member.records)


def _describe(
    chosen: Candidate,
    members: Sequence[TrainingProtein],
    votes: Sequence[Vote],
    vocabulary: ProductVocabulary,
) -> Label:
    """The label of a family whose name is decided."""
    behind = [vote for vote in votes if vote.reading.claims(chosen.claim)]
    agreeing = {vote.member for vote in behind}
    named = {vote.member for vote in votes}
    product = vocabulary.products[chosen.claim.product] if chosen.claim.product else None
    name = product.name if product else best_wording(chosen.claim, behind)
    by_origin = Counter(origin for origin, _ in {(vote.origin, vote.member) for vote in behind})
    vague = product.vague if product else _is_class(name, chosen.claim, behind)
    carriers = [member for member in members if member.hash in agreeing]
    return Label(
        name=f"putative {name}" if mostly_hedged(behind) else name,
        product=product.id if product else None,
        symbol=None if vague else family_symbol(product, carriers),
        vague=vague,
        consensus=chosen.consensus,
        informative=len(named) / len(members),
        members=len(members),
        named_members=len(named),
        agreeing=tuple(sorted(agreeing)),
        records=len(_records(members)),
        origins=tuple((origin, by_origin[origin]) for origin in Origin if by_origin[origin]),
        dissenters=_dissenters(chosen.claim, votes),
    )


def _is_class(name: str, claim: Claim, behind: Iterable[Vote]) -> bool:
    """Whether a name outside the vocabulary leaves the function open.

    Also a single word that nobody said, only implied ("dehydrogenase").
    """
    if classify_product(name) is NameKind.BROAD:
        return True
    return " " not in name and all(vote.reading.claim != claim for vote in behind)


def _dissenters(claim: Claim, votes: Iterable[Vote]) -> tuple[str, ...]:
    others: defaultdict[str, float] = defaultdict(float)
    for vote in votes:
        if not vote.reading.claims(claim):
            others[vote.reading.wording] += vote.weight
    ranked = sorted(others, key=lambda wording: (-round(others[wording], 9), wording))
    return tuple(ranked[:_MAX_DISSENTERS])


_VIRION = frozenset({Category.PACKAGING, Category.HEAD, Category.CONNECTOR, Category.TAIL})
_CELL = frozenset(
    {
        Category.REPLICATION,
        Category.NUCLEOTIDES,
        Category.TRANSCRIPTION,
        Category.TRANSLATION,
        Category.METABOLISM,
    }
)


def disagrees(
    label: Label,
    protein: TrainingProtein,
    vocabulary: ProductVocabulary,
    corrections: Corrections,
) -> bool:
    """Whether a protein is clearly something else than a family's name says.

    Every informative name of it has to say so. False wherever that is unsure: other
    words may be of the same function.
    """
    said = {reading for _, reading in readings(protein, vocabulary, corrections)}
    if any(reading.claims(claim) for reading in said for claim in label.covers):
        return False
    return bool(said) and all(_contradicts(label, reading, vocabulary) for reading in said)


def _contradicts(label: Label, reading: Reading, vocabulary: ProductVocabulary) -> bool:
    if label.product is not None and reading.claim.product:
        return _products_contradict(
            vocabulary.products[label.product],
            vocabulary.products[reading.claim.product],
            vocabulary,
        )
    own = read_name(label.name, vocabulary)
    if own is None or reading.claims(own.claim) or own.claims(reading.claim):
        return False
    if own.within is not None and reading.claims(own.within):
        return _tells_apart(own, reading, vocabulary)
    if {claim for claim, _ in own.wider} & {claim for claim, _ in reading.wider}:
        return False
    ours, theirs = words_of(label.name), words_of(reading.wording)
    if opposed(ours, theirs) or set_apart(ours, theirs):
        return True
    return bool(ours and theirs) and ours.isdisjoint(theirs)


def _tells_apart(own: Reading, reading: Reading, vocabulary: ProductVocabulary) -> bool:
    """Whether a name is of another one of the class in which a symbol names ours.

    RcsC and BaeS are two histidine kinases; SpxA1 and SpxA2 are both SpxA.
    """
    if reading.within is not None:
        ours, theirs = (last_symbol(one.wording) or "" for one in (own, reading))
        return ours.rstrip(digits) != theirs.rstrip(digits)
    product = vocabulary.products.get(reading.claim.product)
    return product is not None and not is_class(product)


def _products_contradict(own: Product, other: Product, vocabulary: ProductVocabulary) -> bool:
    relation = vocabulary.related(own.id, other.id)
    if relation is Relation.OPPOSITE:
        return True
    if relation in (Relation.SAME, Relation.NARROWER, Relation.BROADER):
        return False
    if own.vague or other.vague:
        return (own.category in _VIRION and other.category in _CELL) or (
            own.category in _CELL and other.category in _VIRION
        )
    if relation is Relation.SIBLING:
        return True
    # One category, nothing in common: often two views of one thing (lysozyme and endolysin).
    return own.category is not other.category
