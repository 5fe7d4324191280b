"""Columns of URLs in the engines people run: a module for each, imported when it is asked for."""
