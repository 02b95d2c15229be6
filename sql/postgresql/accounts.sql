-- name: lock_attempts(address)^
-- Attempts from one address wait for each other, so that counting and adding is one step.
SELECT pg_advisory_xact_lock(hashtextextended(:address, 0));
