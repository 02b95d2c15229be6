"""The controlled vocabulary of products: its sources, and how the shipped tables are made."""
