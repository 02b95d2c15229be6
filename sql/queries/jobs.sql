-- Every change of a status is one UPDATE that names the status it leaves, so of two that
-- race one finds no row. What a worker writes also names attempt and owner (fencing).
-- Between attempts queued_at stays as it is, and with it the place in the queue.

-- name: count_pending(user_id)^
SELECT count(*) AS pending FROM jobs WHERE user_id = :user_id AND status = 'PENDING';

-- name: count_stored(user_id)^
-- Bytes of the uploads and results of a user.
SELECT
    CAST(
        coalesce(sum(coalesce(upload_bytes, 0) + coalesce(result_bytes, 0)), 0) AS BIGINT
    ) AS total
FROM jobs
WHERE user_id = :user_id;

-- name: add_job(id, user_id, filename, upload, phage_mode, mode, ignore_annotations, locus_tag_prefix, run_date, idempotency_key, fingerprint, upload_bytes, bases, proteins)!
WITH clock AS MATERIALIZED (SELECT now_us() AS now)
INSERT INTO jobs (
    id, user_id, filename, upload, phage_mode, mode, ignore_annotations, locus_tag_prefix, run_date,
    idempotency_key, fingerprint, upload_bytes, bases, proteins, status, created_at, queued_at
)
SELECT
    :id, :user_id, :filename, :upload, :phage_mode, :mode, :ignore_annotations, :locus_tag_prefix,
    :run_date, :idempotency_key, :fingerprint, :upload_bytes, :bases, :proteins, 'PENDING',
    clock.now, clock.now
FROM clock;

-- name: get_job(id)^
SELECT
    id, user_id, filename, upload, phage_mode, mode, ignore_annotations, locus_tag_prefix, run_date,
    idempotency_key, fingerprint, status, attempt, owner, strikes, restarts, progress, stage,
    remaining_seconds, bases, proteins, error_message, report_attempt, report_version,
    total_genes, interpreted_genes, supported_genes, file_only_genes,
    high_confidence, dark, processing_time_seconds, created_at, queued_at, started_at, finished_at
FROM jobs
WHERE id = :id;

-- name: get_job_by_key(user_id, idempotency_key)^
SELECT
    id, user_id, filename, upload, phage_mode, mode, ignore_annotations, locus_tag_prefix, run_date,
    idempotency_key, fingerprint, status, attempt, owner, strikes, restarts, progress, stage,
    remaining_seconds, bases, proteins, error_message, report_attempt, report_version,
    total_genes, interpreted_genes, supported_genes, file_only_genes,
    high_confidence, dark, processing_time_seconds, created_at, queued_at, started_at, finished_at
FROM jobs
WHERE user_id = :user_id AND idempotency_key = :idempotency_key;

-- name: count_jobs(user_id)^
SELECT count(*) AS total FROM jobs WHERE user_id = :user_id;

-- name: count_jobs_in_status(user_id, status)^
SELECT count(*) AS total FROM jobs WHERE user_id = :user_id AND status = :status;

-- name: list_jobs(user_id, before_us, before_id, most)
-- Newest first, beginning after the job of that time and id.
SELECT
    id, user_id, filename, upload, phage_mode, mode, ignore_annotations, locus_tag_prefix, run_date,
    idempotency_key, fingerprint, status, attempt, owner, strikes, restarts, progress, stage,
    remaining_seconds, bases, proteins, error_message, report_attempt, report_version,
    total_genes, interpreted_genes, supported_genes, file_only_genes,
    high_confidence, dark, processing_time_seconds, created_at, queued_at, started_at, finished_at
FROM jobs
WHERE user_id = :user_id AND (created_at, id) < (:before_us, :before_id)
ORDER BY created_at DESC, id DESC
LIMIT :most;

-- name: list_jobs_in_status(user_id, status, before_us, before_id, most)
SELECT
    id, user_id, filename, upload, phage_mode, mode, ignore_annotations, locus_tag_prefix, run_date,
    idempotency_key, fingerprint, status, attempt, owner, strikes, restarts, progress, stage,
    remaining_seconds, bases, proteins, error_message, report_attempt, report_version,
    total_genes, interpreted_genes, supported_genes, file_only_genes,
    high_confidence, dark, processing_time_seconds, created_at, queued_at, started_at, finished_at
FROM jobs
WHERE
    user_id = :user_id
    AND status = :status
    AND (created_at, id) < (:before_us, :before_id)
ORDER BY created_at DESC, id DESC
LIMIT :most;

-- name: count_found_jobs(user_id, status, pattern)^
-- An empty status stands for all; the pattern is in small letters.
SELECT count(*) AS total FROM jobs
WHERE
    user_id = :user_id
    AND (:status = '' OR status = :status)
    AND lower(filename) LIKE :pattern ESCAPE '\';

-- name: find_jobs(user_id, status, pattern, sort, skip, most)
-- As for count_found_jobs. sort names a field of the answer, with - in front for descending.
SELECT
    id, user_id, filename, upload, phage_mode, mode, ignore_annotations, locus_tag_prefix, run_date,
    idempotency_key, fingerprint, status, attempt, owner, strikes, restarts, progress, stage,
    remaining_seconds, bases, proteins, error_message, report_attempt, report_version,
    total_genes, interpreted_genes, supported_genes, file_only_genes,
    high_confidence, dark, processing_time_seconds, created_at, queued_at, started_at, finished_at
FROM jobs
WHERE
    user_id = :user_id
    AND (:status = '' OR status = :status)
    AND lower(filename) LIKE :pattern ESCAPE '\'
ORDER BY
    CASE :sort WHEN 'filename' THEN lower(filename) END,
    CASE :sort WHEN '-filename' THEN lower(filename) END DESC,
    CASE :sort
        WHEN 'created_at' THEN created_at
        WHEN 'total_genes' THEN total_genes
        WHEN '-total_genes' THEN -total_genes
        WHEN 'high_confidence_count' THEN high_confidence
        WHEN '-high_confidence_count' THEN -high_confidence
        WHEN 'dark_count' THEN dark
        WHEN '-dark_count' THEN -dark
        WHEN 'processing_time_seconds' THEN processing_time_seconds
        WHEN '-processing_time_seconds' THEN -processing_time_seconds
    END,
    created_at DESC,
    id DESC
LIMIT :most OFFSET :skip;

-- name: note_start(user_id)!
-- started_at of the job does not show it: it is empty again once the job is put back or rerun.
UPDATE users SET last_started_at = now_us() WHERE id = :user_id;

-- name: extend_leases(owner, lease_us)
UPDATE jobs SET lease_until = now_us() + :lease_us
WHERE status = 'RUNNING' AND owner = :owner
RETURNING id, attempt;

-- name: list_held(owner)
SELECT id, attempt FROM jobs WHERE status = 'RUNNING' AND owner = :owner;

-- name: set_progress(id, attempt, owner, progress, stage, remaining)^
UPDATE jobs SET progress = :progress, stage = :stage, remaining_seconds = :remaining
WHERE id = :id AND attempt = :attempt AND owner = :owner AND status = 'RUNNING'
RETURNING id;

-- name: finish_job(id, attempt, owner, version, total, named, supported, repeated, high, dark, bytes)^
-- The time is rounded to whole seconds.
UPDATE jobs SET
    status = 'COMPLETED',
    owner = NULL,
    lease_until = NULL,
    progress = 1,
    report_attempt = attempt,
    report_version = :version,
    total_genes = :total,
    interpreted_genes = :named,
    supported_genes = :supported,
    file_only_genes = :repeated,
    high_confidence = :high,
    dark = :dark,
    result_bytes = :bytes,
    processing_time_seconds = (now_us() - started_at + 500000) / 1000000,
    finished_at = now_us()
WHERE id = :id AND attempt = :attempt AND owner = :owner AND status = 'RUNNING'
RETURNING id;

-- name: fail_job(id, attempt, owner, message)^
UPDATE jobs SET
    status = 'FAILED',
    owner = NULL,
    lease_until = NULL,
    error_message = :message,
    finished_at = now_us()
WHERE id = :id AND attempt = :attempt AND owner = :owner AND status = 'RUNNING'
RETURNING id;

-- name: strike_job(id, attempt, owner, max_strikes, message)^
UPDATE jobs SET
    owner = NULL,
    lease_until = NULL,
    progress = 0,
    strikes = strikes + 1,
    status = CASE WHEN strikes + 1 < :max_strikes THEN 'PENDING' ELSE 'FAILED' END,
    error_message = CASE WHEN strikes + 1 < :max_strikes THEN NULL ELSE :message END,
    started_at = CASE WHEN strikes + 1 < :max_strikes THEN NULL ELSE started_at END,
    finished_at = CASE WHEN strikes + 1 < :max_strikes THEN NULL ELSE now_us() END
WHERE id = :id AND attempt = :attempt AND owner = :owner AND status = 'RUNNING'
RETURNING id, status;

-- name: release_job(id, attempt, owner, max_restarts, message)^
UPDATE jobs SET
    owner = NULL,
    lease_until = NULL,
    progress = 0,
    restarts = restarts + 1,
    status = CASE WHEN restarts < :max_restarts THEN 'PENDING' ELSE 'FAILED' END,
    error_message = CASE WHEN restarts < :max_restarts THEN NULL ELSE :message END,
    started_at = CASE WHEN restarts < :max_restarts THEN NULL ELSE started_at END,
    finished_at = CASE WHEN restarts < :max_restarts THEN NULL ELSE now_us() END
WHERE id = :id AND attempt = :attempt AND owner = :owner AND status = 'RUNNING'
RETURNING id, status;

-- name: release_unheld(early_us, max_restarts, message)
-- All whose lease has ended or ends within early_us.
UPDATE jobs SET
    owner = NULL,
    lease_until = NULL,
    progress = 0,
    restarts = restarts + 1,
    status = CASE WHEN restarts < :max_restarts THEN 'PENDING' ELSE 'FAILED' END,
    error_message = CASE WHEN restarts < :max_restarts THEN NULL ELSE :message END,
    started_at = CASE WHEN restarts < :max_restarts THEN NULL ELSE started_at END,
    finished_at = CASE WHEN restarts < :max_restarts THEN NULL ELSE now_us() END
WHERE status = 'RUNNING' AND lease_until < now_us() + :early_us
RETURNING id, status;

-- name: cancel_job(id)^
UPDATE jobs SET
    status = 'CANCELLED',
    owner = NULL,
    lease_until = NULL,
    finished_at = now_us()
WHERE id = :id AND status IN ('PENDING', 'RUNNING')
RETURNING id;

-- name: rerun_job(id)^
-- Counts and report of the last success stay until there are new ones.
UPDATE jobs SET
    status = 'PENDING',
    strikes = 0,
    restarts = 0,
    progress = 0,
    error_message = NULL,
    started_at = NULL,
    finished_at = NULL,
    queued_at = now_us()
WHERE
    id = :id
    AND status IN ('COMPLETED', 'FAILED', 'CANCELLED')
    AND coalesce(upload_bytes, 1) > 0
RETURNING id;

-- name: drop_cancelled_uploads(age_us, most)
-- No bytes stand for an upload that was removed: none is empty.
UPDATE jobs SET upload_bytes = 0
WHERE
    id IN (
        SELECT j.id FROM jobs AS j
        WHERE
            j.finished_at IS NOT NULL
            AND j.finished_at < now_us() - :age_us
            AND j.status = 'CANCELLED'
            AND j.report_attempt IS NULL
            AND coalesce(j.upload_bytes, 1) > 0
        ORDER BY j.finished_at
        LIMIT :most
    )
    AND status = 'CANCELLED'
RETURNING id, upload;

-- name: delete_job(id)^
DELETE FROM jobs WHERE id = :id RETURNING id;

-- name: delete_jobs_of_user(user_id, most)
-- The status is the one that a job had.
DELETE FROM jobs
WHERE id IN (SELECT j.id FROM jobs AS j WHERE j.user_id = :user_id LIMIT :most)
RETURNING id, status;

-- name: set_report_version(id, attempt, version)^
UPDATE jobs SET report_version = :version
WHERE id = :id AND report_attempt = :attempt
RETURNING id;

-- name: delete_ended_jobs(age_us, most)
-- The outer condition counts where a job is queued anew at the same time.
DELETE FROM jobs
WHERE
    id IN (
        SELECT j.id FROM jobs AS j
        WHERE j.finished_at IS NOT NULL AND j.finished_at < now_us() - :age_us
        ORDER BY j.finished_at
        LIMIT :most
    )
    AND finished_at IS NOT NULL AND finished_at < now_us() - :age_us
RETURNING
    id, user_id, filename, upload, phage_mode, mode, ignore_annotations, locus_tag_prefix, run_date,
    idempotency_key, fingerprint, status, attempt, owner, strikes, restarts, progress, stage,
    remaining_seconds, bases, proteins, error_message, report_attempt, report_version,
    total_genes, interpreted_genes, supported_genes, file_only_genes,
    high_confidence, dark, processing_time_seconds, created_at, queued_at, started_at, finished_at;
