"""A crawl from end to end: `make demo-crawl`."""
