"""The one door to worker processes."""
