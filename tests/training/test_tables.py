"""What ships: read back by the engine, the same bytes each time."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyhmmer.easel import Alphabet, DigitalMSA, TextMSA, TextSequence
from pyhmmer.plan7 import HMM, Background, Builder

from genint.errors import UnavailableError
from genint.knowledge import FamilyPack, load_own_families, profile_pack, read_pack
from training.families.attributes import Attributes
from training.families.naming import Label
from training.families.tables import FamilyRow, pack_of, write, write_empty
from training.families.values import Lineage, Naming, Origin, TrainingProtein

HASHES = ("0123456789abcdef" * 4, "fedcba9876543210" * 4)


def profile(name: str) -> HMM:
    alphabet = Alphabet.amino()
    rows = [TextSequence(name=f"s{at}", sequence="MKTAYIAKQRQISFVKSHFSRQ") for at in (1, 2)]
    alignment: DigitalMSA = TextMSA(name=name, sequences=rows).digitize(alphabet)
    built, _, _ = Builder(alphabet, seed=42).build_msa(alignment, Background(alphabet))
    built.accession = name
    built.cutoffs.gathering = (25.0, 25.0)
    return built


def row(id: str, name: str = "tail tube protein", pack: FamilyPack = FamilyPack.PHAGE) -> FamilyRow:
    label = Label(
        name=name,
        product=None,
        symbol="tubA",
        vague=False,
        consensus=0.75,
        informative=0.5,
        members=4,
        named_members=2,
        agreeing=HASHES,
        records=3,
        origins=((Origin.SWISSPROT, 1), (Origin.SEED, 2)),
        dissenters=("holin",),
    )
    known = Attributes(("PF00001", "PF00002"), "X", 0.9, ("GO:0098015",))
    return FamilyRow(id, pack, label, 22, 31.25, known)


@pytest.fixture(scope="module")
def profiles() -> dict[str, HMM]:
    return {id: profile(id) for id in ("GF00000001", "GF00000002")}


def test_the_engine_reads_what_was_written(tmp_path: Path, profiles: dict[str, HMM]) -> None:
    rows = [row("GF00000002", pack=FamilyPack.BACTERIA), row("GF00000001")]
    write(tmp_path, rows, profiles)
    table = load_own_families(tmp_path)
    assert list(table.families) == ["GF00000001", "GF00000002"]
    family = table["GF00000001"]
    assert (family.name, family.symbol, family.pack) == (
        "tail tube protein",
        "tubA",
        FamilyPack.PHAGE,
    )
    assert (family.members, family.named_members, family.records) == (4, 2, 3)
    assert (family.consensus, family.informative, family.vague) == (0.75, 0.5, False)
    assert family.origins == (("swissprot", 1), ("seed", 2))
    assert (family.cog, family.cog_purity) == ("X", 0.9)
    assert family.pfam == ("PF00001", "PF00002")
    assert [term.id for term in family.go] == ["GO:0098015"]
    assert table.named_members_of("GF00000001") == {hash[:10] for hash in HASHES}


def test_each_family_is_in_the_pack_that_the_table_says(
    tmp_path: Path, profiles: dict[str, HMM]
) -> None:
    write(tmp_path, [row("GF00000001"), row("GF00000002", pack=FamilyPack.BACTERIA)], profiles)
    for which, ids in ((FamilyPack.PHAGE, ["GF00000001"]), (FamilyPack.BACTERIA, ["GF00000002"])):
        packed = profile_pack.decode(read_pack(which, tmp_path))
        assert [profile.name for profile in packed] == ids


def test_rows_in_another_order_give_the_same_bytes(
    tmp_path: Path, profiles: dict[str, HMM]
) -> None:
    rows = [row("GF00000001"), row("GF00000002")]
    sizes = write(tmp_path / "one", rows, profiles)
    write(tmp_path / "other", rows[::-1], profiles)
    assert len(sizes) == 4
    for name, size in sizes.items():
        content = (tmp_path / "one" / name).read_bytes()
        assert content == (tmp_path / "other" / name).read_bytes()
        assert len(content) == size


def test_names_cannot_break_the_table(tmp_path: Path, profiles: dict[str, HMM]) -> None:
    write(tmp_path, [row("GF00000001", name="tail\ttube%2C long\nprotein")], profiles)
    assert load_own_families(tmp_path)["GF00000001"].name == "tail tube, long protein"


def test_an_empty_set_is_a_set_of_no_families(tmp_path: Path) -> None:
    write_empty(tmp_path)
    assert not load_own_families(tmp_path).families
    assert all(not list(profile_pack.decode(read_pack(which, tmp_path))) for which in FamilyPack)


def test_one_phage_member_makes_a_phage_family() -> None:
    bacterial = TrainingProtein(
        "a" * 64, "MK", (Naming("K12", "x", "", Origin.SUBMITTER, Lineage.BACTERIA),)
    )
    archaeal = TrainingProtein(
        "b" * 64, "MA", (Naming("sprot:P1", "x", "", Origin.SWISSPROT, Lineage.ARCHAEA),)
    )
    phage = TrainingProtein("c" * 64, "MR", (Naming("T4", "x", "", Origin.SEED, Lineage.PHAGE),))
    assert pack_of([bacterial, archaeal]) is FamilyPack.BACTERIA
    assert pack_of([bacterial, phage]) is FamilyPack.PHAGE


def test_what_cannot_be_written_whole_leaves_the_build_that_was_there(
    tmp_path: Path, profiles: dict[str, HMM]
) -> None:
    write(tmp_path, [row("GF00000001")], profiles)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    with pytest.raises(KeyError):
        write(tmp_path, [row("GF00000002"), row("GF00000003")], profiles)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_what_is_interrupted_between_two_files_is_refused(
    tmp_path: Path, profiles: dict[str, HMM]
) -> None:
    write(tmp_path, [row("GF00000001")], profiles)
    (tmp_path / "bacterial_families.bin").unlink()
    (tmp_path / "bacterial_families.bin").mkdir()  # cannot be replaced by a file
    with pytest.raises(OSError, match="bacterial_families"):
        write(tmp_path, [row("GF00000002")], profiles)
    with pytest.raises(UnavailableError):
        load_own_families(tmp_path)


def test_a_build_leaves_its_four_files_and_nothing_else(
    tmp_path: Path, profiles: dict[str, HMM]
) -> None:
    sizes = write(tmp_path, [row("GF00000001")], profiles)
    assert {file.name: file.stat().st_size for file in tmp_path.iterdir()} == sizes
