"""compose.yaml: services, secrets by file, shared volumes, order of start."""

from __future__ import annotations

import os
import re
import stat
import subprocess
from typing import Any

import pytest
import yaml

from genint.settings import Settings

PINNED = re.compile(r"[a-z0-9./-]+:\d+\.\d+(\.\d+)?[a-z0-9.-]*(@sha256:[0-9a-f]{64})?")
OURS = ("migrate", "api", "worker")
Node = Any


@pytest.fixture(scope="module")
def compose(deploy) -> Node:
    return yaml.safe_load((deploy / "compose.yaml").read_text("utf-8"))


@pytest.fixture(scope="module")
def services(compose) -> Node:
    return compose["services"]


def test_the_services_are_the_two_databases_and_three_of_ours(services):
    assert set(services) == {"db", "redis", *OURS}


def test_images_from_elsewhere_are_pinned_to_a_version(services):
    for name in ("db", "redis"):
        assert PINNED.fullmatch(services[name]["image"]), name


def test_our_image_is_built_from_the_checkout(services, deploy):
    for name in OURS:
        build = services[name]["build"]
        assert (deploy / build["context"] / build["dockerfile"]).samefile(deploy / "Dockerfile")


@pytest.mark.parametrize("name", OURS)
def test_our_commands_and_options_exist(services, accepts, name):
    assert all(isinstance(word, str) for word in services[name]["command"])
    assert accepts(services[name]["command"])


def test_the_api_does_no_jobs_and_the_worker_serves_nothing(services):
    api = services["api"]["command"]
    assert api[api.index("--workers") + 1] == "0"
    assert services["worker"]["command"][0] == "worker"
    assert "ports" not in services["worker"]


@pytest.mark.parametrize("name", OURS)
def test_our_variables_are_ones_that_genint_reads(services, settings_names, name):
    assert set(services[name]["environment"]) <= settings_names


@pytest.mark.parametrize("name", OURS)
def test_the_values_that_stand_there_are_settings_that_genint_takes(services, tmp_path, name):
    def filled(text: str) -> str:
        return re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", text)

    values = {key: filled(str(text)) for key, text in services[name]["environment"].items()}
    for secret, text in (
        ("DATABASE_URL", "postgresql://genint:x@db:5432/genint"),
        ("JWT_SECRET", "x" * 64),
        ("GENINT_METRICS_TOKEN", "x" * 32),
    ):
        if f"{secret}_FILE" in values:
            (tmp_path / secret).write_text(text)
            values[f"{secret}_FILE"] = str(tmp_path / secret)
    settings = Settings.from_environment({"GENINT_DATA_DIR": str(tmp_path), **values})
    assert settings.uses_postgresql
    assert settings.cors_origins == Settings.from_environment({}).cors_origins


def test_secrets_come_by_file_only(compose, services):
    for name, service in services.items():
        given = service.get("secrets", [])
        for key, text in service.get("environment", {}).items():
            if re.search(r"SECRET|PASSWORD|DATABASE_URL", key):
                assert key.endswith("_FILE"), key
                assert text in [f"/run/secrets/{secret}" for secret in given], (name, key)
        assert set(given) <= set(compose["secrets"])
    for secret in compose["secrets"].values():
        assert secret["file"].startswith("./secrets/")


def test_only_the_api_knows_the_secret_that_signs_tokens(services):
    assert [name for name in services if "jwt_secret" in services[name].get("secrets", [])] == [
        "api"
    ]


def test_the_folder_of_secrets_is_in_no_commit_and_no_image(deploy):
    assert "secrets/" in (deploy / ".gitignore").read_text().splitlines()
    assert "!deploy\n" not in (deploy / "Dockerfile.dockerignore").read_text()


def test_api_and_worker_share_uploads_and_reports(services):
    assert "data:/data" in services["api"]["volumes"]
    assert services["api"]["volumes"] == services["worker"]["volumes"]


def test_every_volume_network_and_secret_is_declared(compose, services):
    for service in services.values():
        for volume in service.get("volumes", []):
            assert volume.split(":")[0] in compose["volumes"]
        for network in service["networks"]:
            assert network in compose["networks"]


def test_databases_are_reached_from_inside_only(compose, services):
    assert compose["networks"]["inside"]["internal"] is True
    for name in ("db", "redis"):
        assert services[name]["networks"] == ["inside"]
        assert "ports" not in services[name]
    (published,) = services["api"]["ports"]
    assert published.startswith("127.0.0.1:")


def test_nobody_starts_before_the_database_is_ready_and_migrated(services):
    assert services["migrate"]["depends_on"]["db"]["condition"] == "service_healthy"
    for name in ("api", "worker"):
        after = services[name]["depends_on"]
        assert after["migrate"]["condition"] == "service_completed_successfully"
        assert after["db"]["condition"] == after["redis"]["condition"] == "service_healthy"
    for name in ("db", "redis"):
        assert services[name]["healthcheck"]["test"][0] == "CMD"


def test_what_runs_is_confined(services):
    for name in OURS:
        service = services[name]
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert "no-new-privileges:true" in service["security_opt"]
    for name, service in services.items():
        limits = service["deploy"]["resources"]["limits"]
        assert {"cpus", "memory", "pids"} <= set(limits), name


def test_there_is_time_to_end_in_order(services):
    for name in OURS:
        assert int(services[name]["stop_grace_period"].removesuffix("s")) > 10


class TestSecretsMade:
    def make(self, deploy, folder) -> str:
        command = ["sh", deploy / "make_secrets.sh", folder]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def test_they_are_ones_that_genint_takes(self, deploy, tmp_path):
        said = self.make(deploy, tmp_path / "secrets")
        settings = Settings.from_environment(
            {
                "GENINT_DATA_DIR": str(tmp_path),
                "JWT_SECRET_FILE": str(tmp_path / "secrets" / "jwt_secret"),
                "DATABASE_URL_FILE": str(tmp_path / "secrets" / "database_url"),
            }
        )
        password = (tmp_path / "secrets" / "postgres_password").read_text().strip()
        assert settings.database_url == f"postgresql://genint:{password}@db:5432/genint"
        assert settings.jwt_secret.get_secret_value() not in said
        assert password not in said

    def test_all_that_compose_needs_is_made(self, deploy, compose, tmp_path):
        self.make(deploy, tmp_path / "secrets")
        needed = {os.path.basename(secret["file"]) for secret in compose["secrets"].values()}
        assert {file.name for file in (tmp_path / "secrets").iterdir()} == needed

    def test_nobody_else_on_the_machine_gets_at_them(self, deploy, tmp_path):
        self.make(deploy, tmp_path / "secrets")
        assert stat.S_IMODE((tmp_path / "secrets").stat().st_mode) == 0o700

    def test_a_second_call_changes_nothing(self, deploy, tmp_path):
        self.make(deploy, tmp_path)
        before = {file: file.read_bytes() for file in tmp_path.iterdir()}
        assert self.make(deploy, tmp_path) == ""
        assert {file: file.read_bytes() for file in tmp_path.iterdir()} == before

    def test_two_calls_in_two_places_differ(self, deploy, tmp_path):
        for name in ("a", "b"):
            self.make(deploy, tmp_path / name)
        for secret in (tmp_path / "a").iterdir():
            assert secret.read_bytes() != (tmp_path / "b" / secret.name).read_bytes()
