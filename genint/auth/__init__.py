"""Who asks: passwords, tokens, API keys; and the policy of who may do what."""
