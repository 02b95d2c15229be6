"""Everything that is kept: jobs and accounts in SQLite or PostgreSQL, files on disk."""

from genint.storage.accounts import AccountStore, KeyInUse, KeyPage, email_identity
from genint.storage.connect import Storage, StorageAddress, migrate, open_storage
from genint.storage.database import Notice
from genint.storage.files import FileStore, UploadFile
from genint.storage.heartbeats import DatabaseHeartbeats, Heartbeats, RedisHeartbeats
from genint.storage.jobs import DarkGenePage, JobPage, JobStore, Submitted

__all__ = [
    "AccountStore",
    "DarkGenePage",
    "DatabaseHeartbeats",
    "FileStore",
    "Heartbeats",
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
