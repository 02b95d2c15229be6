-- How promising a dark gene is for research, as the report ranks it; unknown for jobs that ended
-- before.
ALTER TABLE dark_genes ADD COLUMN rank INTEGER;
ALTER TABLE dark_genes ADD COLUMN priority REAL;
