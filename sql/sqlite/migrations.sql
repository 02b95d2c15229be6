-- name: lock_migrations(number)
-- Never run. The lock beside the file keeps others out.
SELECT :number;
