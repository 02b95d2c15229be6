"""Corrections by people: read, applied, checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from training.families.corrections import id_of, load_corrections, parse, unused
from training.families.inputs import InputError
from training.families.values import Cluster, Lineage, Naming, Origin, TrainingProtein


def naming(product: str, origin: Origin = Origin.SEED, lineage: Lineage = Lineage.PHAGE) -> Naming:
    return Naming("record", product, "", origin, lineage)


def protein(product: str, hash: str = "ab" * 32, length_aa: int = 90) -> TrainingProtein:
    return TrainingProtein(hash, "M" * length_aa, (naming(product),))


def test_a_name_is_replaced_only_as_a_whole() -> None:
    corrections = parse(
        {"name": [{"pattern": "phage collar", "replacement": "portal protein", "reason": "gp8"}]}
    )
    assert corrections.product(naming("Phage collar"), 500) == "portal protein"
    assert corrections.product(naming("Phage collar inhibitor"), 500) == "Phage collar inhibitor"


def test_an_ignored_name_is_no_name() -> None:
    corrections = parse({"name": [{"pattern": "PE-PGRS.*", "ignore": True, "reason": "wrong"}]})
    assert corrections.product(naming("PE-PGRS virulence associated protein"), 300) is None


def test_a_correction_holds_only_where_it_says() -> None:
    corrections = parse(
        {
            "name": [
                {
                    "pattern": "thioredoxin",
                    "ignore": True,
                    "origin": "seed",
                    "lineage": "phage",
                    "longer_than_aa": 170,
                    "reason": "too long",
                }
            ]
        }
    )
    assert corrections.product(naming("Thioredoxin"), 280) is None
    assert corrections.product(naming("Thioredoxin"), 110) == "Thioredoxin"
    assert corrections.product(naming("Thioredoxin", Origin.SWISSPROT), 280) == "Thioredoxin"
    bacterial = naming("Thioredoxin", lineage=Lineage.BACTERIA)
    assert corrections.product(bacterial, 280) == "Thioredoxin"


def test_the_first_entry_that_applies_decides() -> None:
    corrections = parse(
        {
            "name": [
                {"pattern": "maturase", "ignore": True, "shorter_than_aa": 300, "reason": "a"},
                {"pattern": "maturase", "replacement": "maturation protein A", "reason": "b"},
            ]
        }
    )
    assert corrections.product(naming("maturase"), 200) is None
    assert corrections.product(naming("maturase"), 400) == "maturation protein A"


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ({"name": [{"pattern": "x", "ignore": True}]}, "name 'x': lacks its reason"),
        ({"name": [{"pattern": "x", "reason": "r"}]}, "name 'x': needs one of"),
        ({"name": [{"pattern": "x", "ignore": False, "reason": "r"}]}, "ignore can only be true"),
        (
            {"name": [{"pattern": "x", "ignore": True, "replacement": "y", "reason": "r"}]},
            "needs one of",
        ),
        ({"name": [{"pattern": "(", "ignore": True, "reason": "r"}]}, "name '\\('"),
        ({"name": [{"pattern": "x", "ignore": True, "origin": "sead", "reason": "r"}]}, "sead"),
        ({"name": [{"pattern": "x", "ignroe": True, "reason": "r"}]}, "unknown key ignroe"),
        ({"family": [{"id": "gf1", "drop": True, "reason": "r"}]}, "family gf1: an id is"),
        (
            {"family": [{"id": "GF00000001", "drop": True, "reason": "r"}] * 2},
            "family GF00000001: stands twice",
        ),
        ({"protein": [{"hash": "abc", "ignore": True, "reason": "r"}]}, "protein abc: at least"),
        ({"nmae": []}, "unknown kind of entry nmae"),
    ],
)
def test_a_mistake_names_its_entry(table: dict[str, list[dict[str, object]]], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        parse(table)


def test_entries_that_fit_nothing_are_told() -> None:
    corrections = parse(
        {
            "name": [
                {"pattern": "phage collar", "ignore": True, "reason": "r"},
                {"pattern": "phage colar", "ignore": True, "reason": "r"},
            ],
            "family": [{"id": "GF00000001", "drop": True, "reason": "r"}],
            "protein": [
                {"hash": "ab" * 5, "ignore": True, "reason": "r"},
                {"hash": "cd" * 5, "ignore": True, "reason": "r"},
            ],
        }
    )
    assert unused(corrections, [protein("Phage collar")], ["GF00000002"]) == (
        "name 'phage colar'",
        "family GF00000001",
        f"protein {'cd' * 5}",
    )
    assert not unused(parse({}), [protein("Phage collar")], [])


def test_every_shipped_correction_is_valid_and_has_its_reason() -> None:
    corrections = load_corrections()
    entries = (*corrections.names, *(corrections.families or {}).values(), *corrections.proteins)
    assert len(entries) >= 20
    assert all(len(entry.reason.split()) >= 3 for entry in entries)


@pytest.mark.parametrize(
    ("written", "length_aa", "believed"),
    [
        ("Disulfide bond forming protein", 89, "double-stranded DNA-binding protein"),
        ("PE-PGRS virulence associated protein", 326, None),
        ("Phospholipase", 97, "PAAR domain-containing protein"),
        ("Thioredoxin, phage-associated", 281, None),
        ("Thioredoxin, phage-associated", 103, "Thioredoxin, phage-associated"),
        ("RNA polymerase, phage-associated", 64, "bacterial RNA polymerase inhibitor"),
        ("RNA polymerase, phage-associated", 883, "RNA polymerase, phage-associated"),
        ("Phage DNA maturase", 586, "terminase large subunit"),
        ("Phage DNA maturase", 89, "terminase small subunit"),
    ],
)
def test_known_mistakes_of_automatic_annotation_are_corrected(
    written: str, length_aa: int, believed: str | None
) -> None:
    assert load_corrections().product(naming(written), length_aa) == believed


@pytest.mark.parametrize(
    "text",
    [
        "PE-PGRS family protein",
        "33aL",
        "similar to Sericin 1 precursor",
    ],
)
def test_labels_of_no_function_are_ignored_in_phages(text: str) -> None:
    corrections = load_corrections()
    assert corrections.product(naming(text), 300) is None
    assert corrections.product(naming("Phage tail sheath"), 300) == "Phage tail sheath"


def test_a_family_is_corrected_whichever_of_its_proteins_it_is_called_after() -> None:
    member = protein("Phage collar")
    said = {"id": id_of(member.hash), "name": "portal protein", "reason": "r"}
    corrections = parse({"family": [said]})
    decided = corrections.family("GF00000000", [member])
    assert decided is not None
    assert decided.name == "portal protein"
    assert corrections.family("GF00000000", [protein("Phage tail", hash="cd" * 32)]) is None
    assert not unused(corrections, [member], {id_of(member.hash)})


def test_a_correction_of_a_part_is_not_one_of_its_cluster() -> None:
    member = protein("transcriptional regulator")
    part = Cluster(id_of(member.hash), (member.hash,), whole="GF00000000")
    corrections = parse(
        {"family": [{"id": part.id, "name": "trp operon repressor", "reason": "r"}]}
    )
    of_build = corrections.of_build([part, Cluster("GF00000000", (member.hash,))])
    assert of_build.family("GF00000000", [member]) is None
    assert of_build.family(part.id, [member]) is not None


def test_a_correction_of_a_cluster_is_one_of_its_part_around_the_same_protein() -> None:
    member = protein("DNA maturase")
    whole = Cluster(id_of(member.hash), (member.hash,))
    corrections = parse({"family": [{"id": whole.id, "drop": True, "reason": "r"}]})
    of_build = corrections.of_build([whole, Cluster("GF00000000", (member.hash,), whole=whole.id)])
    decided = of_build.family("GF00000000", [member])
    assert decided is not None
    assert decided.name is None


def test_families_that_people_dropped_have_no_name() -> None:
    corrections = load_corrections()
    dropped = [corrections.family(id_) for id_ in ("GFA75DDB47", "GFC3CE70CA", "GF6BE189AB")]
    assert [entry and entry.name for entry in dropped] == [None] * 3
    assert None not in dropped


def written(folder: Path, *rows: tuple[str, ...]) -> Path:
    """A file of corrections of one family, with a table of names that were read beside it."""
    file = folder / "corrections.toml"
    file.write_text('[[family]]\nid = "GF00000001"\nname = "portal protein"\nreason = "seen"\n')
    lines = [("id", "name", "symbol", "ec", "covers", "why"), *rows]
    text = "".join("\t".join(line) + "\n" for line in lines)
    (folder / "names_read.tsv").write_text(text)
    return file


def test_names_that_were_read_give_name_and_symbol_or_drop_a_family(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        ("GF00000001", "tail fiber protein", "", "", "", "members are fibers"),
        ("GF00000002", "thymidylate kinase", "-", "-", "", "members are of many"),
        ("GF00000003", "", "ligA", "6.5.1.2 1.1.1.1", "", "members are LigA"),
        ("GF00000004", "DROP", "", "", "", "one member is something else"),
        ("GF00000005", "nucleoside kinase", "", "", "one ; the other", "members are of both"),
    )
    families = load_corrections(file).families or {}
    assert [(one.name, one.symbol, one.is_dropped, one.is_read) for one in families.values()] == [
        ("portal protein", None, False, False),  # what stands in the file comes first
        ("thymidylate kinase", "", False, True),
        (None, "ligA", False, True),
        (None, None, True, True),
        ("nucleoside kinase", None, False, True),
    ]
    assert [(one.ec, one.covers) for one in families.values()] == [
        (None, ()),
        ((), ()),
        (("1.1.1.1", "6.5.1.2"), ()),
        (None, ()),
        (None, ("one", "the other")),
    ]


def test_a_build_that_hides_genomes_knows_nothing_of_names_that_were_read(tmp_path: Path) -> None:
    file = written(tmp_path, ("GF00000002", "tail fiber protein", "", "", "", "members are fibers"))
    assert set(load_corrections(file, with_names_read=False).families or ()) == {"GF00000001"}


@pytest.mark.parametrize(
    "row",
    [
        ("GF1", "a", "", "", "", "b"),
        ("GF00000002", "a", "", "", "", ""),
        ("GF00000002", "", "", "", "a", "b"),
    ],
)
def test_a_row_of_the_table_that_says_nothing_is_named(
    tmp_path: Path, row: tuple[str, ...]
) -> None:
    with pytest.raises(InputError, match=r"names_read\.tsv, line 2"):
        load_corrections(written(tmp_path, row))
