"""Several files at a time, on this machine, a cluster, or the tasks of an array job."""

from __future__ import annotations

import pytest

from genint.cli.main import run
from tests.servers.dask_cluster import DaskCluster


@pytest.fixture(scope="module")
def phages(examples, tmp_path_factory):
    """phiX174, four times with a base changed."""
    folder = tmp_path_factory.mktemp("phages")
    plain = (examples / "phiX174.gbk").read_text()
    assert "gagttttatc" in plain
    for number, base in enumerate("acgt"):
        changed = plain.replace("gagttttatc", f"gagttttat{base}")
        (folder / f"phage{number}.gbk").write_text(changed)
    return sorted(folder.iterdir())


@pytest.fixture(scope="module")
def one_by_one(phages, pressed, tmp_path_factory):
    """Reports of runs over one file after another."""
    folder = tmp_path_factory.mktemp("one_by_one")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GENINT_CACHE_DIR", str(pressed))
        assert interpret(phages, folder, "--workers", "1") == 0
    return contents(folder)


@pytest.fixture(autouse=True)
def _cache(monkeypatch, pressed):
    monkeypatch.setenv("GENINT_CACHE_DIR", str(pressed))


def interpret(files, folder, *options) -> int:
    return run(["interpret", *map(str, files), "-o", f"{folder}/", "--format", "json", *options])


def contents(folder) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.glob("*.json")}


def test_several_at_a_time_give_the_same_reports_in_the_same_order(
    phages, one_by_one, tmp_path, capsys
):
    torn = tmp_path / "torn.gbk"
    torn.write_text("LOCUS torn\n")
    files = [phages[0], torn, *phages[1:]]
    folder = tmp_path / "reports"
    assert interpret(files, folder, "--workers", "2") == 2
    assert contents(folder) == one_by_one
    told = capsys.readouterr()
    done = [line.partition(":")[0] for line in told.out.splitlines() if ": Interpreted" in line]
    assert done == [file.name for file in phages]
    assert told.err.count("torn.gbk") == 1
    (folder / "phage2_report.json").unlink()
    assert interpret(phages, folder, "--workers", "2") == 0
    assert contents(folder) == one_by_one
    assert "4 files: 1 done, 3 already there" in capsys.readouterr().out


def test_a_cluster_gives_the_same_reports_for_many_files_and_for_one(phages, one_by_one, tmp_path):
    cluster = DaskCluster(tmp_path, 1, {})
    try:
        for files in (phages[:2], phages[2:3]):
            assert interpret(files, tmp_path / "reports", "--dask", cluster.address) == 0
    finally:
        cluster.stop()
    made = contents(tmp_path / "reports")
    assert made == {name: one_by_one[name] for name in made}
    assert len(made) == 3


def test_each_file_is_in_one_shard_whatever_it_is_called(phages, one_by_one, tmp_path, capsys):
    folder = tmp_path / "reports"
    for number in (1, 2, 3):
        assert interpret(phages, folder, "--workers", "1", "--shard", f"{number}/3") == 0
    assert contents(folder) == one_by_one
    done = [line for line in capsys.readouterr().out.splitlines() if "Interpreted" in line]
    assert len(done) == len(phages)
    # Another number of shards, and none, know what these have done.
    assert interpret(phages, folder, "--shard", "1/1") == 0
    assert "4 files: 0 done, 4 already there" in capsys.readouterr().out


def test_a_shard_of_one_file_that_is_done_says_so(phages, tmp_path, capsys):
    shards = [f"{number}/9" for number in range(1, 10)]
    for shard in shards:
        assert interpret(phages[:2], tmp_path, "--workers", "1", "--shard", shard) == 0
    capsys.readouterr()
    for shard in shards:
        assert interpret(phages[:2], tmp_path, "--workers", "1", "--shard", shard) == 0
    told = capsys.readouterr().out
    for name in ("phage0", "phage1"):
        place = tmp_path / f"{name}_report.json"
        assert f"{name}.gbk: already there. Report: {place}" in told


@pytest.mark.parametrize("shard", ["0/2", "3/2", "1", "1/0", "a/b", "-1/2", "1/2/3"])
def test_a_shard_that_cannot_be_is_refused(phages, tmp_path, shard, capsys):
    assert interpret(phages, tmp_path, "--shard", shard) == 2
    assert "write I/N, such as 2/8" in capsys.readouterr().err


def test_locus_tags_and_standard_input_take_no_shards(phages, tmp_path, capsys):
    assert interpret(phages, tmp_path, "--shard", "1/2", "--locus-tag", "ABC") == 2
    assert interpret(["-", *phages], tmp_path, "--shard", "1/2") == 2
    assert "takes no --shard" in capsys.readouterr().err


def test_an_address_without_a_scheduler_is_one_line(phages, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("genint.compute.cluster._ANSWER_S", 0.5)
    assert interpret(phages[:1], tmp_path, "--dask", "tcp://127.0.0.1:9") == 2
    [line] = capsys.readouterr().err.strip().splitlines()
    assert "no Dask scheduler answers" in line
