"""How the tables behind statements on a genome are made and judged."""
