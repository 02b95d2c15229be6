"""What the image installs is what the tests ran with, and nothing besides."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

Pins = dict[str, tuple[str, frozenset[str]]]


def pins(file: Path) -> Pins:
    """Version and hashes of each package of a lock file."""
    text = file.read_text("utf-8").replace("\\\n", " ")
    found = {}
    for line in text.splitlines():
        if line and not line.lstrip().startswith("#"):
            name, version, rest = re.fullmatch(r"([a-z0-9-]+)==(\S+)(.*)", line).groups()
            found[name] = version, frozenset(re.findall(r"--hash=(sha256:[0-9a-f]{64})", rest))
    assert found
    return found


OLDEST = {"python_version": "3.11", "python_full_version": "3.11.0"}
"""What the project says that it runs on; some packages need a backport there."""


def needed(stated: list[str], python: dict[str, str]) -> set[str]:
    """Names of packages and, in turn, of what they need with a Python."""
    names: set[str] = set()
    waiting = [Requirement(text) for text in stated]
    while waiting:
        requirement = waiting.pop()
        if requirement.marker and not requirement.marker.evaluate({"extra": ""} | python):
            continue
        name = canonicalize_name(requirement.name)
        if name not in names:
            names.add(name)
            waiting += [Requirement(text) for text in requires(name) or ()]
    return names


def test_the_image_gets_the_versions_and_hashes_of_the_tests(root, deploy):
    tested = pins(root / "requirements.lock")
    for name, pin in pins(deploy / "requirements.lock").items():
        assert tested[name] == pin, name


def test_the_image_gets_all_for_a_cluster_and_an_object_store_too_and_nothing_more(root, deploy):
    stated = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    extras = stated["optional-dependencies"]
    wanted = [*stated["dependencies"], *extras["dask"], *extras["s3"]]
    assert set(pins(deploy / "requirements.lock")) == needed(wanted, {}) | needed(wanted, OLDEST)


def test_the_lock_can_be_installed_with_the_oldest_python_too(root):
    stated = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [*stated["dependencies"], *stated["optional-dependencies"]["test"]]
    assert needed(wanted, OLDEST) <= set(pins(root / "requirements.lock"))


def test_the_build_gets_the_versions_and_hashes_of_the_tests(root, deploy):
    tested = pins(root / "requirements.lock")
    built_with = pins(deploy / "build.lock")
    assert "hatchling" in built_with
    for name, pin in built_with.items():
        assert tested[name] == pin, name


def test_every_locked_package_has_a_hash(deploy):
    for file in ("requirements.lock", "build.lock"):
        for name, (_, hashes) in pins(deploy / file).items():
            assert hashes, name
