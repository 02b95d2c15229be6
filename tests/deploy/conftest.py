"""What the files of deploy/ are held against: the settings and the commands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import click
import pytest

from genint.cli.main import cli
from genint.settings import SECRETS, VARIABLES, Settings

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def root() -> Path:
    """The top folder of the project."""
    return ROOT


@pytest.fixture(scope="session")
def deploy() -> Path:
    """The folder of the deployment files."""
    return ROOT / "deploy"


@pytest.fixture(scope="session")
def settings_names() -> frozenset[str]:
    """Every environment variable that genint reads."""
    return frozenset(VARIABLES.values()) | {f"{name}_FILE" for name in SECRETS}


@pytest.fixture(scope="session")
def accepts() -> Callable[[Sequence[str]], bool]:
    """Whether `genint` knows a command with these arguments."""

    def parse(arguments: Sequence[str]) -> bool:
        name, *rest = arguments
        with click.Context(cli) as context:
            command = cli.get_command(context, name)
            if command is None:
                return False
            try:
                command.make_context(name, list(rest), parent=context)
            except click.UsageError:
                return False
        return True

    assert parse(["serve", "--port", "8000"])
    assert not parse(["serve", "--no-such-option"])
    assert not parse(["no-such-command"])
    return parse


@pytest.fixture(scope="session")
def default_upload_bytes() -> int:
    """The largest upload where nothing else is set."""
    return Settings.from_environment({}).max_upload_bytes
