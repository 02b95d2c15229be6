-- Online services that a worker found to be down by their own fault, for the others.
CREATE TABLE online_outages (
    server TEXT NOT NULL PRIMARY KEY,  -- its base address
    reason TEXT NOT NULL,
    until_at BIGINT NOT NULL
);
