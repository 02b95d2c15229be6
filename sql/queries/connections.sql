-- name: sign_of_life()^
-- Asks a connection that is silent for long whether there is still somebody at its other end.
SELECT 1 AS alive;
