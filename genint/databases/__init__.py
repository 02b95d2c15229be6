"""Databases that can be installed: where they are published, fetching and installing them."""
