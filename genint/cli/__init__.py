"""Command line: parse, call the library, print, set the exit status."""
