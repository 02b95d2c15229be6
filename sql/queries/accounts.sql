-- name: add_user(id, email, email_identity, first_name, last_name, password_hash)^
-- No row where the address is taken.
INSERT INTO users (
    id, email, email_identity, first_name, last_name, password_hash, created_at
)
VALUES (
    :id, :email, :email_identity, :first_name, :last_name, :password_hash, now_us()
)
ON CONFLICT (email_identity) DO NOTHING
RETURNING id;

-- name: get_account(email_identity)^
-- Guests have no address by which they could log in.
SELECT
    id, email, first_name, last_name, guest_until, password_hash, token_generation,
    (disabled_at IS NOT NULL) AS is_disabled
FROM users
WHERE email_identity = :email_identity AND deleted_at IS NULL AND guest_until IS NULL;

-- name: get_account_of_user(id)^
SELECT
    id, email, first_name, last_name, guest_until, password_hash, token_generation,
    (disabled_at IS NOT NULL) AS is_disabled
FROM users
WHERE id = :id AND deleted_at IS NULL;

-- name: get_user(id, generation)^
SELECT id, email, first_name, last_name, guest_until FROM users
WHERE
    id = :id
    AND token_generation = :generation
    AND disabled_at IS NULL
    AND (guest_until IS NULL OR guest_until > now_us());

-- name: list_users(before_us, before_id, most)
-- Newest first, beginning after the user of that time and id.
SELECT
    u.id, u.email, u.first_name, u.last_name, u.guest_until, u.created_at, u.disabled_at,
    (SELECT count(*) FROM jobs AS j WHERE j.user_id = u.id) AS jobs
FROM users AS u
WHERE u.deleted_at IS NULL AND (u.created_at, u.id) < (:before_us, :before_id)
ORDER BY u.created_at DESC, u.id DESC
LIMIT :most;

-- name: set_password_hash(id, expected, password_hash)^
-- For a hash of the same password.
UPDATE users SET password_hash = :password_hash
WHERE id = :id AND password_hash = :expected
RETURNING id;

-- name: change_password(id, expected, password_hash)^
-- Of two changes at once, the second finds another hash than it expects.
UPDATE users SET password_hash = :password_hash, token_generation = token_generation + 1
WHERE id = :id AND password_hash = :expected AND disabled_at IS NULL
RETURNING token_generation;

-- name: reset_password(id, password_hash)^
UPDATE users SET password_hash = :password_hash, token_generation = token_generation + 1
WHERE id = :id AND disabled_at IS NULL
RETURNING id, email, first_name, last_name, guest_until;

-- name: refuse_tokens(id)!
UPDATE users SET token_generation = token_generation + 1 WHERE id = :id;

-- name: disable_user(id)^
UPDATE users SET disabled_at = coalesce(disabled_at, now_us())
WHERE id = :id AND deleted_at IS NULL
RETURNING id;

-- name: enable_user(id)^
-- Tokens of before the account was disabled stay refused.
UPDATE users SET disabled_at = NULL, token_generation = token_generation + 1
WHERE id = :id AND deleted_at IS NULL
RETURNING id;

-- name: leave_waitlist(id)!
DELETE FROM waitlist
WHERE email_identity = (SELECT u.email_identity FROM users AS u WHERE u.id = :id);

-- name: mark_user_deleted(id)^
-- The address is free again at once. No address has an identity without an @.
UPDATE users SET
    email = '',
    email_identity = 'deleted ' || id,
    first_name = '',
    last_name = '',
    password_hash = '',
    guest_address = NULL,
    disabled_at = coalesce(disabled_at, now_us()),
    deleted_at = now_us()
WHERE id = :id AND deleted_at IS NULL
RETURNING id;

-- name: list_deleted_users()
SELECT id FROM users WHERE deleted_at IS NOT NULL;

-- name: delete_keys(user_id)!
DELETE FROM api_keys WHERE user_id = :user_id;

-- name: delete_user(id)!
DELETE FROM users WHERE id = :id AND deleted_at IS NOT NULL;

-- name: delete_expired_resets()!
DELETE FROM password_resets WHERE expires_at <= now_us();

-- name: count_resets(user_id, within_us)^
SELECT count(*) AS total FROM password_resets
WHERE user_id = :user_id AND created_at > now_us() - :within_us;

-- name: add_reset(digest, user_id, valid_us)!
WITH clock AS MATERIALIZED (SELECT now_us() AS now)
INSERT INTO password_resets (digest, user_id, created_at, expires_at)
SELECT :digest, :user_id, clock.now, clock.now + :valid_us FROM clock;

-- name: find_reset(digest)^
SELECT user_id FROM password_resets WHERE digest = :digest AND expires_at > now_us();

-- name: take_reset(digest)^
DELETE FROM password_resets WHERE digest = :digest AND expires_at > now_us()
RETURNING user_id;

-- name: delete_resets(user_id)!
DELETE FROM password_resets WHERE user_id = :user_id;

-- name: delete_old_attempts(age_us)!
DELETE FROM login_attempts WHERE attempted_at <= now_us() - :age_us;

-- name: count_attempts(account, address, within_us)^
-- ...left_us: microseconds until the oldest one that counts is forgotten.
WITH clock AS MATERIALIZED (SELECT now_us() - :within_us AS since),
counted AS (
    SELECT a.account = :account AS is_of_account, a.attempted_at - c.since AS left_us
    FROM login_attempts AS a
    CROSS JOIN clock AS c
    WHERE a.address = :address AND a.attempted_at > c.since
)
SELECT
    count(CASE WHEN is_of_account THEN 1 END) AS of_account,
    count(*) AS of_address,
    min(CASE WHEN is_of_account THEN left_us END) AS account_left_us,
    min(left_us) AS address_left_us
FROM counted;

-- name: add_attempt(id, account, address)!
INSERT INTO login_attempts (id, account, address, attempted_at)
VALUES (:id, :account, :address, now_us());

-- name: delete_attempts(account, address)!
DELETE FROM login_attempts WHERE account = :account AND address = :address;

-- name: count_live_keys(user_id)^
SELECT count(*) AS total FROM api_keys
WHERE user_id = :user_id AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now_us());

-- name: get_live_key(id, user_id)^
SELECT expires_at FROM api_keys
WHERE
    id = :id
    AND user_id = :user_id
    AND revoked_at IS NULL
    AND (expires_at IS NULL OR expires_at > now_us());

-- name: add_key(id, user_id, name, key_prefix, digest, scope, parent_id, valid_us, until_us)^
-- valid_us is null for a key that does not expire; until_us is when its parent expires, if ever.
WITH clock AS MATERIALIZED (SELECT now_us() AS now),
span AS (
    SELECT
        c.now,
        c.now + CAST(:valid_us AS BIGINT) AS ends,
        CAST(:until_us AS BIGINT) AS latest
    FROM clock AS c
)
INSERT INTO api_keys (
    id, user_id, name, key_prefix, digest, scope, parent_id, created_at, expires_at
)
SELECT
    :id, :user_id, :name, :key_prefix, :digest, :scope, :parent_id, span.now,
    CASE WHEN span.ends IS NULL OR span.ends > span.latest THEN span.latest ELSE span.ends END
FROM span
RETURNING
    id, user_id, name, key_prefix, digest, scope, parent_id, created_at, expires_at, last_used_at,
    revoked_at;

-- name: list_keys(user_id, before_us, before_id, most)
-- Newest first, beginning after the key of that time and id.
SELECT
    id, user_id, name, key_prefix, digest, scope, parent_id, created_at, expires_at, last_used_at,
    revoked_at
FROM api_keys
WHERE user_id = :user_id AND (created_at, id) < (:before_us, :before_id)
ORDER BY created_at DESC, id DESC
LIMIT :most;

-- name: get_key(key_prefix)^
SELECT
    k.id, k.user_id, k.name, k.key_prefix, k.digest, k.scope, k.parent_id, k.created_at,
    k.expires_at, k.last_used_at, k.revoked_at, u.email, u.first_name, u.last_name,
    (
        k.revoked_at IS NULL
        AND (k.expires_at IS NULL OR k.expires_at > now_us())
        AND u.disabled_at IS NULL
    ) AS is_valid
FROM api_keys AS k
INNER JOIN users AS u ON k.user_id = u.id
WHERE k.key_prefix = :key_prefix;

-- name: revoke_key(id, user_id)
-- With all keys that it made, and those that they made. The first revocation counts; another
-- one changes nothing.
WITH RECURSIVE family (id) AS (
    SELECT k.id FROM api_keys AS k WHERE k.id = :id AND k.user_id = :user_id
    UNION
    SELECT k.id FROM api_keys AS k INNER JOIN family AS f ON k.parent_id = f.id
)
UPDATE api_keys SET revoked_at = coalesce(revoked_at, now_us())
WHERE id IN (SELECT f.id FROM family AS f)
RETURNING id;

-- name: find_key_to_touch(id, every_us)^
SELECT id FROM api_keys
WHERE id = :id AND (last_used_at IS NULL OR last_used_at < now_us() - :every_us);

-- name: touch_key(id, every_us)!
UPDATE api_keys SET last_used_at = now_us()
WHERE id = :id AND (last_used_at IS NULL OR last_used_at < now_us() - :every_us);

-- name: join_waitlist(email, email_identity)^
INSERT INTO waitlist (email_identity, email, created_at)
VALUES (:email_identity, :email, now_us())
ON CONFLICT (email_identity) DO NOTHING
RETURNING email_identity;
