"""Online services that are down, as all workers that share a database know it."""

from __future__ import annotations

from collections.abc import Mapping

from genint.model.online import Outage
from genint.storage.database import Database, Session
from genint.storage.listings import MICROSECONDS, us_from_s


class OutageStore:
    """What one worker found out about a server spares the others a minute of waiting each.

    It goes through the database because that is all that workers share: they may run in
    containers and on machines that have no other place in common. Only what was the server's
    own fault is told; who cannot connect may have a broken network.

    Every method raises DatabaseAway where the database does not answer.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._told: frozenset[str] = frozenset()

    async def exchange(self, found: Mapping[str, Outage]) -> Mapping[str, Outage]:
        """Tell others which servers this process found down, and learn the same of them.

        Args:
            found: By base address; one that was named the last time and is not any more is up.

        Returns:
            What any process found down, this one included.
        """
        ended = self._told - found.keys()

        async def tell(session: Session) -> None:
            for server in ended:
                await session.execute("end_outage", server=server)
            for server, outage in sorted(found.items()):
                left_us = us_from_s(outage.left_s)
                await session.execute(
                    "note_outage", server=server, reason=outage.reason, left_us=left_us
                )

        if found or ended:
            await self._database.transact(tell)
        self._told = frozenset(found)
        rows = await self._database.fetch_all("list_outages")
        return {row["server"]: Outage(row["reason"], row["left_us"] / MICROSECONDS) for row in rows}
