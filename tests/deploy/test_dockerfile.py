"""The image: what goes into it, who runs in it, and what it starts."""

from __future__ import annotations

import json
import re
import shlex
from fnmatch import fnmatch
from typing import NamedTuple

import pytest

PINNED = re.compile(r"[a-z0-9./-]+:\d+\.\d+(\.\d+)?[a-z0-9.-]*(@sha256:[0-9a-f]{64})?")
SECRET = re.compile(r"secret|password|token|credential|private|api_?key", re.IGNORECASE)


class Instruction(NamedTuple):
    """One instruction of a Dockerfile, its continued lines joined."""

    name: str
    text: str


class Stage(NamedTuple):
    """What follows one FROM."""

    base: str
    instructions: tuple[Instruction, ...]

    def all(self, name: str) -> list[str]:
        return [text for instruction, text in self.instructions if instruction == name]

    def only(self, name: str) -> str:
        (text,) = self.all(name)
        return text


@pytest.fixture(scope="module")
def stages(deploy) -> list[Stage]:
    lines = (deploy / "Dockerfile").read_text("utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.lstrip().startswith("#"))
    instructions = []
    for line in text.replace("\\\n", " ").splitlines():
        if line.strip():
            name, _, rest = line.strip().partition(" ")
            assert re.fullmatch(r"[A-Z]+", name), line
            instructions.append(Instruction(name, " ".join(rest.split())))
    arguments = {}
    found: list[Stage] = []
    for instruction in instructions:
        if instruction.name == "ARG":
            name, _, value = instruction.text.partition("=")
            arguments[name] = value
        elif instruction.name == "FROM":
            image = re.sub(r"\$\{(\w+)\}", lambda m: arguments[m[1]], instruction.text)
            found.append(Stage(image, ()))
        else:
            assert found, instruction
            found[-1] = Stage(found[-1].base, (*found[-1].instructions, instruction))
    return found


@pytest.fixture(scope="module")
def image(stages) -> Stage:
    """The stage that is shipped."""
    return stages[-1]


def environment(stage: Stage) -> dict[str, str]:
    return dict(word.split("=", 1) for text in stage.all("ENV") for word in shlex.split(text))


def test_there_is_a_stage_to_build_in_and_one_to_run(stages):
    assert len(stages) == 2
    assert stages[0].base.endswith(" AS build")
    assert stages[0].base.split()[0] == stages[1].base


def test_every_base_image_is_pinned_to_a_version(stages):
    for stage in stages:
        assert PINNED.fullmatch(stage.base.split()[0]), stage.base


def test_the_python_of_the_image_is_the_one_the_lock_was_made_for(stages, root):
    version = re.match(r"python:(\d+\.\d+)", stages[1].base)[1]
    assert f'requires-python = ">={version}"' in (root / "pyproject.toml").read_text("utf-8")


def test_every_package_from_outside_is_checked_by_its_hash(stages):
    installs = [
        part
        for text in stages[0].all("RUN")
        for part in re.split(r"&&|;", text)
        if re.search(r"\bpip\b.* (install|wheel) ", part)
    ]
    assert len(installs) == 4
    for command in installs:
        assert "--require-hashes" in command or "--no-index" in command, command
    assert not any("pip" in text for text in stages[1].all("RUN"))


def test_the_wheel_is_what_the_shipped_stage_gets(image):
    assert image.all("COPY") == ["--from=build /opt/genint /opt/genint"]


def test_what_is_copied_exists_and_is_let_in(stages, root, deploy):
    patterns = [
        line
        for line in (deploy / "Dockerfile.dockerignore").read_text("utf-8").splitlines()
        if line and not line.startswith("#")
    ]
    assert patterns[0] == "*"
    allowed = [line[1:] for line in patterns if line.startswith("!")]
    copied = [source for text in stages[0].all("COPY") for source in text.split()[:-1]]
    for source in copied:
        assert (root / source).exists(), source
    assert sorted(copied) == sorted(allowed)


def test_what_the_project_needs_for_its_wheel_is_copied(stages, root):
    copied = {source for text in stages[0].all("COPY") for source in text.split()[:-1]}
    assert {"genint", "sql", "pyproject.toml", "README.md", "LICENSE"} <= copied
    for source in re.findall(r'^"(\w+)" = "genint/', (root / "pyproject.toml").read_text(), re.M):
        assert source in copied


def test_it_does_not_run_as_root(image):
    user = image.only("USER")
    assert re.fullmatch(r"[1-9]\d{3,}:[1-9]\d{3,}", user)
    names = [instruction.name for instruction in image.instructions]
    assert names.index("USER") < names.index("ENTRYPOINT")
    assert f"--uid {user.split(':')[0]} " in image.only("RUN")


def test_it_starts_a_command_that_exists(image, accepts):
    assert json.loads(image.only("ENTRYPOINT")) == ["genint"]
    arguments = json.loads(image.only("CMD"))
    assert accepts(arguments)
    assert arguments[arguments.index("--port") + 1] == image.only("EXPOSE")


def test_its_variables_are_ones_that_genint_reads(image, settings_names):
    others = {"PATH", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"}
    assert set(environment(image)) - others <= settings_names


def test_what_changes_lies_on_volumes(image):
    kept = json.loads(image.only("VOLUME"))
    named = environment(image)
    assert {named["GENINT_DATA_DIR"], named["GENINT_CACHE_DIR"]} == set(kept)
    for folder in kept:
        assert re.search(rf"install -d .*-m 0700 .*{folder}\b", image.only("RUN"))


def test_it_ends_by_the_signal_that_genint_waits_for(image):
    assert image.only("STOPSIGNAL") == "SIGTERM"


def test_its_health_is_asked_by_a_python_that_compiles(image):
    options, _, command = image.only("HEALTHCHECK").partition("CMD ")
    program, flag, code = json.loads(command)
    assert (program, flag) == ("python", "-c")
    compile(code, "healthcheck", "exec")
    assert "/api/v1/health" in code
    assert f":{image.only('EXPOSE')}/" in code
    assert {"--interval", "--timeout", "--start-period", "--retries"} <= set(
        re.findall(r"--[a-z-]+", options)
    )


def test_no_secret_gets_into_a_layer(stages):
    for stage in stages:
        for name, text in stage.instructions:
            if name in ("ARG", "ENV", "RUN", "LABEL"):
                assert not SECRET.search(text), (name, text)
            if name == "COPY":
                assert not any(fnmatch(word, "*secret*") for word in text.split()), text
