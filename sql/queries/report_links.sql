-- name: count_report_links(job_id)^
SELECT count(*) AS total FROM report_links WHERE job_id = :job_id;

-- name: drop_expired_report_links(job_id)!
DELETE FROM report_links WHERE job_id = :job_id AND expires_at <= now_us();

-- name: add_report_link(id, job_id, digest, valid_us)^
-- valid_us is null for a link that does not expire.
WITH clock AS MATERIALIZED (SELECT now_us() AS now)
INSERT INTO report_links (id, job_id, digest, created_at, expires_at)
SELECT :id, :job_id, :digest, clock.now, clock.now + CAST(:valid_us AS BIGINT)
FROM clock
RETURNING id, created_at, expires_at;

-- name: list_report_links(job_id)
-- Newest first, without those that have expired.
SELECT id, created_at, expires_at FROM report_links
WHERE job_id = :job_id AND (expires_at IS NULL OR expires_at > now_us())
ORDER BY created_at DESC, id DESC;

-- name: find_report_link(job_id, digest)^
SELECT id FROM report_links
WHERE
    job_id = :job_id
    AND digest = :digest
    AND (expires_at IS NULL OR expires_at > now_us());

-- name: delete_report_link(id, job_id)^
DELETE FROM report_links WHERE id = :id AND job_id = :job_id RETURNING id;
