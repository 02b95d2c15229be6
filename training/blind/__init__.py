"""Genomes held back: what must be hidden for a blind measurement, and what records say."""
