-- Stem of the locus tags of predicted genes, and the date (ISO 8601) of files that carry one;
-- NULL where the submitter gave none.
ALTER TABLE jobs ADD COLUMN locus_tag_prefix TEXT;
ALTER TABLE jobs ADD COLUMN run_date TEXT;
