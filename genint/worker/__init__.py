"""Jobs: claimed from the store, interpreted in worker processes, put on disk."""
