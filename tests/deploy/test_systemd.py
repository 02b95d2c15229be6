"""The units of systemd."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest

UNITS = ("genint.service", "genint-worker.service")
Unit = dict[str, list[str]]


def read(file: Path) -> Unit:
    """Values of each key, in their order; a key may stand several times."""
    unit = defaultdict(list)
    for line in file.read_text("utf-8").splitlines():
        if line and not line.startswith(("#", "[")):
            key, mark, value = line.partition("=")
            assert mark, line
            unit[key].append(value)
    return unit


@pytest.fixture(params=UNITS)
def unit_file(request, deploy) -> Path:
    return deploy / "systemd" / request.param


@pytest.fixture
def unit(unit_file) -> Unit:
    return read(unit_file)


def environment(unit: Unit) -> dict[str, str]:
    return dict(text.split("=", 1) for text in unit["Environment"])


def test_it_starts_a_command_that_exists(unit, accepts):
    (command,) = unit["ExecStart"]
    program, *arguments = command.split()
    assert Path(program).is_absolute()
    assert Path(program).name == "genint"
    assert accepts(arguments)


def test_its_variables_are_ones_that_genint_reads(unit, settings_names):
    assert set(environment(unit)) <= settings_names


def test_every_secret_is_a_credential_of_this_service(unit):
    loaded = {text.split(":")[0] for text in unit["LoadCredential"]}
    named = environment(unit)
    files = {name: text for name, text in named.items() if name.endswith("_FILE")}
    assert {f"%d/{name}" for name in loaded} == set(files.values())
    assert not {"JWT_SECRET", "DATABASE_URL"} & set(named)


def test_data_and_cache_lie_where_systemd_makes_folders_for_it(unit):
    named = environment(unit)
    assert named["GENINT_DATA_DIR"] == f"%S/{unit['StateDirectory'][0]}"
    assert named["GENINT_CACHE_DIR"] == f"%C/{unit['CacheDirectory'][0]}"
    assert unit["ProtectSystem"] == ["strict"]


def test_only_the_main_process_is_told_to_end_and_has_time_for_it(unit):
    assert unit["KillMode"] == ["mixed"]
    assert int(unit["TimeoutStopSec"][0]) > 10


def test_a_crash_is_mended_and_a_wrong_setting_is_not_tried_again(unit):
    assert unit["Restart"] == ["on-failure"]
    assert unit["RestartPreventExitStatus"] == ["2"]


def test_worker_processes_may_be_started_and_lost(unit):
    assert unit["OOMPolicy"] == ["continue"]
    for denied in ("clone", "fork", "execve", "@process", "@resources"):
        assert not any(f"~{denied}" in text for text in unit["SystemCallFilter"])
    assert "ProcSubset" not in unit


def test_it_is_not_root(unit):
    assert unit["User"] == ["genint"]
    assert unit["NoNewPrivileges"] == ["yes"]
    assert unit["CapabilityBoundingSet"] == [""]


def test_the_two_units_are_confined_alike(deploy):
    differing = {"Description", "ExecStart", "Environment", "LoadCredential"}
    first, second = (read(deploy / "systemd" / name) for name in UNITS)
    assert {key: first[key] for key in first if key not in differing} == {
        key: second[key] for key in second if key not in differing
    }


def test_the_account_is_the_one_that_is_made(unit, deploy):
    (line,) = [
        line
        for line in (deploy / "systemd" / "genint.sysusers.conf").read_text().splitlines()
        if not line.startswith("#")
    ]
    assert line.split()[:2] == ["u", unit["User"][0]]


def test_the_addition_for_postgresql_is_one_that_genint_understands(
    deploy, settings_names, accepts
):
    file = deploy / "systemd" / "genint-postgresql.conf"
    assert set(environment(read(file))) <= settings_names
    (command,) = re.findall(r"^#ExecStart=/\S+/genint (.+)$", file.read_text(), re.M)
    assert accepts(command.split())


def test_the_settings_offered_exist_and_are_no_secrets(deploy, settings_names):
    text = (deploy / "systemd" / "genint.env").read_text()
    offered = set(re.findall(r"^#?([A-Z_]+)=", text, re.M))
    assert offered
    assert offered <= settings_names - {"JWT_SECRET", "DATABASE_URL"}


@pytest.mark.skipif(
    not shutil.which("systemd-analyze") and not os.environ.get("CI"),
    reason="systemd is not installed",
)
def test_systemd_finds_no_fault(unit_file, tmp_path):
    placed = tmp_path / unit_file.name
    text = unit_file.read_text().replace("/opt/genint/bin/genint", shutil.which("true"))
    placed.write_text(text)
    verified = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", placed],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (verified.returncode, verified.stderr) == (0, "")
