"""What ships of Pfam: the profile pack, and COG letters of families."""
