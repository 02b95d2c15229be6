-- Of the interpreted genes: those with evidence beyond the file, and those that only repeat its
-- name. NULL for results that were made before they were counted.
ALTER TABLE jobs ADD COLUMN supported_genes INTEGER;
ALTER TABLE jobs ADD COLUMN file_only_genes INTEGER;
