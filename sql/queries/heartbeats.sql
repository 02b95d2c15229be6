-- name: beat(id)!
INSERT INTO workers (id, beat_at) VALUES (:id, now_us())
ON CONFLICT (id) DO UPDATE SET beat_at = excluded.beat_at;

-- name: forget_silent_workers(silent_us)!
DELETE FROM workers WHERE beat_at < now_us() - :silent_us;

-- name: forget_worker(id)!
DELETE FROM workers WHERE id = :id;

-- name: find_beat(within_us)^
SELECT id FROM workers WHERE beat_at >= now_us() - :within_us LIMIT 1;

-- name: count_beats(within_us)^
SELECT count(*) AS alive FROM workers WHERE beat_at >= now_us() - :within_us;
