"""Which servers are asked, and how gently: figures for each."""

from __future__ import annotations

from dataclasses import dataclass

from genint.online.ports import Call, Host


@dataclass(frozen=True, slots=True)
class Servers:
    """Base addresses, without a slash at the end.

    Attributes:
        uniprot: REST services of UniProt.
        interpro: Matches API of InterPro.
        interpro_go: Folder that holds ``interpro2go``.
    """

    uniprot: str
    interpro: str
    interpro_go: str

    def base(self, host: Host) -> str:
        """Base address of a server."""
        return {
            Host.UNIPROT: self.uniprot,
            Host.INTERPRO: self.interpro,
            Host.INTERPRO_GO: self.interpro_go,
        }[host]


@dataclass(frozen=True, slots=True)
class HostPolicy:
    """Limits of one server.

    Attributes:
        parallel: Requests under way at the same time.
        pace_per_s: Requests begun in a second, evenly spread.
        connect_s: Longest time to connect: finding the address, TCP and TLS.
        read_s: Longest silence in an answer.
        total_s: Longest time that all attempts of a call may spend with the server; waiting
            for a turn is not counted.
        attempts: How often a call is sent at most.
    """

    parallel: int
    pace_per_s: float
    connect_s: float
    read_s: float
    total_s: float
    attempts: int


_UNIPROT = HostPolicy(2, 5.0, 5.0, 60.0, 90.0, 4)
_INTERPRO = HostPolicy(4, 3.0, 5.0, 45.0, 60.0, 4)
_INTERPRO_GO = HostPolicy(1, 1.0, 5.0, 30.0, 60.0, 2)


@dataclass(frozen=True, slots=True)
class Policy:
    """Limits of all servers.

    None of the services publishes a rate; the figures stay below what others measured to be
    welcome. InterPro's other API, which answers one protein at a time and wants 61 seconds
    after a 408, is not asked at all.

    Attributes:
        uniprot, interpro, interpro_go: Limits of each server.
        body_limit_bytes: Largest body, decompressed.
        first_wait_s: Longest wait before the second attempt of a call; it doubles with each
            attempt that follows. How long the wait really is, chance decides (full jitter).
        longest_wait_s: Longest such wait.
        longest_retry_after_s: Longest wait that is granted to a server that asks for one.
        lost_in_a_row: Calls lost one after the other at which a server counts as down.
        unconnected_in_a_row: Attempts to connect that failed one after the other, likewise.
        cool_down_s: How long a server that is down is left alone; doubles each time it is
            still down then.
        longest_cool_down_s: Longest such time.
    """

    uniprot: HostPolicy = _UNIPROT
    interpro: HostPolicy = _INTERPRO
    interpro_go: HostPolicy = _INTERPRO_GO
    body_limit_bytes: int = 64_000_000
    first_wait_s: float = 1.0
    longest_wait_s: float = 30.0
    longest_retry_after_s: float = 120.0
    lost_in_a_row: int = 3
    unconnected_in_a_row: int = 2
    cool_down_s: float = 60.0
    longest_cool_down_s: float = 900.0

    def of(self, host: Host) -> HostPolicy:
        """Limits of a server."""
        return {
            Host.UNIPROT: self.uniprot,
            Host.INTERPRO: self.interpro,
            Host.INTERPRO_GO: self.interpro_go,
        }[host]


USUAL_POLICY = Policy()

PROBES = {
    Host.UNIPROT: Call(
        Host.UNIPROT,
        "/uniprotkb/search",
        params=(("query", "accession:P19926"), ("size", "0"), ("format", "json")),
    ),
    Host.INTERPRO: Call(Host.INTERPRO, "/info"),
    Host.INTERPRO_GO: Call(Host.INTERPRO_GO, "/interpro2go", wants="text"),
}
"""A cheap call that tells whether a server that was down is back; it says nothing of anybody's
proteins."""
