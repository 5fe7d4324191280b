"""An application of Django for the tests, with a database in memory."""

from __future__ import annotations

import django
from django.conf import settings

SQLITE = {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}


def configure() -> None:
    if not settings.configured:
        settings.configure(DATABASES={"default": SQLITE}, INSTALLED_APPS=[__name__])
        django.setup()
