"""Figures for papers: maps of a genome, round or in lines, and comparisons of genomes.

What is drawn (:mod:`content`, :mod:`genomes_aligned`, :mod:`labels`, :mod:`palette`) is plain
values and needs nothing that is optional; how it is drawn (:mod:`circular`, :mod:`linear`,
:mod:`comparison` on :mod:`canvas`) needs the extra ``genint[plot]``. :mod:`render` is the door.
"""
