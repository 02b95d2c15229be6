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
        FOR UPDATE OF j SKIP LOCKED
    )
RETURNING id;

-- name: lock_user(id)^
-- Submissions of one user wait for each other, so that counting and adding is one step.
SELECT id FROM users WHERE id = :id FOR NO KEY UPDATE;

-- name: add_dark_genes(job_id, first_position, genes)!
-- genes is JSON, a list of [id, name, locus].
INSERT INTO dark_genes (job_id, position, id, name, locus)
SELECT
    :job_id,
    :first_position + gene.number - 1,
    gene.value ->> 0,
    gene.value ->> 1,
    gene.value ->> 2
FROM json_array_elements(CAST(:genes AS JSON)) WITH ORDINALITY AS gene (value, number);

-- name: list_known_jobs(ids)
-- ids is JSON, a list.
SELECT id FROM jobs
WHERE id IN (SELECT json_array_elements_text(CAST(:ids AS JSON)));
