-- name: set_webhook(user_id, url, secret)^
-- No row where the account is disabled or gone. What has not arrived yet goes to the new address.
INSERT INTO webhooks (user_id, url, secret, created_at)
SELECT u.id, :url, :secret, now_us() FROM users AS u
WHERE u.id = :user_id AND u.disabled_at IS NULL
ON CONFLICT (user_id) DO UPDATE SET
    url = excluded.url,
    secret = excluded.secret,
    created_at = excluded.created_at,
    last_delivered_at = NULL,
    last_error = NULL
RETURNING url, created_at, last_delivered_at, last_error;

-- name: get_webhook(user_id)^
SELECT
    w.url,
    w.created_at,
    w.last_delivered_at,
    w.last_error,
    (SELECT count(*) FROM webhook_deliveries AS d WHERE d.user_id = w.user_id) AS waiting
FROM webhooks AS w
WHERE w.user_id = :user_id;

-- name: delete_webhook(user_id)^
DELETE FROM webhooks WHERE user_id = :user_id RETURNING user_id;

-- name: list_due_deliveries(most)
-- The first of each user, so that an address that does not answer keeps no other user waiting.
SELECT d.id FROM webhook_deliveries AS d
WHERE
    d.due_at <= now_us()
    AND NOT EXISTS (
        SELECT 1 FROM webhook_deliveries AS before
        WHERE
            before.user_id = d.user_id
            AND (
                before.claimed_until > now_us()
                OR (before.due_at, before.id) < (d.due_at, d.id)
            )
    )
ORDER BY d.due_at, d.id
LIMIT :most;

-- name: claim_delivery(id, claim_us)^
UPDATE webhook_deliveries SET
    tries = tries + 1,
    claimed_until = now_us() + :claim_us
WHERE id = :id AND due_at <= now_us() AND claimed_until <= now_us()
RETURNING id;

-- name: get_delivery(id)^
SELECT d.id, d.user_id, d.job_id, d.status, d.ended_at, d.tries, w.url, w.secret
FROM webhook_deliveries AS d
INNER JOIN webhooks AS w ON d.user_id = w.user_id
WHERE d.id = :id;

-- name: drop_delivery(id)!
DELETE FROM webhook_deliveries WHERE id = :id;

-- name: note_delivered(user_id)!
UPDATE webhooks SET last_delivered_at = now_us(), last_error = NULL WHERE user_id = :user_id;

-- name: note_not_delivered(user_id, reason)!
UPDATE webhooks SET last_error = :reason WHERE user_id = :user_id;

-- name: postpone_deliveries(user_id, wait_us)!
-- All of a user: the address that does not take one does not take the others.
UPDATE webhook_deliveries SET
    due_at = CASE
        WHEN due_at < now_us() + :wait_us THEN now_us() + :wait_us
        ELSE due_at
    END,
    claimed_until = 0
WHERE user_id = :user_id;

-- name: drop_old_deliveries(user_id, age_us)
DELETE FROM webhook_deliveries
WHERE user_id = :user_id AND ended_at < now_us() - :age_us
RETURNING id;
