"""Queries to online services about proteins, and their answers.

Residues are never part of a query: only checksums and identifiers are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from genint.model.evidence import GoTerm
from genint.model.vocabulary import GoAspect


class OnlineService(StrEnum):
    """A service that answers queries about proteins."""

    UNIPROT = "uniprot"
    INTERPRO = "interpro"

    @property
    def label(self) -> str:
        """As it writes itself."""
        return {"uniprot": "UniProt", "interpro": "InterPro"}[self.value]


class Outage(NamedTuple):
    """A server that is left alone: why, and for how long from now."""

    reason: str
    left_s: float


class AnswerState(StrEnum):
    """What became of the query to a service about one protein."""

    HIT = "hit"
    """It knows something of the protein."""
    NO_MATCH = "no_match"
    """It knows the sequence, and has no entry (UniProt) or signature (InterPro) for it."""
    NOT_IN_DATABASE = "not_in_database"
    """It does not know the sequence: that says nothing of the protein."""
    NOT_ASKED = "not_asked"
    """No query was sent: down, out of time, or no identifier to send."""
    ERROR = "error"
    """A query was sent and gave no usable answer."""

    @property
    def is_answer(self) -> bool:
        """Whether the service answered; only that may be kept in a cache."""
        return self not in (AnswerState.NOT_ASKED, AnswerState.ERROR)


class ProteinQuestion(NamedTuple):
    """All that leaves this machine of a protein.

    Attributes:
        md5: Of the upper-case residues without stop, upper-case hexadecimal.
        crc64: The same residues' CRC-64 as UniProt has it, upper-case hexadecimal.
        length_aa: Residues.
        refseq_ids: Protein ids of RefSeq (NP_, YP_, WP_, XP_), with version, as the file has them.
        cds_ids: Protein ids of GenBank, EMBL and DDBJ (AAC74087.1), with version.
    """

    md5: str
    crc64: str
    length_aa: int
    refseq_ids: tuple[str, ...] = ()
    cds_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OnlineQuestions:
    """The queries of a run.

    Attributes:
        proteins: Each sequence once, in the order of the genes.
        taxon_id: NCBI taxon of the file; None where it names none, or several.
        md5_of: Gene id -> checksum of its protein.
        left_out: Gene id -> why no query is sent for it, in words.
    """

    proteins: tuple[ProteinQuestion, ...]
    taxon_id: int | None
    md5_of: Mapping[str, str]
    left_out: Mapping[str, str] = field(default_factory=dict)


class NameOrigin(StrEnum):
    """Which kind of name an entry of UniProt has."""

    RECOMMENDED = "recommended"
    """Chosen by curators or by a rule of UniProt."""
    SUBMITTED = "submitted"
    """Copied from the record of the sequence."""
    NONE = "none"


class GoClaim(NamedTuple):
    """A term that an entry of UniProt has.

    Attributes:
        term: Id, name, aspect.
        code: Evidence code of the Gene Ontology, such as IDA or IEA.
        assigned_by: Such as EcoCyc or InterPro.
    """

    term: GoTerm
    code: str
    assigned_by: str


class EcClaim(NamedTuple):
    """An EC number of an entry, with the ECO codes of its evidence."""

    number: str
    eco: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class UniProtEntry:
    """What is used of an entry of UniProtKB.

    Attributes:
        accession: Primary accession.
        reviewed: Swiss-Prot, not TrEMBL.
        name: Full name; empty where it has none.
        name_origin: Which kind of name that is.
        name_eco: ECO codes of the name's evidence, in the entry's order.
        symbol: First gene name; empty where it has none.
        locus_tags: Ordered locus names.
        organism, taxon_id: Where it is from.
        ec, go: Claims with their evidence.
        pfam: Pfam accessions.
        existence: 1 (seen as a protein) to 5 (uncertain); None where the entry does not say.
        annotation_score: 1 to 5, how much is annotated, not how well.
        function: Text of its first function comment; empty where it has none.
        length_aa, md5, crc64: Of its sequence.
        digest: Of its residues, as :func:`genint.model.evidence.residues_digest` makes it;
            empty where the answer had none.
        same_sequence: Its residues are those of the protein in the query; otherwise it
            was found by an identifier (same locus, other sequence).
    """

    accession: str
    reviewed: bool
    name: str = ""
    name_origin: NameOrigin = NameOrigin.NONE
    name_eco: tuple[str, ...] = ()
    symbol: str = ""
    locus_tags: tuple[str, ...] = ()
    organism: str = ""
    taxon_id: int | None = None
    ec: tuple[EcClaim, ...] = ()
    go: tuple[GoClaim, ...] = ()
    pfam: tuple[str, ...] = ()
    existence: int | None = None
    annotation_score: int | None = None
    function: str = ""
    length_aa: int = 0
    md5: str = ""
    crc64: str = ""
    digest: str = ""
    same_sequence: bool = True


class InterProEntry(NamedTuple):
    """An entry of InterPro that a signature belongs to.

    Attributes:
        accession: Such as IPR005335.
        name: Short name.
        description: Full name; empty where none is given.
        type: Lower case with underscores: ``family``, ``domain``, ``repeat``,
            ``homologous_superfamily``, ``active_site``, ``binding_site``, ``conserved_site``,
            ``ptm``.
        parent: Accession of the entry above it.
    """

    accession: str
    name: str
    description: str = ""
    type: str = ""
    parent: str | None = None


class MatchPlace(NamedTuple):
    """Where a signature lies on a protein (1-based, inclusive), and on its model where known."""

    start: int
    end: int
    model_start: int | None = None
    model_end: int | None = None
    model_length: int | None = None
    evalue: float | None = None
    score: float | None = None


@dataclass(frozen=True, slots=True)
class InterProMatch:
    """A signature that a protein matches.

    Attributes:
        accession: Such as PF03237.
        library: Lower case without spaces and hyphens: ``pfam``, ``ncbifam``, ``cathgene3d``,
            ``cathfunfam``, ``prositepatterns``, ``prositeprofiles``, ``mobidblite``,
            ``superfamily``, ``hamap``, ``pirsf``, ``pirsr``, ``panther``, ``cdd``, ``smart``,
            ``sfld``, ``prints``, ``coils``, ``phobius``, ``antifam``.
        library_title: As the service writes it, such as ``Pfam``.
        library_version: Release of the library.
        name, description, type: Of the signature; empty where not given, type as in entries.
        entry: Of InterPro; None where the signature is not integrated.
        is_prediction: Of InterPro-N: predicted by a language model, not matched by a signature.
        evalue, score_bits: Of the whole match, where the library has them.
        places: At least one where the service gives any.
    """

    accession: str
    library: str
    library_title: str
    library_version: str = ""
    name: str = ""
    description: str = ""
    type: str = ""
    entry: InterProEntry | None = None
    is_prediction: bool = False
    evalue: float | None = None
    score_bits: float | None = None
    places: tuple[MatchPlace, ...] = ()


class UniProtAnswer(NamedTuple):
    """What UniProt says of a protein.

    Attributes:
        state: What became of the query.
        entries: Best first: same sequence, reviewed, of the taxon of the query, protein existence,
            annotation score, accession; at most five.
        release: Of UniProt, such as 2026_03; None where unknown.
        reason: Why no query was sent or gave no answer, in words; else empty.
        is_stale: From the cache although its release could not be compared with today's.
    """

    state: AnswerState
    entries: tuple[UniProtEntry, ...] = ()
    release: str | None = None
    reason: str = ""
    is_stale: bool = False


class InterProAnswer(NamedTuple):
    """What InterPro says of a protein; see :class:`UniProtAnswer`.

    ``through_uniparc``: the matches were read from UniParc (without E-values and entry types),
    because InterPro gave no answer.
    """

    state: AnswerState
    matches: tuple[InterProMatch, ...] = ()
    release: str | None = None
    reason: str = ""
    is_stale: bool = False
    through_uniparc: bool = False


class ServiceUse(NamedTuple):
    """How a run fared with a service.

    Attributes:
        service: Which one.
        releases: That answers are of, in order; several where a release came out meanwhile.
        problem: What did not work, in words that follow the service's name (``could not be queried:
            503 after 4 attempts``); empty where all did.
        proteins: Distinct proteins of the genome that a query could be sent for.
        answered: Those of them that an answer came for.
        requests, retries, from_cache, seconds: What it cost; never part of a result, which
            must be the same from the network and from the cache.
    """

    service: OnlineService
    releases: tuple[str, ...] = ()
    problem: str = ""
    proteins: int = 0
    answered: int = 0
    requests: int = 0
    retries: int = 0
    from_cache: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class UniProtFindings:
    """Answers of UniProt by MD5, one for every protein of the questions."""

    answers: Mapping[str, UniProtAnswer]
    use: ServiceUse


@dataclass(frozen=True, slots=True)
class InterProFindings:
    """Answers of InterPro by MD5, one for every protein of the questions.

    Attributes:
        answers: By MD5.
        go: Terms of the InterPro entries among the matches, by accession (interpro2go).
        go_note: A remark on those terms (older than the matches, not available);
            empty where there is nothing.
        use: How the run fared.
    """

    answers: Mapping[str, InterProAnswer]
    use: ServiceUse
    go: Mapping[str, tuple[GoTerm, ...]] = field(default_factory=dict)
    go_note: str = ""


@dataclass(frozen=True, slots=True)
class OnlineFindings:
    """What a run learned online; a service is None where it was not requested."""

    questions: OnlineQuestions
    uniprot: UniProtFindings | None = None
    interpro: InterProFindings | None = None


class ServiceAnswer(NamedTuple):
    """What became of the query to a service about one gene, for its result.

    Attributes:
        service: Which one.
        state: What became of it.
        release: Of the service; None where unknown.
        reason: Why there is no answer; empty where there is one.
        is_stale: See :class:`UniProtAnswer`.
        accessions: What was found: entries of UniProtKB; of InterPro its entries, and
            signatures that belong to none.
    """

    service: OnlineService
    state: AnswerState
    release: str | None = None
    reason: str = ""
    is_stale: bool = False
    accessions: tuple[str, ...] = ()


GO_ASPECTS = {"F": GoAspect.FUNCTION, "P": GoAspect.PROCESS, "C": GoAspect.COMPONENT}
"""Letter -> aspect, as UniProt writes it in front of a term (``F:DNA binding``)."""
