"""How likely a dark gene is unknown to science, fitted on annotated phages."""
