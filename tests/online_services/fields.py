"""``fields=``: which names there are and which parts of an answer each of them stands for."""

from __future__ import annotations

from collections.abc import Mapping

from .world import Json

ALWAYS = ("entryType", "primaryAccession", "extraAttributes", "inactiveReason")

_KEYS: Mapping[str, tuple[str, ...]] = {
    "accession": (),
    "id": ("uniProtkbId",),
    "reviewed": (),
    "protein_name": ("proteinDescription",),
    "ec": ("proteinDescription",),
    "gene_names": ("genes",),
    "gene_primary": ("genes",),
    "gene_oln": ("genes",),
    "gene_orf": ("genes",),
    "gene_synonym": ("genes",),
    "organism_name": ("organism",),
    "organism_id": ("organism",),
    "lineage": ("lineages",),
    "annotation_score": ("annotationScore",),
    "protein_existence": ("proteinExistence",),
    "keyword": ("keywords",),
    "sequence": ("sequence",),
    "length": ("sequence",),
    "mass": ("sequence",),
    "uniparc_id": (),
    "version": ("entryAudit",),
    "date_modified": ("entryAudit",),
}
_COMMENTS: Mapping[str, str] = {
    "cc_function": "FUNCTION",
    "cc_catalytic_activity": "CATALYTIC ACTIVITY",
    "cc_pathway": "PATHWAY",
    "cc_subcellular_location": "SUBCELLULAR LOCATION",
    "cc_cofactor": "COFACTOR",
    "cc_subunit": "SUBUNIT",
    "cc_domain": "DOMAIN",
    "protein_families": "SIMILARITY",
}
_DATABASES: Mapping[str, str] = {
    "go": "GO",
    "go_id": "GO",
    "go_f": "GO",
    "go_p": "GO",
    "go_c": "GO",
    "xref_pfam": "Pfam",
    "xref_interpro": "InterPro",
    "xref_ncbifam": "NCBIfam",
    "xref_panther": "PANTHER",
    "xref_eggnog": "eggNOG",
    "xref_kegg": "KEGG",
    "xref_refseq": "RefSeq",
    "xref_embl": "EMBL",
    "xref_proteomes": "Proteomes",
}
UNIPROT_FIELDS = frozenset([*_KEYS, *_COMMENTS, *_DATABASES])
"""There are more; these are all that a test asks for."""

_UNIPARC: Mapping[str, tuple[str, ...]] = {
    "upi": (),
    "accession": ("uniProtKBAccessions",),
    "gene": ("geneNames",),
    "protein": ("proteinNames",),
    "proteome": ("proteomes",),
    "organism": ("organisms",),
    "organism_id": ("organisms",),
    "first_seen": ("oldestCrossRefCreated",),
    "last_seen": ("mostRecentCrossRefUpdated",),
    "common_taxons": ("commonTaxons",),
    "length": ("sequence",),
    "checksum": ("sequence",),
    "sequence": (),
    "fullSequence": ("sequence",),
    "fullsequencefeatures": ("sequenceFeatures",),
    "Pfam": ("sequenceFeatures",),
    "InterPro": ("sequenceFeatures",),
}
_UNCONFIRMED = ("fullSequence", "fullsequencefeatures")


class BadFields(ValueError):
    """Names that are no fields."""

    @property
    def messages(self) -> list[str]:
        """As the server writes them."""
        return [f"Invalid fields parameter value '{name}'" for name in self.args]


def uniprot_fields(written: str | None) -> tuple[str, ...] | None:
    """Names of a parameter; None: everything.

    Raises:
        BadFields: some of them are unknown.
    """
    return _checked(written, UNIPROT_FIELDS)


def uniparc_fields(written: str | None, *, all_known: bool) -> tuple[str, ...] | None:
    """The same of UniParc."""
    known = frozenset(_UNIPARC) - frozenset(() if all_known else _UNCONFIRMED)
    return _checked(written, known)


def _checked(written: str | None, known: frozenset[str]) -> tuple[str, ...] | None:
    if not written:
        return None
    names = tuple(name.strip() for name in written.split(","))
    unknown = [name for name in names if name not in known]
    if unknown:
        raise BadFields(*unknown)
    return names


def entry_with(entry: Json, names: tuple[str, ...] | None) -> Json:
    """An entry of UniProtKB with these fields only; absent lists stay absent."""
    if names is None or entry["entryType"] == "Inactive":
        return entry
    wanted = {*ALWAYS, *(key for name in names for key in _KEYS.get(name, ()))}
    cut = {key: value for key, value in entry.items() if key in wanted}
    _pick(
        cut,
        entry,
        "comments",
        "commentType",
        {_COMMENTS[one] for one in _COMMENTS.keys() & set(names)},
    )
    databases = {_DATABASES[one] for one in _DATABASES.keys() & set(names)}
    _pick(cut, entry, "uniProtKBCrossReferences", "database", databases)
    if "extraAttributes" in cut:
        upi = entry["extraAttributes"].get("uniParcId")
        cut["extraAttributes"] = {"uniParcId": upi} if upi else {}
    return cut


def _pick(cut: Json, entry: Json, key: str, by: str, wanted: set[str]) -> None:
    found = [one for one in entry.get(key, ()) if one[by] in wanted]
    if found:
        cut[key] = found


def record_with(record: Json, names: tuple[str, ...] | None) -> Json:
    """A light record of UniParc with these fields only."""
    if names is None:
        return record
    wanted = {"uniParcId", *(key for name in names for key in _UNIPARC[name])}
    cut = {key: value for key, value in record.items() if key in wanted}
    if "sequence" in names and "sequence" not in cut:
        cut["sequence"] = {"value": record["sequence"]["value"]}
    return cut
