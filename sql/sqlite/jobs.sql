-- name: claim_job(owner, lease_us)^
-- The user with the fewest running jobs is served first, then the oldest job.
UPDATE jobs SET
    status = 'RUNNING',
    attempt = attempt + 1,
    owner = :owner,
    lease_until = now_us() + :lease_us,
    progress = 0,
    started_at = now_us()
WHERE
    id = (
        SELECT j.id
        FROM jobs AS j
        LEFT JOIN (
            SELECT r.user_id, count(*) AS running
            FROM jobs AS r
            WHERE r.status = 'RUNNING'
            GROUP BY r.user_id
        ) AS u ON j.user_id = u.user_id
        WHERE j.status = 'PENDING'
        ORDER BY coalesce(u.running, 0), j.queued_at, j.id
        LIMIT 1
    )
RETURNING id;

-- name: lock_user(id)^
-- One transaction writes at a time anyway.
SELECT id FROM users WHERE id = :id;

-- name: add_dark_genes(job_id, first_position, genes)!
-- genes is JSON, a list of [id, name, locus].
INSERT INTO dark_genes (job_id, position, id, name, locus)
SELECT
    :job_id,
    :first_position + gene.key,
    json_extract(gene.value, '$[0]'),
    json_extract(gene.value, '$[1]'),
    json_extract(gene.value, '$[2]')
FROM json_each(:genes) AS gene;

-- name: list_known_jobs(ids)
-- ids is JSON, a list.
SELECT id FROM jobs WHERE id IN (SELECT value FROM json_each(:ids));
