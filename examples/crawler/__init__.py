"""A polite crawler over weburl, asyncio and aiohttp, with its frontier on disk: see README.md."""
