-- name: claim_job(owner, lease_us)^
-- The user with the fewest running jobs is served first; of several the one whose last start
-- is longest ago, so that they take turns, and who never had one before all; then the oldest
-- job. The users who wait are found one after another by steps through the index, so that
-- the time depends on their number and not on that of their jobs. Left to itself SQLite
-- takes another index, with all that have ended in it.
WITH RECURSIVE waiting (user_id) AS (
    SELECT min(j.user_id) FROM jobs AS j INDEXED BY jobs_pending WHERE j.status = 'PENDING'
    UNION ALL
    SELECT (
        SELECT min(j.user_id) FROM jobs AS j INDEXED BY jobs_pending
        WHERE j.status = 'PENDING' AND j.user_id > w.user_id
    )
    FROM waiting AS w
    WHERE w.user_id IS NOT NULL
),
first_served AS (
    SELECT w.user_id
    FROM waiting AS w
    INNER JOIN jobs AS oldest
        ON oldest.id = (
            SELECT j.id FROM jobs AS j INDEXED BY jobs_pending
            WHERE j.status = 'PENDING' AND j.user_id = w.user_id
            ORDER BY j.queued_at, j.id
            LIMIT 1
        )
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
    stage = NULL,
    remaining_seconds = NULL,
    started_at = now_us()
WHERE
    id = (
        SELECT j.id
        FROM jobs AS j
        WHERE j.status = 'PENDING' AND j.user_id = (SELECT f.user_id FROM first_served AS f)
        ORDER BY j.queued_at, j.id
        LIMIT 1
    )
RETURNING id, user_id;

-- name: lock_user(id)^
-- One transaction writes at a time anyway. No row where the account is disabled.
SELECT id, jobs_left FROM users WHERE id = :id AND disabled_at IS NULL;

-- name: add_dark_genes(job_id, first_position, genes)!
-- genes is JSON, a list of [id, name, locus, rank, priority].
INSERT INTO dark_genes (job_id, position, id, name, locus, rank, priority)
SELECT
    :job_id,
    :first_position + gene.key,
    json_extract(gene.value, '$[0]'),
    json_extract(gene.value, '$[1]'),
    json_extract(gene.value, '$[2]'),
    json_extract(gene.value, '$[3]'),
    json_extract(gene.value, '$[4]')
FROM json_each(:genes) AS gene;

-- name: list_known_jobs(ids)
-- ids is JSON, a list.
SELECT id FROM jobs WHERE id IN (SELECT value FROM json_each(:ids));

-- name: list_jobs_by_id(ids)
-- ids is JSON, a list.
SELECT
    id, user_id, filename, upload, phage_mode, mode, ignore_annotations, locus_tag_prefix, run_date,
    idempotency_key, fingerprint, status, attempt, owner, strikes, restarts, progress, stage,
    remaining_seconds, bases, proteins, error_message, report_attempt, report_version,
    total_genes, interpreted_genes, supported_genes, file_only_genes,
    high_confidence, dark, processing_time_seconds, created_at, queued_at, started_at, finished_at
FROM jobs
WHERE id IN (SELECT value FROM json_each(:ids));

-- name: list_queue_places(ids)
-- Places of waiting jobs in the order in which they would start if none ended meanwhile. That is
-- the order of claim_job: first by how many of their user run or start before. Of users who are
-- equal in that, those who had to wait for their first turn come first, as their last start is
-- longer ago, then the others as they were served in the round before. ids is JSON, a list.
WITH waiting AS (
    SELECT
        j.id,
        j.user_id,
        row_number() OVER (PARTITION BY j.user_id ORDER BY j.queued_at, j.id) AS turn,
        first_value(j.queued_at) OVER (
            PARTITION BY j.user_id ORDER BY j.queued_at, j.id
        ) AS oldest_at,
        first_value(j.id) OVER (PARTITION BY j.user_id ORDER BY j.queued_at, j.id) AS oldest_id
    FROM jobs AS j
    WHERE j.status = 'PENDING'
),
placed AS (
    SELECT
        w.id,
        row_number() OVER (
            ORDER BY
                w.turn + (
                    SELECT count(*) FROM jobs AS r
                    WHERE r.status = 'RUNNING' AND r.user_id = w.user_id
                ),
                w.turn,
                coalesce(u.last_started_at, 0),
                w.oldest_at,
                w.oldest_id
        ) AS place
    FROM waiting AS w
    INNER JOIN users AS u ON w.user_id = u.id
)
SELECT p.id, p.place FROM placed AS p
WHERE p.id IN (SELECT value FROM json_each(:ids));
