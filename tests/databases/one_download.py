"""Fetches one file in a process of its own: ``one_download.py FOLDER MIRROR HOST PATH MD5``.

Prints the bytes that are there after each step, or why it failed.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from genint.databases.checksums import PublishedFile
from genint.databases.download.http import Mirror
from genint.databases.download.manager import Downloader, Progress
from genint.databases.download.retry import RetryPolicy
from genint.databases.recipes import Place, RemoteFile
from genint.errors import InstallError


def tell(progress: Progress) -> None:
    print(progress.done_bytes, flush=True)


async def main(folder: str, mirror: str, host: str, path: str, md5: str) -> None:
    file = RemoteFile("data.gz", (Place(host, path),))
    mirrors, policy = (Mirror.parse(mirror),), RetryPolicy(attempts=2, first_wait_s=0.001)
    async with Downloader(Path(folder), mirrors, policy, tell) as client:
        await client.fetch(file, PublishedFile(None, md5))


if __name__ == "__main__":
    try:
        asyncio.run(main(*sys.argv[1:]))
    except InstallError as error:
        print(error)
        sys.exit(1)
