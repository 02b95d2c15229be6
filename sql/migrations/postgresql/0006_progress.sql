-- What the worker does at present, and what it takes the rest for, as of the last progress; both
-- mean something while the job runs. NULL where that is not known.
ALTER TABLE jobs ADD COLUMN stage TEXT;
ALTER TABLE jobs ADD COLUMN remaining_seconds BIGINT;
-- Of the genome, counted while it was uploaded; NULL for jobs of before they were counted.
ALTER TABLE jobs ADD COLUMN bases BIGINT;
