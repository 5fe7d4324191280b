"""Adapters: a module for each engine, each HTTP client, Scrapy, pydantic and Django. Import those that you need."""
