-- Links by which others read a report where reports are not public. Revoked ones are deleted.
CREATE TABLE report_links (
    id TEXT NOT NULL PRIMARY KEY,
    job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    digest TEXT NOT NULL UNIQUE,  -- SHA-256 of the secret in the link
    created_at BIGINT NOT NULL,
    expires_at BIGINT
);

CREATE INDEX report_links_of_job ON report_links (job_id, created_at, id);
