"""Authentication: passwords, access tokens and API keys."""
