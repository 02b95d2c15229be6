"""Entries of UniProtKB and records of UniParc, made by rule, in the shapes of the real ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .checksums import crc64_of, md5_of
from .made_matches import family_of, go_terms_of
from .world import Json

if TYPE_CHECKING:
    from .made import Protein

EXPERIMENT, SIMILARITY, SEQUENCE_MODEL = "ECO:0000269", "ECO:0000250", "ECO:0000255"
STATEMENT, INFERENCE = "ECO:0000303", "ECO:0000305"
RULE, SUBMITTED = "ECO:0000256", "ECO:0000313"
_REVIEWED_ECO = (EXPERIMENT, STATEMENT, INFERENCE, SIMILARITY, SEQUENCE_MODEL)
_LETTERS, _DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
_ANY = _LETTERS + _DIGITS
_EXISTENCE = {
    EXPERIMENT: "1: Evidence at protein level",
    SIMILARITY: "3: Inferred from homology",
    SEQUENCE_MODEL: "3: Inferred from homology",
    RULE: "3: Inferred from homology",
}
_RESIDUE_DA, _WATER_DA = 110, 18


def accession_of(protein: Protein) -> str:
    """Ten characters as new entries have them (``A0A..9A..9``), from the checksum."""
    number = int(md5_of(protein.residues)[:16], 16) + protein.taxon_id
    characters = []
    for allowed in (_ANY, _ANY, _DIGITS, _LETTERS, _ANY, _ANY, _DIGITS):
        number, chosen = divmod(number, len(allowed))
        characters.append(allowed[chosen])
    return f"A0A{''.join(characters)}"


def upi_of(residues: str) -> str:
    """Identifier of UniParc, from the checksum."""
    return f"UPI{md5_of(residues)[:10]}"


def sequence_of(residues: str) -> Json:
    """As all services write a sequence."""
    return {
        "value": residues,
        "length": len(residues),
        "molWeight": _RESIDUE_DA * len(residues) + _WATER_DA,
        "crc64": crc64_of(residues),
        "md5": md5_of(residues),
    }


def eco_of(protein: Protein) -> str:
    """What stands behind the name of its entry."""
    if protein.eco is not None:
        return protein.eco
    if protein.known.value == "reviewed":
        return _REVIEWED_ECO[int(protein.md5[8:12], 16) % len(_REVIEWED_ECO)]
    return RULE if protein.known.value == "unreviewed" else SUBMITTED


def _evidences(eco: str, protein: Protein) -> list[Json]:
    number = str(10_000_000 + int(protein.md5[12:18], 16))
    source = {
        EXPERIMENT: {"source": "PubMed", "id": number},
        STATEMENT: {"source": "PubMed", "id": number},
        SIMILARITY: {"source": "UniProtKB", "id": "P00000"},
        SEQUENCE_MODEL: {"source": "HAMAP-Rule", "id": "MF_99999"},
        RULE: {"source": "ARBA", "id": "ARBA99999999"},
        SUBMITTED: {"source": "EMBL", "id": protein.ids.cds or "AAA00000.1"},
    }.get(eco, {})
    return [{"evidenceCode": eco, **source}]


def uniprot_entry(protein: Protein) -> Json:
    """A whole entry of UniProtKB, as the service would give it without ``fields``."""
    reviewed = protein.known.value == "reviewed"
    eco = eco_of(protein)
    residues = protein.other_residues or protein.residues
    accession = accession_of(protein)
    mnemonic = (protein.ids.symbol or accession).upper()[:10]
    kind = "reviewed (Swiss-Prot)" if reviewed else "unreviewed (TrEMBL)"
    entry: Json = {
        "entryType": f"UniProtKB {kind}",
        "primaryAccession": accession,
        "uniProtkbId": f"{mnemonic}_MADE1",
        "entryAudit": {
            "firstPublicDate": "2020-01-22",
            "lastAnnotationUpdateDate": "2026-06-10",
            "lastSequenceUpdateDate": "2020-01-22",
            "entryVersion": 12,
            "sequenceVersion": 1,
        },
        "annotationScore": {EXPERIMENT: 5, STATEMENT: 4}.get(eco, 3 if reviewed else 1),
        "organism": _organism(protein),
        "proteinExistence": _EXISTENCE.get(eco, "4: Predicted"),
        "proteinDescription": _description(protein, eco),
        "comments": _comments(protein, eco) if reviewed else [],
        "features": [],
        "keywords": [{"id": "KW-1185", "category": "Technical term", "name": "Reference proteome"}],
        "references": [],
        "uniProtKBCrossReferences": _references(protein, eco),
        "sequence": sequence_of(residues),
        "extraAttributes": {
            "countByCommentType": {"FUNCTION": 1} if reviewed else {},
            "countByFeatureType": {},
            "uniParcId": upi_of(residues),
        },
    }
    genes = _genes(protein)
    return {**entry, "genes": genes} if genes else entry


def inactive_entry(accession: str, reason: str = "DELETED", *targets: str) -> Json:
    """What is left of an entry that was deleted, merged (one target) or demerged (several)."""
    why: Json = {"inactiveReasonType": reason}
    if targets:
        why["mergeDemergeTo"] = list(targets)
    return {
        "entryType": "Inactive",
        "primaryAccession": accession,
        "uniProtId": f"{accession}_MADE1",
        "annotationScore": 0,
        "inactiveReason": why,
    }


def _organism(protein: Protein) -> Json:
    lineage = ["Viruses"] if "phage" in protein.organism.lower() else ["Bacteria"]
    return {
        "scientificName": protein.organism,
        "taxonId": protein.taxon_id,
        "lineage": lineage,
    }


def _description(protein: Protein, eco: str) -> Json:
    full = {"value": protein.product, "evidences": _evidences(eco, protein)}
    name: Json = {"fullName": full}
    if protein.ec:
        numbers = [{"evidences": _evidences(eco, protein), "value": ec} for ec in protein.ec]
        name["ecNumbers"] = numbers
    if eco == SUBMITTED:
        return {"submissionNames": [name]}
    return {"recommendedName": name}


def _genes(protein: Protein) -> list[Json]:
    gene: Json = {}
    if protein.ids.symbol:
        gene["geneName"] = {"value": protein.ids.symbol}
    if protein.ids.locus_tag:
        gene["orderedLocusNames"] = [{"value": protein.ids.locus_tag}]
    return [gene] if gene else []


def _comments(protein: Protein, eco: str) -> list[Json]:
    text = f"Made up: acts as {protein.product[:1].lower()}{protein.product[1:]}"
    evidences = _evidences(eco, protein)
    return [{"texts": [{"evidences": evidences, "value": text}], "commentType": "FUNCTION"}]


def _references(protein: Protein, eco: str) -> list[Json]:
    references: list[Json] = []
    if protein.ids.cds:
        references.append(
            _reference(
                "EMBL",
                "XX000001",
                ProteinId=protein.ids.cds,
                Status="-",
                MoleculeType="Genomic_DNA",
            )
        )
    if protein.ids.refseq:
        nucleotides = {"NucleotideSequenceId": "NC_999999.1"}
        references.append(_reference("RefSeq", protein.ids.refseq, **nucleotides))
    family = family_of(protein)
    code = {EXPERIMENT: "IDA:UniProtKB", RULE: "IEA:InterPro"}.get(eco, "IEA:UniProtKB-KW")
    if eco != SUBMITTED:
        for letter, go_id, name in go_terms_of(protein):
            values = {"GoTerm": f"{letter}:{name}", "GoEvidenceType": code}
            references.append(_reference("GO", go_id, **values))
    references.append(
        _reference("InterPro", family.entry, EntryName=family.entry_name),
    )
    references.append(_reference("Pfam", family.pfam, EntryName=family.pfam_name, MatchStatus="1"))
    return references


def _reference(database: str, number: str, **properties: str) -> Json:
    listed = [{"key": key, "value": value} for key, value in properties.items()]
    return {"database": database, "id": number, "properties": listed}


def uniparc_record(protein: Protein, matches: tuple[Json, ...]) -> Json:
    """A light record of UniParc; accessions of UniProtKB are to be added.

    It has one retired accession (with a version, as UniParc writes them).
    """
    return {
        "uniParcId": upi_of(protein.residues),
        "crossReferenceCount": 3,
        "commonTaxons": [],
        "uniProtKBAccessions": ["A0A000AAA0.1"],
        "sequence": sequence_of(protein.residues),
        "sequenceFeatures": [feature for match in matches for feature in _features(match)],
        "oldestCrossRefCreated": "2020-01-22",
        "mostRecentCrossRefUpdated": "2026-08-26",
        "organisms": [{"scientificName": protein.organism, "taxonId": protein.taxon_id}],
        "proteinNames": [protein.product],
        "geneNames": [protein.ids.symbol] if protein.ids.symbol else [],
        "proteomes": [],
    }


_IN_UNIPARC = {
    "Pfam": "Pfam",
    "NCBIFAM": "NCBIfam",
    "CATH-Gene3D": "Gene3D",
    "PROSITE patterns": "PROSITE",
    "PANTHER": "PANTHER",
}


def _features(match: Json) -> list[Json]:
    library = match["signature"]["signatureLibraryRelease"]["library"]
    if library not in _IN_UNIPARC:
        return []
    places = [{"start": one["start"], "end": one["end"]} for one in match["locations"]]
    feature: Json = {
        "database": _IN_UNIPARC[library],
        "databaseId": match["signature"]["accession"],
        "locations": places,
    }
    entry = match["signature"]["entry"]
    if entry is None:
        return [feature]
    group = {"id": entry["accession"], "name": entry["description"]}
    return [{"interproGroup": group, **feature}]
