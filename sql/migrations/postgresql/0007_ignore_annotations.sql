-- 1 where genes of the file are predicted and interpreted afresh.
ALTER TABLE jobs ADD COLUMN ignore_annotations BIGINT NOT NULL DEFAULT 0;
