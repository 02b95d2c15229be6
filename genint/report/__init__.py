"""A result as Markdown, JSON and more; nothing here computes anything new."""
