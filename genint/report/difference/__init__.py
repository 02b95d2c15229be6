"""Two results side by side: which genes, names and levels differ, and which evidence did it."""
