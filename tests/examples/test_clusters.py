"""Clusters in examples/cluster: the job script for Slurm, the manifests for Kubernetes."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import kubernetes_validate
import pytest
import yaml
from click.testing import CliRunner
from distributed.cli import dask_scheduler, dask_worker

CLUSTER = Path(__file__).resolve().parents[2] / "examples" / "cluster"
OF_DASK = {"scheduler": dask_scheduler.main, "worker": dask_worker.main}


@pytest.fixture(scope="module")
def manifests():
    text = (CLUSTER / "kubernetes.yaml").read_text("utf-8")
    return {one["kind"]: one for one in yaml.safe_load_all(text)}


def known_options(command) -> set[str]:
    return {name for one in command.params for name in (*one.opts, *one.secondary_opts)}


def test_a_job_of_slurm_starts_one_worker_of_one_thread_for_each_core(tmp_path):
    script = subprocess.run(
        [sys.executable, CLUSTER / "slurm.py", "--show", "--cores", "8", "--partition", "long"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    directives = set(re.findall(r"^#SBATCH (.+)$", script, re.MULTILINE))
    assert {"--cpus-per-task=8", "--mem=8G", "-p long", "-t 12:00:00"} <= directives
    command = shlex.split(script.splitlines()[-1])
    assert command[command.index("--nthreads") + 1] == "1"
    assert command[command.index("--nworkers") + 1] == "8"
    options = {word for word in command if word.startswith("--")}
    assert options <= known_options(dask_worker.main)
    assert "export GENINT_CACHE_DIR=" in script


@pytest.mark.parametrize("part", ["scheduler", "worker"])
def test_pods_of_the_kubernetes_cluster_are_valid_and_run_what_dask_has(manifests, part):
    spec = manifests["DaskCluster"]["spec"][part]["spec"]
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": part}, "spec": spec}
    kubernetes_validate.validate(pod, "1.29", strict=True)
    [container] = spec["containers"]
    program, name, *options = [*container["command"], *container.get("args", [])]
    assert (program, name) == ("dask", part)
    assert {word for word in options if word.startswith("--")} <= known_options(OF_DASK[part])
    asked = CliRunner().invoke(OF_DASK[part], [*options, "--version"])
    assert asked.exit_code == 0, asked.output


def test_the_kubernetes_cluster_is_reached_by_its_service_and_scaled_from_0(manifests):
    cluster, scaler = manifests["DaskCluster"], manifests["DaskAutoscaler"]
    service = cluster["spec"]["scheduler"]["service"]
    whole = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "x"}, "spec": service}
    kubernetes_validate.validate(whole, "1.29", strict=True)
    [container] = cluster["spec"]["scheduler"]["spec"]["containers"]
    assert {one["targetPort"] for one in service["ports"]} == {
        one["name"] for one in container["ports"]
    }
    assert scaler["spec"]["cluster"] == cluster["metadata"]["name"]
    assert scaler["spec"]["minimum"] == 0
