"""Adapters: a module for each engine of columns, each HTTP client, Scrapy, pydantic and Django. Import those that you need."""
