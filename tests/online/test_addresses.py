"""Addresses are made from the settings, and from paths and links that fit below them."""

from __future__ import annotations

import pytest
from yarl import URL

from genint.http_errors import RequestFailed
from genint.online.protocol import Host, Request
from genint.online.request import address_of, address_of_link

UNIPROT = "https://rest.uniprot.org"
INTERPRO = "https://www.ebi.ac.uk/interpro/matches/api"
SEARCH = Request(Host.UNIPROT, "/uniprotkb/search")


def linked(base: str, link: str) -> str:
    return str(address_of_link(base, address_of(base, SEARCH), link))


@pytest.mark.parametrize(
    ("base", "path", "address"),
    [
        (UNIPROT, "/uniprotkb/search", f"{UNIPROT}/uniprotkb/search"),
        (f"{UNIPROT}/", "/idmapping/status/0a1b", f"{UNIPROT}/idmapping/status/0a1b"),
        (INTERPRO, "/matches", f"{INTERPRO}/matches"),
        ("http://[::1]:8080/x", "/a.b~c_d:e,f-g", "http://[::1]:8080/x/a.b~c_d:e,f-g"),
    ],
)
def test_a_path_is_put_below_the_base(base, path, address):
    assert str(address_of(base, Request(Host.UNIPROT, path))) == address


@pytest.mark.parametrize(
    ("value", "query"),
    [
        ("P0%0d%0aX: y", "P0%250d%250aX:+y"),
        ("a\r\nX: y", "a%0D%0AX:+y"),
        ("../../@host", "../../@host"),
        ("a&b=c#d;e", "a%26b%3Dc%23d%3Be"),
    ],
)
def test_a_parameter_stays_a_parameter_whatever_it_holds(value, query):
    url = address_of(
        UNIPROT, Request(Host.UNIPROT, "/uniprotkb/search", params=(("query", value),))
    )
    assert str(url) == f"{UNIPROT}/uniprotkb/search?query={query}"
    assert url.query == {"query": value}


@pytest.mark.parametrize(
    "link",
    [
        f"{UNIPROT}/uniprotkb/search?cursor=1mkycb2xwxbouw&size=500",
        "http://rest.uniprot.org/uniprotkb/search?cursor=1mkycb2xwxbouw&size=500",
        "HTTPS://Rest.UniProt.org:443/uniprotkb/search?cursor=1mkycb2xwxbouw&size=500",
        "/uniprotkb/search?cursor=1mkycb2xwxbouw&size=500",
        "?cursor=1mkycb2xwxbouw&size=500",
    ],
)
def test_links_to_the_same_server_are_taken_to_the_configured_base(link):
    expected = f"{UNIPROT}/uniprotkb/search?cursor=1mkycb2xwxbouw&size=500"
    assert linked(UNIPROT, link) == expected


def test_the_query_of_a_link_is_sent_as_it_came():
    query = "query=%28checksum%3AA+OR+checksum%3AB%29&cursor=a%2Bb%3D%3D"
    assert (
        linked(UNIPROT, f"{UNIPROT}/uniparc/search?{query}") == f"{UNIPROT}/uniparc/search?{query}"
    )


def test_a_base_with_a_port_takes_links_with_that_port_only():
    base = "http://127.0.0.1:8080/up"
    assert linked(base, "https://127.0.0.1:8080/up/x?y=1") == "http://127.0.0.1:8080/up/x?y=1"
    for link in ("http://127.0.0.1/up/x", "http://127.0.0.1:8081/up/x", "http://127.0.0.1:x/up/x"):
        with pytest.raises(RequestFailed):
            linked(base, link)


@pytest.mark.parametrize(
    "link",
    [
        "https://169.254.169.254/uniprotkb/search",
        "https://rest.uniprot.org.evil.example/uniprotkb/search",
        "https://evil.example/https://rest.uniprot.org/uniprotkb/search",
        "https://rest.uniprot.org:8443/uniprotkb/search",
        "https://rest.uniprot.org@evil.example/uniprotkb/search",
        "https://evil.example\\@rest.uniprot.org/uniprotkb/search",
        "https://0x7f000001/uniprotkb/search",
        "https://2130706433/x",
        "https://0177.0.0.1/x",
        "https://[::ffff:7f00:1]/x",
        "//evil.example/uniprotkb/search",
        "javascript:alert(1)",
        "data:text/plain,x",
        "https://rest.uniprot.org/a/%2e%2e/b",
        "https://rest.uniprot.org/a/..%2fb",
        "https://rest.uniprot.org\t/x",
        "https://rest.uniprot.org/\u00e9",
    ],
)
def test_links_to_elsewhere_are_refused_without_being_quoted(link):
    with pytest.raises(RequestFailed) as caught:
        linked(UNIPROT, link)
    assert str(caught.value) in {
        "a link that cannot be read",
        "a link to another server",
        "a link to another place of the server",
    }


def test_a_link_may_not_leave_the_base_for_a_neighbour():
    for path in ("/interpro/api/x", "/interpro/matches/api", "/interpro/matches/apiary/x"):
        with pytest.raises(RequestFailed):
            linked(INTERPRO, f"https://www.ebi.ac.uk{path}")
    assert URL(linked(INTERPRO, f"{INTERPRO}/info")).path == "/interpro/matches/api/info"
