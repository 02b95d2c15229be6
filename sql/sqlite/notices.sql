-- name: announce(channel, notice)!
-- Never run. One process alone uses the database, and what it announces stays in it.
SELECT :channel, :notice;
