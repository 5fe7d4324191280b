"""URLs in Django's models, forms and responses."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django import forms
from django.core import serializers
from django.core.exceptions import ValidationError
from django.db import connection, migrations, models
from django.db.migrations.writer import MigrationWriter
from django.http import JsonResponse
from django_app import configure
from rows import ROWS, check_examples

from weburl import URL, FrozenURL, InvalidURL
from weburl.ext.django import JSONEncoder, URLField, URLFormField

configure()

from django_app.models import Page  # noqa: E402 - it needs the application

SECRET = "hunter2"
TEXTS = [row for row in ROWS if row]


class PageForm(forms.ModelForm):  # type: ignore[misc]
    class Meta:
        model = Page
        fields = ("url", "source", "any")


@pytest.fixture(autouse=True)
def table() -> Iterator[None]:
    with connection.schema_editor() as editor:
        editor.create_model(Page)
    yield
    with connection.schema_editor() as editor:
        editor.delete_model(Page)


def columns() -> list[Any]:
    with connection.cursor() as cursor:
        return list(cursor.execute("select url, source, any from page order by id").fetchall())


def test_rows_of_a_model() -> None:
    Page.objects.create(url="HTTPS://EXAMPLE.com:443/a b")
    Page.objects.create(url=FrozenURL("https://b.example/"), source=URL("https://c.example"), any="mailto:me")
    assert columns() == [
        ("https://example.com/a%20b", None, ""),
        ("https://b.example/", "https://c.example/", "mailto:me"),
    ]
    first, second = Page.objects.order_by("id")
    assert (first.url, first.source, first.any) == (FrozenURL("https://example.com/a%20b"), None, None)
    assert type(second.source) is type(second.any) is FrozenURL
    first.save()
    assert columns()[0] == ("https://example.com/a%20b", None, "")
    assert {first.url: 1}[FrozenURL("https://example.com/a b")] == 1


def test_queries() -> None:
    page = Page.objects.create(url="https://example.com/a%20b", source="https://c.example")
    for value in ("HTTPS://EXAMPLE.com:443/a b", URL("https://example.com/a b"), FrozenURL("https://example.com/a b")):
        assert Page.objects.get(url=value) == page
        assert Page.objects.get(url__in=[value]) == page
        assert not Page.objects.exclude(url=value).exists()
    assert Page.objects.filter(
        url__startswith="https://ex", url__contains="a%20", url__iexact="HTTPS://example.com/a%20b"
    )
    assert Page.objects.filter(any="").exists()
    assert Page.objects.filter(source=None, any="").count() == 0
    assert Page.objects.get(url=models.F("url")) == page
    assert list(Page.objects.values_list("url", flat=True)) == [FrozenURL("https://example.com/a%20b")]
    with pytest.raises(InvalidURL):
        Page.objects.filter(url="no URL")


def test_what_is_not_a_url() -> None:
    with pytest.raises(InvalidURL):
        Page.objects.create(url=f"https://me:{SECRET}@a b")
    with connection.cursor() as cursor:
        cursor.execute("insert into page (url, any) values ('no URL', '')")
    with pytest.raises(InvalidURL):
        Page.objects.get()


def by_form(text: str) -> object:
    return URLFormField(schemes=None).clean(text)


def by_model(text: str) -> object:
    return URLField(schemes=None).clean(text, None)


@pytest.mark.parametrize("clean", [by_form, by_model])
def test_each_row_is_cleaned(clean: Callable[[str], object]) -> None:
    # Forms strip, and refuse null characters.
    for text in filter(None, (text.strip().replace("\x00", "") for text in TEXTS)):
        if URL.parse(text) is None:
            with pytest.raises(ValidationError) as raised:
                clean(text)
            with pytest.raises(InvalidURL) as expected:
                URL(text)
            assert raised.value.error_list[0].code == expected.value.error
        else:
            assert clean(text) == FrozenURL(text)


def test_forms() -> None:
    form = PageForm({"url": "HTTPS://EXAMPLE.com", "source": "", "any": "x:y"})
    assert form.is_valid(), form.errors
    form.save()
    assert columns() == [("https://example.com/", None, "x:y")]
    again = PageForm({"url": "https://example.com/", "source": "", "any": ""})
    assert not again.is_valid()
    assert again.errors.as_data()["url"][0].code == "unique"
    assert 'type="url" name="url" value="https://example.com/"' in PageForm(instance=Page.objects.get()).as_p()
    assert not PageForm({"url": "https://EXAMPLE.com", "any": "x:y"}, instance=Page.objects.get()).has_changed()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f"https://me:{SECRET}@a b", "domain-to-ASCII"),
        (f"ftp://me:{SECRET}@h/", "scheme"),
        ("javascript:alert(1)", "scheme"),
        (" java\tscript:alert(1)", "scheme"),
        (f"https://me:{SECRET}@example.com/" + "a" * 60, "max_length"),
        ("", "required"),
        ("example.com", "missing-scheme-non-relative-URL"),
    ],
)
def test_errors_of_forms(text: str, code: str) -> None:
    form = PageForm({"url": text})
    assert not form.is_valid()
    (problem,) = form.errors.as_data()["url"]
    assert problem.code == code
    assert SECRET not in str(form.errors) + repr(problem)
    with pytest.raises(ValidationError) as raised:
        Page(url=text).full_clean()
    assert raised.value.error_dict["url"][0].code in (code, "null")


def test_migrations() -> None:
    fields = [("url", URLField(max_length=9)), ("any", URLField(schemes=None)), ("ftp", URLField(schemes=["ftp"]))]
    written = MigrationWriter(
        type("M", (migrations.Migration,), {"operations": [migrations.CreateModel("A", fields)]})("1", "a")
    )
    text = written.as_string()
    assert "import weburl.ext.django" in text
    assert "weburl.ext.django.URLField(max_length=9)" in text
    assert "weburl.ext.django.URLField(schemes=None)" in text
    assert "weburl.ext.django.URLField(schemes=('ftp',))" in text
    names: dict[str, Any] = {}
    exec(text, names)
    assert names["Migration"].operations[0].fields[2][1].schemes == ("ftp",)


def test_fixtures() -> None:
    Page.objects.create(url="https://example.com", any="x:y")
    text = serializers.serialize("json", Page.objects.all())
    assert json.loads(text)[0]["fields"] == {"url": "https://example.com/", "source": None, "any": "x:y"}
    Page.objects.all().delete()
    for loaded in serializers.deserialize("json", text):
        loaded.save()
    assert columns() == [("https://example.com/", None, "x:y")]


def test_json() -> None:
    response = JsonResponse({"url": URL("https://a"), "frozen": [FrozenURL("https://b")]}, encoder=JSONEncoder)
    assert json.loads(response.content) == {"url": "https://a/", "frozen": ["https://b/"]}
    with pytest.raises(TypeError, match="not JSON serializable"):
        JsonResponse({"url": object()}, encoder=JSONEncoder)


def test_examples() -> None:
    check_examples("django")
