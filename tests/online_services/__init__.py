"""Fake UniProt, InterPro and interpro2go on loopback, with the real shapes and error bodies.

In a test of ``tests/online`` take the fixture ``services``; elsewhere::

    from tests.online_services import SAMPLE_WORLD, Services, serving

    async with Services(SAMPLE_WORLD) as services: ...     # in the loop of the test
    with serving(SAMPLE_WORLD) as services: ...            # in a thread, for code without a loop

*Where they are*: ``services.url("uniprot" | "interpro" | "interpro_go")`` and
``services.environment`` (the variables that lead genint there). An address with ``https:`` instead
of ``http:`` gives a TLS error.

*What they know* is ``services.world`` (frozen, replaceable at any time): ``SAMPLE_WORLD`` has one
protein of each kind (``samples.PROTEINS``); ``world_of([Protein(residues, product, Ids(...))])``
makes another by rule; ``by_rule(proteins)`` says how well each is known;
``genomes.world_of_genomes`` takes genome files; ``real.real_world(folder)`` the real answers beside
the project. Worlds add up: ``services.world += World(entries=(inactive_entry("A0A000AAA1"),))``.

*How they behave* where nobody knows how the real ones do: ``services.behave(polls=0,
crc64_mapping="refused", predictions=True, ...)``; see :class:`Behaviour`.

*What is wrong*: ``services.misbehave(prefix, fault, ..., after=0, times=None)`` with faults of
``misbehaviours`` and ``transfers`` and a prefix of ``service/path``; ``services.slow(prefix, 0.3,
3.0, seed=1)``; ``services.recover(prefix)``; ``await services.die("uniprot")`` (connections are
refused) and ``revive``; ``services.release(uniprot="2026_04", after=3)``::

    services.misbehave("uniprot/uniprotkb/search", too_many_requests(retry_after=2), times=2)
    services.misbehave("interpro/matches", good(), outage_page(), broken_off())  # one request each
    services.misbehave("interpro/info", status(404))

*What they were asked*: ``services.record``: ``count("uniprot")``, ``routes()``,
``most_in_flight("interpro")``, ``most_in("uniprot", 1.0)``, ``spoken_of(residues) == []``,
``of("interpro/matches")[0].json``, ``.headers["user-agent"]``, ``.sent_bytes``,
``count("canary")``.

Nothing of what they answer for made-up worlds is real.
"""

from .made import Ids, Known, Protein, by_rule, world_of
from .made_entries import inactive_entry
from .misbehaviours import (
    body,
    content_type,
    cut_json,
    deep_json,
    foreign_next,
    good,
    header,
    huge_numbers,
    nan,
    no_content,
    outage_page,
    redirect,
    repeated_keys,
    rewritten,
    same_next,
    status,
    text_replaced,
    too_many_requests,
    with_value,
    without,
)
from .samples import PROTEINS, SAMPLE_WORLD
from .services import Services, serving
from .transfers import bad_gzip, broken_off, drip, endless, gzip_bomb, hang_up, silence
from .world import Behaviour, GoLine, Release, World

__all__ = [
    "PROTEINS",
    "SAMPLE_WORLD",
    "Behaviour",
    "GoLine",
    "Ids",
    "Known",
    "Protein",
    "Release",
    "Services",
    "World",
    "bad_gzip",
    "body",
    "broken_off",
    "by_rule",
    "content_type",
    "cut_json",
    "deep_json",
    "drip",
    "endless",
    "foreign_next",
    "good",
    "gzip_bomb",
    "hang_up",
    "header",
    "huge_numbers",
    "inactive_entry",
    "nan",
    "no_content",
    "outage_page",
    "redirect",
    "repeated_keys",
    "rewritten",
    "same_next",
    "serving",
    "silence",
    "status",
    "text_replaced",
    "too_many_requests",
    "with_value",
    "without",
    "world_of",
]
