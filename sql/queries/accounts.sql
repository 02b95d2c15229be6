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
SELECT id, email, first_name, last_name, password_hash
FROM users
WHERE email_identity = :email_identity;

-- name: get_user(id)^
SELECT id, email, first_name, last_name FROM users WHERE id = :id;

-- name: set_password_hash(id, password_hash)!
UPDATE users SET password_hash = :password_hash WHERE id = :id;

-- name: add_key(id, user_id, name, key_prefix, digest, valid_us)^
-- valid_us is null for a key that does not expire.
WITH clock AS MATERIALIZED (SELECT now_us() AS now)
INSERT INTO api_keys (id, user_id, name, key_prefix, digest, created_at, expires_at)
SELECT
    :id, :user_id, :name, :key_prefix, :digest, clock.now, clock.now + CAST(:valid_us AS BIGINT)
FROM clock
RETURNING
    id, user_id, name, key_prefix, digest, created_at, expires_at, last_used_at, revoked_at;

-- name: list_keys(user_id, before_us, before_id, most)
-- Newest first, beginning after the key of that time and id.
SELECT id, user_id, name, key_prefix, digest, created_at, expires_at, last_used_at, revoked_at
FROM api_keys
WHERE user_id = :user_id AND (created_at, id) < (:before_us, :before_id)
ORDER BY created_at DESC, id DESC
LIMIT :most;

-- name: get_key(key_prefix)^
SELECT
    k.id, k.user_id, k.name, k.key_prefix, k.digest, k.created_at, k.expires_at,
    k.last_used_at, k.revoked_at, u.email, u.first_name, u.last_name,
    (k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now_us())) AS is_valid
FROM api_keys AS k
INNER JOIN users AS u ON k.user_id = u.id
WHERE k.key_prefix = :key_prefix;

-- name: revoke_key(id, user_id)^
-- The first revocation counts; another one changes nothing.
UPDATE api_keys SET revoked_at = coalesce(revoked_at, now_us())
WHERE id = :id AND user_id = :user_id
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
