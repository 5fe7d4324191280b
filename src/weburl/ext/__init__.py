"""Adapters: a module for each engine of columns, each HTTP client, Scrapy and pydantic. Import those that you need."""
