"""The models of the application."""

from __future__ import annotations

from django.db import models

from weburl.ext.django import URLField


class Page(models.Model):  # type: ignore[misc]
    url = URLField(max_length=60, unique=True)
    source = URLField(max_length=99, null=True, blank=True)
    any = URLField(max_length=99, blank=True, schemes=None)

    class Meta:
        db_table = "page"
