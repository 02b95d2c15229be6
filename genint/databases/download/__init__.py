"""Downloads that resume: mirrors, transfers, checks against published checksums."""
