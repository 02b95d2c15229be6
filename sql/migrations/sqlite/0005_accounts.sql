-- Access tokens name the generation that they were issued in; a higher one here refuses them.
-- deleted_at: the account is gone for everybody, its data are being deleted.
ALTER TABLE users ADD COLUMN token_generation INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN disabled_at INTEGER;
ALTER TABLE users ADD COLUMN deleted_at INTEGER;

CREATE INDEX users_by_age ON users (created_at, id);

-- parent_id: the key that made this key.
ALTER TABLE api_keys ADD COLUMN parent_id TEXT REFERENCES api_keys (id);
ALTER TABLE api_keys ADD COLUMN scope TEXT NOT NULL DEFAULT 'full' CHECK (scope IN ('full', 'read'));

CREATE INDEX api_keys_by_parent ON api_keys (parent_id);

CREATE TABLE password_resets (
    digest TEXT NOT NULL PRIMARY KEY,  -- SHA-256 of the secret in the link
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX password_resets_of_user ON password_resets (user_id);

-- Passwords that were tried and not right, or are being checked.
CREATE TABLE login_attempts (
    id TEXT NOT NULL PRIMARY KEY,
    account TEXT NOT NULL,  -- SHA-256 of the identity of the e-mail address, known or not
    address TEXT NOT NULL,  -- of the client
    attempted_at INTEGER NOT NULL
) STRICT;

CREATE INDEX login_attempts_of_address ON login_attempts (address, attempted_at);
CREATE INDEX login_attempts_by_age ON login_attempts (attempted_at);
