-- name: lock_attempts(address)^
-- One transaction writes at a time anyway.
SELECT :address AS address;
