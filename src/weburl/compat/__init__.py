"""Replacements for the URL functions of other libraries, with the same names and signatures."""
