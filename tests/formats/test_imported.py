"""Results of other programs: each is recognised by its content, and a damaged file says where."""

from __future__ import annotations

import gzip
import json

import pytest

from genint.errors import FormatError
from genint.formats.imported.peptides import bare
from genint.formats.imported.read import read_imported
from genint.model import EvidenceSource
from genint.model.imported import NamedBy
from genint.model.interval import Strand

PHAROKKA = (
    "gene\tstart\tstop\tstrand\tcontig\tmmseqs_phrog\tmmseqs_seqIdentity\tmmseqs_eVal\t"
    "pyhmmer_phrog\tpyhmmer_bitscore\tpyhmmer_evalue\tphrog\tannot\tcategory\n"
    "T_1\t159\t22\t-\tX1\t97\t0.5\t1e-30\tNo_PHROG\tNo_PHROG\tNo_PHROG\t97\tholin\tlysis\n"
    "T_2\t201\t320\t+\tX1\tNo_PHROG\tNo_PHROG\tNo_PHROG\t6\t80.5\t1e-20\t6\tportal protein\thead\n"
)
PHOLD = (
    "contig_id\tcds_id\tstart\tend\tstrand\tphrog\tfunction\tproduct\tannotation_method\t"
    "annotation_confidence\tfident\tevalue\tqStart\tqEnd\tqCov\ttCov\n"
    "X1\tT_1\t159\t22\t-\t97\tlysis\tholin\tfoldseek\thigh\t0.9\t1e-40\t1.0\t45.0\t1.0\t0.99\n"
    "X1\tT_2\t201\t320\t+\t6\thead\tportal protein\tpharokka\tpharokka\t\t\t\t\t\t\n"
)
EGGNOG = (
    "## emapper-2.1.12\n##\n#query\tseed_ortholog\tevalue\tscore\teggNOG_OGs\tCOG_category\t"
    "Description\tPreferred_name\tEC\nT_1\t1.a\t1e-80\t250.1\tCOG0305@1|root,2XYZ@2|Bacteria\tL\t"
    "Replicative DNA helicase\tdnaB\t3.6.4.12\nT_2\t1.b\t1e-9\t60.0\t-\t-\t-\t-\t-\n"
    "## 2 queries scanned\n"
)
INTERPROSCAN = (
    "T_1\te622960f07c2857c8ac01636880665b0\t120\tPfam\tPF03237\tTerminase\t10\t60\t1e-20\tT\t"
    "01-01-2026\tIPR035421\tTerminase large\n"
    "T_1\te622960f07c2857c8ac01636880665b0\t120\tPfam\tPF03237\tTerminase\t70\t110\t1e-9\tT\t"
    "01-01-2026\tIPR035421\tTerminase large\n"
)
JSON_OF_INTERPROSCAN = {
    "interproscan-version": "5.73-104.0",
    "results": [
        {
            "sequence": "MKRL",
            "md5": "e622960f07c2857c8ac01636880665b0",
            "xref": [{"id": "T_1", "name": "T_1"}],
            "matches": [
                {
                    "signature": {
                        "accession": "PF03237",
                        "name": "Terminase_6",
                        "signatureLibraryRelease": {"library": "PFAM", "version": "37.0"},
                        "entry": {
                            "accession": "IPR035421",
                            "name": "T",
                            "type": "DOMAIN",
                            "goXRefs": [
                                {
                                    "identifier": "GO:0004519",
                                    "name": "endonuclease activity",
                                    "category": "MOLECULAR_FUNCTION",
                                }
                            ],
                        },
                    },
                    "locations": [
                        {"start": 1, "end": 4, "hmmStart": 1, "hmmEnd": 9, "hmmLength": 10}
                    ],
                    "evalue": 1e-20,
                    "score": 80.0,
                }
            ],
        }
    ],
}
BAKTA = {
    "genome": {"genus": None},
    "version": {"bakta": "1.9.4", "db": {"version": "5.1", "type": "full"}},
    "sequences": [{"id": "contig_1", "orig_id": "X1", "sequence": "ACGT"}],
    "features": [
        {"type": "tRNA", "product": "tRNA-Ala"},
        {
            "type": "cds",
            "sequence": "contig_1",
            "start": 22,
            "stop": 159,
            "strand": "-",
            "gene": "repB",
            "product": "RepB family plasmid replication initiator protein",
            "db_xrefs": ["COG:COG5527", "COG:L", "EC:3.1.1.1", "UniRef:UniRef90_A0A6M3HH18"],
            "aa": "MNGY",
            "aa_hexdigest": "9233C224793D1B3BE72E021001413607",
            "psc": {
                "uniref90_id": "UniRef90_A0A6M3HH18",
                "query_cov": 0.98,
                "subject_cov": 1.0,
                "identity": 0.99,
                "evalue": 1e-200,
                "product": "RepB family plasmid replication initiator protein",
            },
            "locus": "T_1",
        },
        {
            "type": "cds",
            "contig": "contig_1",
            "start": 201,
            "stop": 320,
            "strand": "+",
            "product": "hypothetical protein",
            "hypothetical": True,
        },
    ],
}


def one_file(text: str | dict[str, object], name: str = "results"):
    content = text if isinstance(text, str) else json.dumps(text)
    [found] = read_imported(content.encode(), name).results
    return found


def test_a_table_of_pharokka_says_what_each_name_rests_on() -> None:
    found = one_file(PHAROKKA)
    one, two = found.genes
    assert found.source is EvidenceSource.PHAROKKA
    assert (one.end.record, one.end.strand, one.end.base) == ("X1", Strand.REVERSE, 22)
    assert (one.name.text, one.name.origin, one.name.measured.evalue) == (
        "holin",
        "phrog:97",
        1e-30,
    )
    assert (two.end.base, two.name.by, two.name.measured.score_bits) == (320, NamedBy.FAMILY, 80.5)


def test_what_phold_kept_of_pharokka_is_pharokkas() -> None:
    own, kept = read_imported(PHOLD.encode(), "phold.tsv").results
    assert (own.source, kept.source) == (EvidenceSource.PHOLD, EvidenceSource.PHAROKKA)
    assert own.genes[0].name.by is NamedBy.STRUCTURE_HIGH
    assert own.genes[0].name.origin == one_file(PHAROKKA).genes[0].name.origin


def test_a_genbank_file_of_phold_is_told_from_pharokkas_by_its_comment(genbank) -> None:
    text = genbank('CDS 1..30\n/phrog="97"\n/ID="T_1"\n/product="holin"\n')
    assert one_file(text).source is EvidenceSource.PHAROKKA
    comment = "COMMENT     Annotated with Phold 1.2.6.\nFEATURES"
    phold = one_file(text.replace("FEATURES", comment, 1))
    assert (phold.source, phold.version) == (EvidenceSource.PHOLD, "1.2.6")
    assert phold.genes[0].protein == "MKRLAEYDL"
    assert "T_1" in phold.genes[0].ids


def test_eggnog_mapper_gives_names_groups_and_letters() -> None:
    found = one_file(EGGNOG)
    one, two = found.genes
    assert (found.version, one.name.text, one.name.symbol) == (
        "2.1.12",
        "Replicative DNA helicase",
        "dnaB",
    )
    assert (one.name.accession, one.name.cog, one.name.ec) == ("COG0305", "L", ("3.6.4.12",))
    assert two.name is None


@pytest.mark.parametrize(
    "text",
    [
        "cog cog3677",
        "response to X-ray",
        "flavin adenine dinucleotide binding",
        "catalyzes the transfer of selenium",
        "UPF0758 family. YicR subfamily",
    ],
)
def test_descriptions_that_are_no_names_are_left_out(text: str) -> None:
    assert one_file(EGGNOG.replace("Replicative DNA helicase", text)).genes[0].name is None


def test_a_description_of_a_family_is_that_family() -> None:
    text = EGGNOG.replace("Replicative DNA helicase", "Belongs to the peptidase S26 family.")
    assert one_file(text).genes[0].name.text == "peptidase S26 family"


def test_places_of_one_signature_are_one_match() -> None:
    found = one_file(INTERPROSCAN)
    [gene] = found.genes
    [match] = gene.matches
    assert [place.start for place in match.places] == [10, 70]
    assert not found.are_types_stated


def test_the_json_of_interproscan_has_types_models_and_terms() -> None:
    found = one_file(JSON_OF_INTERPROSCAN)
    [match] = found.genes[0].matches
    assert (found.version, match.entry.type, match.places[0].model_length) == (
        "5.73-104.0",
        "domain",
        10,
    )
    assert [term.id for term in found.go["IPR035421"]] == ["GO:0004519"]


def test_the_json_of_bakta_says_what_each_name_rests_on() -> None:
    found = one_file(BAKTA)
    one, two = found.genes
    assert (found.version, found.database) == ("1.9.4", "Bakta database 5.1 full")
    assert found.records[0].ids == ("contig_1", "X1")
    assert (one.end.base, one.name.by, one.name.cog) == (22, NamedBy.CLUSTER_90, "L")
    assert (one.name.proteins, one.name.ec) == (("A0A6M3HH18",), ("3.1.1.1",))
    assert two.name is None


def test_compressed_files_are_read_and_keep_their_name() -> None:
    [found] = read_imported(gzip.compress(PHOLD.encode()), "in/phold.tsv.gz").results[:1]
    assert found.filename == "phold.tsv.gz"


def test_peptides_lose_their_neighbours_and_modifications() -> None:
    written = ("K.M[15.99]AEYDLK.A", "_(Acetyl (Protein N-term))MAEYDLK_", "n[42.01]M+16AEYDLK")
    assert {bare(one) for one in written} == {"MAEYDLK"}


def test_decoys_contaminants_and_doubtful_peptides_are_left_out_and_counted() -> None:
    table = (
        "Sequence\tProteins\tQ-value\tMS/MS Count\tModified sequence\n"
        "MKRLAEYDLK\tp1\t0.001\t3\t_(ac)MKRLAEYDLK_\n"
        "DLMKAEYRRR\tREV__p1\t0.001\t1\t\nELVISLIVESK\tCON__K\t0.001\t1\t\n"
        "AEYDLMKRRK\tp1\t0.2\t1\t\nAEYK\tp1\t0.001\t1\t\n"
    )
    [found] = read_imported(table.encode(), "peptides.txt").peptides
    [kept] = found.peptides
    assert (kept.residues, kept.spectra, kept.is_n_terminal) == ("MKRLAEYDLK", 3, True)
    assert sum(number for _, number in found.left_out) == 4


def test_fasta_of_peptides_is_told_from_the_proteins_of_a_query() -> None:
    short = read_imported(b">a\nMKRLAEYDLK\n>b\nMKRLAEYDLK\n", "p.fasta")
    assert [one.spectra for one in short.peptides[0].peptides] == [2]
    changed = read_imported(b">a\nMKRLM(ox)AEYDLK\n>b\nK.MKRLAEYDLK.R\n", "p.fasta")
    assert len(changed.peptides[0].peptides) == 2
    whole = read_imported(b">T_1 x\n" + b"MKRLAEYDLK" * 12, "q.faa")
    assert list(whole.queries[0].residues) == ["T_1"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (PHAROKKA.replace("159\t22", "here\t22"), "line 2: column start holds 'here'"),
        (PHAROKKA + "T_3\t1\n", "line 4: has 2 columns where the header has 14"),
        (PHOLD.replace("\t+\t", "\t?\t"), "line 3: has no strand"),
        (INTERPROSCAN + "T_2\tno md5\t9\n", "line 3: column 2 holds 'no md5'"),
        (EGGNOG.replace("T_2\t1.b\t", "T_2\t"), "line 5: has 8 columns"),
        (json.dumps(BAKTA)[:300], "line 1: the JSON is damaged or cut off"),
        (json.dumps(BAKTA).replace('"strand": "-"', '"strand": "?"'), "T_1 has no record, strand"),
        ('{"results": 1, "interproscan-version": "5"}', "holds no list of results"),
        ('{"a": 1}', "neither of Bakta nor of InterProScan"),
        ("contig\tDescription\tCount\n", "starts with 'contig'"),
        ("peptide\tcount\nMK1RL\t1\n", "line 2: 'MK1RL' is no peptide"),
        ("peptide\nMKR\n", "holds no peptide that can be used (1 shorter than 7 residues)"),
        (">chr\n" + "ACGTTGCA" * 99, "line 1: these are nucleotides, not proteins"),
        (">p\nACGTTGCAACGTACGATTGC\n", "line 1: these are nucleotides, not proteins"),
        ("%PDF-1.4", "this is a PDF document"),
        ("", "the file is empty"),
    ],
)
def test_what_is_damaged_or_unknown_gets_one_line_that_says_where(text: str, said: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_imported(text.encode(), "folder/given.tsv")
    message = str(caught.value)
    assert said in message
    assert message.startswith("given.tsv")
    assert message.count("\n") == 0
    assert caught.value.cure


def test_a_genbank_file_of_another_program_is_refused(genbank) -> None:
    with pytest.raises(FormatError, match="neither of Pharokka nor of Phold"):
        read_imported(genbank('CDS 1..30\n/product="holin"\n').encode(), "x.gbk")
