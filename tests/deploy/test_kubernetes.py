"""deploy/kubernetes: valid manifests that name what image, settings and figures have."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from genint.settings import Settings

OTHERS = {"ScaledObject", "PodMonitor", "Kustomization"}
"""Kinds that an extension of Kubernetes brings."""
Node = Any


@pytest.fixture(scope="module")
def folder(deploy) -> Path:
    return deploy / "kubernetes"


@pytest.fixture(scope="module")
def manifests(folder) -> dict[tuple[str, str], Node]:
    """By kind and name."""
    found = {}
    for file in sorted(folder.glob("*.yaml")):
        for one in yaml.safe_load_all(file.read_text("utf-8")):
            if one["kind"] != "Kustomization":
                found[one["kind"], one["metadata"]["name"]] = one
    return found


@pytest.fixture(scope="module")
def pods(manifests) -> dict[str, Node]:
    """Templates of pods, by the part of the service that they run."""
    return {
        name.removeprefix("genint-"): one["spec"]["template"]
        for (kind, name), one in manifests.items()
        if kind in {"Deployment", "Job"}
    }


def container_of(pod: Node) -> Node:
    [container] = pod["spec"]["containers"]
    return container


def test_every_manifest_is_valid_by_the_schemas_of_kubernetes(manifests):
    checked = {key for key in manifests if key[0] not in OTHERS}
    assert {kind for kind, _ in checked} == {
        *("ConfigMap", "Deployment", "Job", "PersistentVolumeClaim"),
        *("PodDisruptionBudget", "Service"),
    }
    for key in checked:
        kubernetes_validate.validate(manifests[key], "1.29", strict=True)


def test_what_is_applied_together_is_all_but_the_migration(folder):
    listed = yaml.safe_load((folder / "kustomization.yaml").read_text("utf-8"))["resources"]
    others = {"kustomization.yaml", "migrate.yaml"}
    assert set(listed) == {file.name for file in folder.glob("*.yaml")} - others


@pytest.mark.parametrize("part", ["migrate", "api", "worker"])
def test_commands_and_options_exist_and_the_image_is_ours(pods, accepts, part):
    container = container_of(pods[part])
    assert accepts(container["args"])
    assert "command" not in container  # that of the image
    assert container["image"] == "genint"


def test_the_settings_are_ones_that_genint_takes(manifests, pods, settings_names, tmp_path):
    shared = manifests["ConfigMap", "genint-settings"]["data"]
    secrets = {"DATABASE_URL": "postgresql://genint:x@db/genint", "JWT_SECRET": "x" * 64}
    for part, pod in pods.items():
        container = container_of(pod)
        assert container["envFrom"] == [{"configMapRef": {"name": "genint-settings"}}]
        values = shared | {one["name"]: one["value"] for one in container.get("env", ())}
        assert set(values) <= settings_names, part
        for name in [name for name in values if name.endswith("_FILE")]:
            file = tmp_path / name
            file.write_text(secrets.get(name.removesuffix("_FILE"), "x" * 32))
            values[name] = str(file)
        assert Settings.from_environment(values).uses_postgresql
        mounts = {one["mountPath"] for one in container["volumeMounts"]}
        assert {shared["GENINT_DATA_DIR"], shared["GENINT_CACHE_DIR"], "/tmp"} <= mounts  # noqa: S108


def test_secrets_come_by_file_and_only_the_api_has_the_one_that_signs_tokens(manifests, pods):
    shared = manifests["ConfigMap", "genint-settings"]["data"]
    for part, pod in pods.items():
        [secret] = [one["secret"] for one in pod["spec"]["volumes"] if "secret" in one]
        own = {one["name"]: one["value"] for one in container_of(pod).get("env", ())}
        needed = {
            value.removeprefix("/secrets/")
            for name, value in (shared | own).items()
            if name.endswith("_FILE")
        }
        listed = {one["key"] for one in secret.get("items", ())}
        assert listed == (set() if part == "api" else needed), part  # none listed: all of them
        assert ("jwt_secret" in needed) == (part == "api")
    assert not any(kind == "Secret" for kind, _ in manifests)


def test_ports_are_those_that_are_listened_on(manifests, pods):
    metrics = int(manifests["ConfigMap", "genint-settings"]["data"]["GENINT_METRICS_LISTEN"][-4:])
    ports = {
        part: {one["name"]: one["containerPort"] for one in container_of(pods[part])["ports"]}
        for part in ("api", "worker")
    }
    arguments = container_of(pods["api"])["args"]
    http = int(arguments[arguments.index("--port") + 1])
    assert ports == {"api": {"http": http, "metrics": metrics}, "worker": {"metrics": metrics}}
    [port] = manifests["Service", "genint"]["spec"]["ports"]
    assert port["targetPort"] == "http"
    [monitored] = manifests["PodMonitor", "genint"]["spec"]["podMetricsEndpoints"]
    assert monitored["port"] == "metrics"


def test_an_api_without_workers_stays_ready_so_that_jobs_can_call_them(pods):
    container = container_of(pods["api"])
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        assert container[probe]["httpGet"] == {"path": "/api/v1/health", "port": "http"}
    worker = container_of(pods["worker"])
    file = worker["args"][worker["args"].index("--health-file") + 1]
    for probe in ("startupProbe", "livenessProbe"):
        assert file in " ".join(worker[probe]["exec"]["command"])


def test_an_update_takes_no_part_of_the_service_away(manifests):
    for part in ("api", "worker"):
        spec = manifests["Deployment", f"genint-{part}"]["spec"]
        assert spec["strategy"]["rollingUpdate"]["maxUnavailable"] == 0
        budget = manifests["PodDisruptionBudget", f"genint-{part}"]["spec"]
        assert budget["selector"] == spec["selector"]
        labels = spec["template"]["metadata"]["labels"].items()
        assert spec["selector"]["matchLabels"].items() <= labels
        # preStop, then the ten seconds that genint takes at most.
        assert spec["template"]["spec"]["terminationGracePeriodSeconds"] >= 15
    assert manifests["Service", "genint"]["spec"]["selector"].items() <= {
        *manifests["Deployment", "genint-api"]["spec"]["template"]["metadata"]["labels"].items()
    }
    migration = manifests["Job", "genint-migrate"]["spec"]
    assert (migration["parallelism"], migration["completions"]) == (1, 1)


def test_workers_are_scaled_from_none_by_figures_that_are_served(manifests, root):
    scaled = manifests["ScaledObject", "genint-worker"]["spec"]
    assert ("Deployment", scaled["scaleTargetRef"]["name"]) in manifests
    assert "replicas" not in manifests["Deployment", "genint-worker"]["spec"]
    assert scaled["minReplicaCount"] == 0
    [trigger] = scaled["triggers"]
    served = (root / "genint" / "service" / "metrics.py").read_text("utf-8")
    figures = re.findall(r"genint_\w+", trigger["metadata"]["query"])
    assert figures
    assert all(f'"{figure}"' in served for figure in figures)
    assert all(isinstance(value, str) for value in trigger["metadata"].values())


def test_what_runs_is_confined_and_writes_to_volumes_only(pods):
    for pod in pods.values():
        container = container_of(pod)
        assert pod["spec"]["securityContext"]["runAsUser"] == 10001
        assert pod["spec"]["automountServiceAccountToken"] is False
        confined = container["securityContext"]
        assert confined["readOnlyRootFilesystem"] is True
        assert confined["capabilities"] == {"drop": ["ALL"]}
        assert {"requests", "limits"} <= set(container["resources"])
        volumes = {one["name"] for one in pod["spec"]["volumes"]}
        assert {one["name"] for one in container["volumeMounts"]} == volumes
