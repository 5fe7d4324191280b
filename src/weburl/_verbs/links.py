"""The table of a page's links."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from weburl._arrow import batch, input
from weburl._arrow.job import Job
from weburl._crawl.columns import canonical_forms
from weburl._verbs.table import columns_of

if TYPE_CHECKING:
    from weburl._arrow.batch import Batch
    from weburl._crawl.policy import Policy


def link_table(
    texts: Mapping[str, list[str | None]], urls: list[str], bases: str | list[str], encoding: str, policy: str | Policy
) -> Batch:
    """The texts, and href, registrable_domain, key and error of each URL.

    All have the base that is a `str`, or each its own.
    """
    rows = input.from_objects(urls)
    fields = columns_of(("href", "registrable_domain", "error"))
    if isinstance(bases, str):
        resolved = Job(fields, is_struct=True, base=bases, encoding=encoding).run(rows, 0, len(urls))
    else:
        job = Job(fields, is_struct=True, encoding=encoding)
        resolved = job.run(rows, 0, len(urls), input.from_objects(bases))
    assert resolved is not None
    hrefs = input.from_objects(resolved.entries(0))
    fingerprint = canonical_forms(policy)[1:]
    keys = Job(fingerprint, is_struct=True).run(hrefs, 0, len(urls))
    assert keys is not None
    as_given = batch.from_texts(tuple(texts), list(texts.values()))
    columns = [as_given, resolved.select(0), resolved.select(1), keys.select(0), resolved.select(2)]
    return batch.beside(columns, (*texts, "href", "registrable_domain", "key", "error"))
