-- Sessions of browsers. One whose user got a new generation of tokens since is refused.
CREATE TABLE sessions (
    digest TEXT NOT NULL PRIMARY KEY,  -- SHA-256 of the secret in the cookie
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    token_generation INTEGER NOT NULL,
    renewed_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX sessions_of_user ON sessions (user_id, renewed_at);
CREATE INDEX sessions_by_end ON sessions (expires_at);

-- Guests are accounts without an e-mail address, which vanish with their data.
-- guest_address: where it was opened from, to limit how many. jobs_left: null for no limit.
ALTER TABLE users ADD COLUMN guest_until INTEGER;
ALTER TABLE users ADD COLUMN guest_address TEXT;
ALTER TABLE users ADD COLUMN jobs_left INTEGER;

CREATE INDEX users_guests ON users (guest_address, created_at) WHERE guest_until IS NOT NULL;

-- Name of the file of the user's own proteins, for display; null where there is none.
ALTER TABLE jobs ADD COLUMN proteins TEXT;
