"""The cache of online answers beside a dictionary: any history of keeping and finding."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from genint.cache.info import clear_cache, sweep
from genint.cache.online import OnlineCache, StoredAnswer
from genint.model.online import AnswerState

DAY_S = 86_400
ODD = "\ud800 \0\n"
SERVICES = st.sampled_from(("uniprot", ODD))
KINDS = st.sampled_from(("md5", "md5-2"))
RELEASES = st.sampled_from(("2026_03", "", '"], "'))
KEYS = st.sampled_from(("A", "a", "", "A\n", "\N{GREEK SMALL LETTER PI}"))
STATES = st.sampled_from([state for state in AnswerState if state.is_answer])
MOST_DAYS = {state: 90 if state is AnswerState.HIT else 30 for state in AnswerState}


class CacheBesideDictionaries(RuleBasedStateMachine):
    """Whatever is done to both, both say the same."""

    def __init__(self):
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.now_s = 20_000.0 * DAY_S
        self.cache = OnlineCache(self.folder, clock=lambda: self.now_s)
        self.forget()

    def forget(self):
        self.answers = {}
        """Service, kind, key -> release -> what was kept, in order of keeping."""

    def teardown(self):
        shutil.rmtree(self.folder)

    @rule(
        service=SERVICES,
        kind=KINDS,
        release=RELEASES,
        rows=st.dictionaries(KEYS, st.tuples(STATES, st.text(max_size=400)), max_size=4),
    )
    def keep(self, service, kind, release, rows):
        self.now_s += 1
        self.cache.keep(service, kind, release, rows)
        for key, (state, payload) in rows.items():
            of_key = self.answers.setdefault((service, kind, key), {})
            of_key.pop(release, None)
            of_key[release] = StoredAnswer(state, payload, release, self.now_s)

    @rule(days=st.sampled_from((1, 29, 2)))
    def wait(self, days):
        self.now_s += days * DAY_S

    @rule()
    def another_process_opens_it(self):
        self.cache = OnlineCache(self.folder, clock=lambda: self.now_s)
        sweep(self.folder)

    @rule()
    def clear(self):
        clear_cache(self.folder)
        self.forget()

    def expected(self, service, kind, keys, release):
        """What is to be found: the one of the release, or the last; if it is not too old."""
        of_keys = {key: self.answers.get((service, kind, key), {}) for key in keys}
        chosen = {
            key: list(kept.values())[-1] if release is None else kept.get(release)
            for key, kept in of_keys.items()
            if kept
        }
        return {
            key: kept
            for key, kept in chosen.items()
            if kept and self.now_s - kept.fetched_at <= MOST_DAYS[kept.state] * DAY_S
        }

    @rule(service=SERVICES, kind=KINDS, release=st.none() | RELEASES, keys=st.lists(KEYS))
    def find(self, service, kind, release, keys):
        found = self.cache.find(service, kind, keys, release)
        assert found == self.expected(service, kind, keys, release)


CacheBesideDictionaries.TestCase.settings = settings(
    max_examples=40, stateful_step_count=30, deadline=None
)
TestCacheBesideDictionaries = CacheBesideDictionaries.TestCase
