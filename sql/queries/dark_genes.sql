-- name: count_dark_genes(user_id)^
-- By what jobs say of themselves, which is written together with the genes.
SELECT CAST(coalesce(sum(dark), 0) AS BIGINT) AS total
FROM jobs
WHERE user_id = :user_id AND status = 'COMPLETED';

-- name: list_dark_genes(user_id, before_us, before_id, after_position, most)
-- Newest job first, its genes in the order of the genome, beginning after the gene of
-- that job and position.
SELECT
    d.id, d.name, d.locus, d.position, d.rank, d.priority, d.job_id, j.filename, j.created_at
FROM jobs AS j
INNER JOIN dark_genes AS d ON j.id = d.job_id
WHERE
    j.user_id = :user_id
    AND j.status = 'COMPLETED'
    AND (j.created_at, j.id) <= (:before_us, :before_id)
    AND ((j.created_at, j.id) < (:before_us, :before_id) OR d.position > :after_position)
ORDER BY j.created_at DESC, j.id DESC, d.position
LIMIT :most;

-- name: delete_dark_genes(job_id)!
DELETE FROM dark_genes WHERE job_id = :job_id;
