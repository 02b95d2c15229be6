"""The web pages: loaded once, served from memory, without any asset of another host."""

from genint.service.pages.assets import Page, find_page

__all__ = ["Page", "find_page"]
