-- name: sign_of_life()^
-- Tests a silent connection: does the server still answer?
SELECT 1 AS alive;
