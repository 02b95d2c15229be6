-- name: announce(channel, notice)!
-- Delivered when the transaction is committed.
SELECT pg_notify(:channel, :notice);
