-- name: delete_expired_sessions()!
DELETE FROM sessions WHERE expires_at <= now_us();

-- name: add_session(digest, user_id, generation, valid_us)^
-- No row where the user got another generation of tokens meanwhile.
WITH clock AS MATERIALIZED (SELECT now_us() AS now)
INSERT INTO sessions (digest, user_id, token_generation, renewed_at, expires_at)
SELECT :digest, u.id, u.token_generation, clock.now, clock.now + :valid_us
FROM clock
INNER JOIN users AS u ON u.id = :user_id
WHERE u.token_generation = :generation AND u.disabled_at IS NULL
RETURNING digest;

-- name: drop_surplus_sessions(user_id, most)!
-- All but the ones that were used last.
DELETE FROM sessions
WHERE
    user_id = :user_id
    AND digest NOT IN (
        SELECT s.digest FROM sessions AS s
        WHERE s.user_id = :user_id
        ORDER BY s.renewed_at DESC, s.digest DESC
        LIMIT :most
    );

-- name: find_session(digest, every_us)^
SELECT
    u.id, u.email, u.first_name, u.last_name, u.guest_until, u.token_generation,
    (s.renewed_at < now_us() - :every_us) AS is_old
FROM sessions AS s
INNER JOIN users AS u ON s.user_id = u.id
WHERE
    s.digest = :digest
    AND s.expires_at > now_us()
    AND s.token_generation = u.token_generation
    AND u.disabled_at IS NULL
    AND (u.guest_until IS NULL OR u.guest_until > now_us());

-- name: renew_session(digest, valid_us)!
UPDATE sessions SET renewed_at = now_us(), expires_at = now_us() + :valid_us
WHERE digest = :digest AND expires_at > now_us();

-- name: delete_session(digest)!
DELETE FROM sessions WHERE digest = :digest;
