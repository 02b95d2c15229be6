"""Contig to genes: gene finding, genetic codes, circles, nested genes."""
