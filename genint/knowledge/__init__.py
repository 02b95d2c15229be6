"""What ships with genint: profile pack, vocabularies, the catalogue of databases."""
