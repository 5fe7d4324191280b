"""Replacements, of the same names and signatures, for the URL functions of other libraries."""
