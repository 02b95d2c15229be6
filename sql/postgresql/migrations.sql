-- name: lock_migrations(number)
-- Held until the connection ends.
SELECT pg_advisory_lock(:number);
