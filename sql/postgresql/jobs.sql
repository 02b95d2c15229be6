-- name: claim_job(owner, lease_us)^
-- The user with the fewest running jobs is served first; of several the one whose last start
-- is longest ago, so that they take turns, and who never had one before all; then the oldest
-- job. The users who wait are found one after another by steps through the index, so that
-- the time depends on their number and not on that of their jobs.
-- Where others claim that user's last jobs at this moment, any job will do.
WITH RECURSIVE waiting (user_id) AS (
    SELECT min(j.user_id) FROM jobs AS j WHERE j.status = 'PENDING'
    UNION ALL
    SELECT (
        SELECT min(j.user_id) FROM jobs AS j
        WHERE j.status = 'PENDING' AND j.user_id > w.user_id
    )
    FROM waiting AS w
    WHERE w.user_id IS NOT NULL
),
first_served AS (
    SELECT w.user_id
    FROM waiting AS w
    CROSS JOIN LATERAL (
        SELECT j.queued_at, j.id FROM jobs AS j
        WHERE j.status = 'PENDING' AND j.user_id = w.user_id
        ORDER BY j.queued_at, j.id
        LIMIT 1
    ) AS oldest
    ORDER BY
        (SELECT count(*) FROM jobs AS r WHERE r.status = 'RUNNING' AND r.user_id = w.user_id),
        (SELECT coalesce(u.last_started_at, 0) FROM users AS u WHERE u.id = w.user_id),
        oldest.queued_at,
        oldest.id
    LIMIT 1
)
UPDATE jobs SET
    status = 'RUNNING',
    attempt = attempt + 1,
    owner = :owner,
    lease_until = now_us() + :lease_us,
    progress = 0,
    started_at = now_us()
WHERE
    id = coalesce(
        (
            SELECT j.id
            FROM jobs AS j
            WHERE j.status = 'PENDING' AND j.user_id = (SELECT f.user_id FROM first_served AS f)
            ORDER BY j.queued_at, j.id
            LIMIT 1
            FOR UPDATE OF j SKIP LOCKED
        ),
        (
            SELECT j.id
            FROM jobs AS j
            WHERE j.status = 'PENDING'
            ORDER BY j.queued_at, j.id
            LIMIT 1
            FOR UPDATE OF j SKIP LOCKED
        )
    )
RETURNING id, user_id;

-- name: lock_user(id)^
-- Submissions and keys of one user wait for each other, so that counting and adding is one
-- step. No row where the account is disabled.
SELECT id FROM users WHERE id = :id AND disabled_at IS NULL FOR NO KEY UPDATE;

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
