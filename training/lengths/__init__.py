"""How long proteins of a name are, learned from annotated proteins."""
