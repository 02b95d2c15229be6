-- name: note_outage(server, reason, left_us)!
INSERT INTO online_outages (server, reason, until_at) VALUES (:server, :reason, now_us() + :left_us)
ON CONFLICT (server) DO UPDATE SET reason = excluded.reason, until_at = excluded.until_at;

-- name: end_outage(server)!
DELETE FROM online_outages WHERE server = :server;

-- name: list_outages()
SELECT server, reason, until_at - now_us() AS left_us FROM online_outages
WHERE until_at > now_us();
