-- Where the end of a user's jobs is announced. The secret signs what is sent, so it is kept as it is.
CREATE TABLE webhooks (
    user_id TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    url TEXT NOT NULL,
    secret TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_delivered_at INTEGER,
    last_error TEXT  -- null where the last try was good
) STRICT;

-- Announcements that have not arrived yet.
CREATE TABLE webhook_deliveries (
    id TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES webhooks (user_id) ON DELETE CASCADE,
    job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    status TEXT NOT NULL,
    ended_at INTEGER NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER NOT NULL,
    claimed_until INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX webhook_deliveries_of_user ON webhook_deliveries (user_id, due_at, id);
CREATE INDEX webhook_deliveries_of_job ON webhook_deliveries (job_id);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (due_at);

-- A trigger, so that a job cannot end in any way without its announcement.
CREATE TRIGGER jobs_announce_end AFTER UPDATE OF status ON jobs
WHEN
    new.status IN ('COMPLETED', 'FAILED', 'CANCELLED')
    AND old.status NOT IN ('COMPLETED', 'FAILED', 'CANCELLED')
BEGIN
    INSERT INTO webhook_deliveries (id, user_id, job_id, status, ended_at, due_at)
    SELECT
        lower(hex(randomblob(16))), w.user_id, new.id, new.status, new.finished_at, new.finished_at
    FROM webhooks AS w
    WHERE w.user_id = new.user_id;
END;
