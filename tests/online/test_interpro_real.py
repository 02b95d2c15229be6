"""InterPro asked for the thousand proteins that its Matches API carries for tests."""

from __future__ import annotations

from collections import Counter

from genint.cache.online import OnlineCache
from genint.model import AnswerState, OnlineQuestions, ProteinQuestion
from genint.online.interpro.query import query_interpro
from tests.online.interpro_run import client_of
from tests.online_services import Services
from tests.online_services.real import real_world


async def test_a_thousand_real_answers_cost_twelve_requests_and_then_one(shared_data, tmp_path):
    world, cache = real_world(shared_data / "api"), OnlineCache(tmp_path)
    asked = tuple(ProteinQuestion(md5, "", 100) for md5 in world.matches)
    questions = OnlineQuestions(asked, None, {})
    async with Services(world) as services:
        async with client_of(services) as client:
            first = await query_interpro(questions, client.run(60), cache)
        assert services.record.routes() == {
            "GET interpro/info": 1,
            "POST interpro/matches": 10,
            "GET interpro_go/interpro2go": 1,
        }
        services.forget()
        async with client_of(services) as client:
            second = await query_interpro(questions, client.run(60), cache)
        assert services.record.routes() == {"GET interpro/info": 1}
    assert second.answers == first.answers
    assert (second.go, second.go_note) == (first.go, "")
    assert first.use.problem == ""
    states = Counter(answer.state for answer in first.answers.values())
    # 58 have nothing at all, 82 no more than features of their residues.
    assert states == {AnswerState.HIT: 860, AnswerState.NO_MATCH: 140}
    assert first.use.releases == ("107.0",)
    assert len(first.go) > 500
