"""The site of the documentation: its pages in one folder, those made from the code among them."""
