"""Phages and pieces of bacteria, told apart by how their genes lie."""
