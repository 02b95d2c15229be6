"""Frozen values that every other layer speaks in; imports nothing of genint."""
