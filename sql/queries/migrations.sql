-- name: create_migrations_table()!
CREATE TABLE IF NOT EXISTS migrations (
    number BIGINT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    applied_at BIGINT NOT NULL
);

-- name: list_migrations()
SELECT number, name, sha256 FROM migrations ORDER BY number;

-- name: add_migration(number, name, sha256)!
INSERT INTO migrations (number, name, sha256, applied_at)
VALUES (:number, :name, :sha256, now_us());
