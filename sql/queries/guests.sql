-- name: count_guests(address, within_us)^
-- left_us: microseconds until the oldest one that counts does not any more.
SELECT
    count(*) AS total,
    min(u.created_at) - (now_us() - :within_us) AS left_us
FROM users AS u
WHERE
    u.guest_address = :address
    AND u.guest_until IS NOT NULL
    AND u.created_at > now_us() - :within_us;

-- name: add_guest(id, email, address, valid_us, jobs)^
WITH clock AS MATERIALIZED (SELECT now_us() AS now)
INSERT INTO users (
    id, email, email_identity, first_name, last_name, password_hash, created_at,
    guest_until, guest_address, jobs_left
)
SELECT
    :id, :email, :email, '', '', '', clock.now, clock.now + :valid_us, :address, CAST(:jobs AS BIGINT)
FROM clock
RETURNING id, email, first_name, last_name, guest_until;

-- name: keep_guest(id, email, email_identity, first_name, last_name, password_hash)^
-- A guest becomes an account like others; tokens and sessions of before are refused. No row where
-- the address is taken.
UPDATE users SET
    email = :email,
    email_identity = :email_identity,
    first_name = :first_name,
    last_name = :last_name,
    password_hash = :password_hash,
    token_generation = token_generation + 1,
    guest_until = NULL,
    guest_address = NULL,
    jobs_left = NULL
WHERE
    id = :id
    AND guest_until > now_us()
    AND NOT EXISTS (SELECT 1 FROM users AS u WHERE u.email_identity = :email_identity)
RETURNING id, email, first_name, last_name, guest_until;

-- name: use_guest_job(id)!
UPDATE users SET jobs_left = jobs_left - 1 WHERE id = :id;

-- name: list_expired_guests()
SELECT id FROM users WHERE guest_until <= now_us() AND deleted_at IS NULL;
