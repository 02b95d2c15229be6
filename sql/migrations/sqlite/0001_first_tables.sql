-- Times are microseconds since 1970 (UTC) by the clock of the database's machine.

CREATE TABLE users (
    id TEXT NOT NULL PRIMARY KEY,
    email TEXT NOT NULL,
    email_identity TEXT NOT NULL UNIQUE,
    first_name TEXT NOT NULL,
    last_name TEXT NOT NULL,
    password_hash TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_started_at INTEGER  -- any of their jobs, whatever became of it
) STRICT;

CREATE TABLE api_keys (
    id TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id),
    name TEXT NOT NULL,
    key_prefix TEXT NOT NULL UNIQUE,
    digest TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    last_used_at INTEGER,
    revoked_at INTEGER
) STRICT;

CREATE INDEX api_keys_of_user ON api_keys (user_id, created_at, id);

CREATE TABLE waitlist (
    email_identity TEXT NOT NULL PRIMARY KEY,
    email TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE workers (
    id TEXT NOT NULL PRIMARY KEY,
    beat_at INTEGER NOT NULL
) STRICT;

CREATE TABLE jobs (
    id TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id),
    filename TEXT NOT NULL,
    upload TEXT NOT NULL,
    phage_mode INTEGER NOT NULL CHECK (phage_mode IN (0, 1)),
    mode TEXT NOT NULL,
    idempotency_key TEXT,
    fingerprint TEXT NOT NULL,
    status TEXT NOT NULL
        CHECK (status IN ('PENDING', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELLED')),
    attempt INTEGER NOT NULL DEFAULT 0,
    owner TEXT,
    lease_until INTEGER,
    strikes INTEGER NOT NULL DEFAULT 0,
    restarts INTEGER NOT NULL DEFAULT 0,
    progress REAL NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 1),
    error_message TEXT,
    report_attempt INTEGER,
    report_version TEXT,
    total_genes INTEGER NOT NULL DEFAULT 0,
    interpreted_genes INTEGER NOT NULL DEFAULT 0,
    high_confidence INTEGER NOT NULL DEFAULT 0,
    dark INTEGER NOT NULL DEFAULT 0,
    processing_time_seconds INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    queued_at INTEGER NOT NULL,
    started_at INTEGER,
    finished_at INTEGER,
    UNIQUE (user_id, idempotency_key),
    CONSTRAINT held_while_running CHECK (
        (status = 'RUNNING') = (owner IS NOT NULL)
        AND (owner IS NULL) = (lease_until IS NULL)
        AND (status <> 'RUNNING' OR started_at IS NOT NULL)
    ),
    CONSTRAINT ended_once CHECK (
        (status IN ('COMPLETED', 'FAILED', 'CANCELLED')) = (finished_at IS NOT NULL)
    ),
    CONSTRAINT failed_for_a_reason CHECK ((status = 'FAILED') = (error_message IS NOT NULL)),
    CONSTRAINT completed_with_a_report CHECK (
        (status = 'COMPLETED') = (progress = 1)
        AND (status <> 'COMPLETED' OR (report_attempt IS NOT NULL AND report_attempt = attempt))
        AND (report_attempt IS NULL) = (report_version IS NULL)
    )
) STRICT;

CREATE INDEX jobs_of_user ON jobs (user_id, created_at, id);
CREATE INDEX jobs_of_user_in_status ON jobs (user_id, status, created_at, id);
CREATE INDEX jobs_pending ON jobs (user_id, queued_at, id) WHERE status = 'PENDING';
CREATE INDEX jobs_running ON jobs (user_id, owner) WHERE status = 'RUNNING';
CREATE INDEX jobs_ended ON jobs (finished_at) WHERE finished_at IS NOT NULL;

CREATE TABLE dark_genes (
    job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    locus TEXT NOT NULL,
    PRIMARY KEY (job_id, position)
) STRICT, WITHOUT ROWID;
