"""Two results side by side: genes, names and levels that differ, and what evidence explains it."""
