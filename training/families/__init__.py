"""Build genint's own protein families: ``python -m training.families --help``."""
