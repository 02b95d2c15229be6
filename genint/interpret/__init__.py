"""Evidence to hypotheses to sentences. Pure: no clock, file, network or environment."""
