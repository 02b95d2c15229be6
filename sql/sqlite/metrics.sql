-- name: queue_state()^
-- Left to itself SQLite counts through an index that has all ended jobs in it.
SELECT
    (
        SELECT count(*) FROM jobs AS j INDEXED BY jobs_pending WHERE j.status = 'PENDING'
    ) AS waiting,
    (
        SELECT count(*) FROM jobs AS j INDEXED BY jobs_running WHERE j.status = 'RUNNING'
    ) AS running,
    (
        SELECT now_us() - min(j.queued_at)
        FROM jobs AS j INDEXED BY jobs_pending
        WHERE j.status = 'PENDING'
    ) AS oldest_us;
