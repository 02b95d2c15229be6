-- Sizes of the upload (0 once it was removed) and of the files of the result, for the limit of what
-- a user may store; NULL for jobs of before they were noted.
ALTER TABLE jobs ADD COLUMN upload_bytes BIGINT;
ALTER TABLE jobs ADD COLUMN result_bytes BIGINT;

CREATE INDEX jobs_stored ON jobs (user_id, upload_bytes, result_bytes);
