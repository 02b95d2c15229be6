"""What a protein's residues show: signal peptides, membrane segments, coiled coils."""
