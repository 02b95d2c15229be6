"""Immutable data types that all other layers share; imports nothing of genint."""
