"""Everything that is kept: jobs and accounts in SQLite or PostgreSQL, files on disk."""

from genint.storage.accounts import AccountStore, KeyInUse, KeyPage, email_identity
from genint.storage.dark_genes import DarkGenePage
from genint.storage.files import FileStore
from genint.storage.heartbeats import DatabaseHeartbeats
from genint.storage.job_lists import JobPage
from genint.storage.jobs import JobStore
from genint.storage.notices import Notice
from genint.storage.opening import Storage, StorageAddress, migrate, open_storage
from genint.storage.redis_heartbeats import RedisHeartbeats
from genint.storage.submission import Submitted
from genint.storage.uploads import UploadFile

__all__ = [
    "AccountStore",
    "DarkGenePage",
    "DatabaseHeartbeats",
    "FileStore",
    "JobPage",
    "JobStore",
    "KeyInUse",
    "KeyPage",
    "Notice",
    "RedisHeartbeats",
    "Storage",
    "StorageAddress",
    "Submitted",
    "UploadFile",
    "email_identity",
    "migrate",
    "open_storage",
]
