-- name: queue_state()^
SELECT
    (SELECT count(*) FROM jobs WHERE status = 'PENDING') AS waiting,
    (SELECT count(*) FROM jobs WHERE status = 'RUNNING') AS running,
    (SELECT now_us() - min(queued_at) FROM jobs WHERE status = 'PENDING') AS oldest_us;
