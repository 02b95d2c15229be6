from __future__ import annotations

import pytest

from genint.online.client import user_agent
from genint.version import __version__


def test_servers_are_told_program_version_and_whom_to_write_to():
    found = user_agent(__version__, "lab@example.org")
    assert found == f"genint/{__version__} (mailto:lab@example.org)"


def test_without_a_contact_there_is_none():
    assert user_agent("1.0", None) == "genint/1.0"


@pytest.mark.parametrize(
    "contact",
    [
        "",
        "lab@example.org\r\nX-Evil: 1",
        "lab@example.org\n",
        "lab@example.org)",
        "lab@example.org; admin",
        "a b@example.org",
        "lab",
        "é@example.org",
        "lab@example.org\0",
    ],
)
def test_nothing_can_be_smuggled_into_the_header(contact):
    with pytest.raises(ValueError, match="e-mail"):
        user_agent("1.0", contact)
    with pytest.raises(ValueError, match="version"):
        user_agent(f"1.0 {contact}", "lab@example.org")
