"""A table has a column of URLs. Store URLs, and find the rows of one, however it is spelled."""

from typing import Any

import pytest
from support.tasks import all_right, gives, refuses

pytest.importorskip("sqlalchemy", reason="sqlalchemy is not installed")

from sqlalchemy import String, TypeDecorator, create_engine, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

from weburl import FrozenURL


class URLType(TypeDecorator[FrozenURL]):
    impl, cache_ok = String, True

    def process_bind_param(self, value: FrozenURL | None, dialect: Any) -> str | None:
        return None if value is None else FrozenURL(value).href

    def process_result_value(self, value: str | None, dialect: Any) -> FrozenURL | None:
        return None if value is None else FrozenURL(value)

    def coerce_compared_value(self, op: Any, value: Any) -> Any:
        return self if isinstance(value, FrozenURL) else String()


class Base(DeclarativeBase):
    type_annotation_map = {FrozenURL: URLType}


class Visit(Base):
    __tablename__ = "visit"
    id: Mapped[int] = mapped_column(primary_key=True)
    url: Mapped[FrozenURL]


def sqlalchemy_column(stored: list[str], wanted: str) -> list[str]:
    engine = create_engine("sqlite://", hide_parameters=True)
    Base.metadata.create_all(engine)
    with Session(engine) as session:
        session.add_all(Visit(url=FrozenURL(link)) for link in stored)
        session.commit()
        found = session.scalars(select(Visit).where(Visit.url == FrozenURL(wanted)))
        return [str(visit.url) for visit in found]


CHECKS = [
    gives(["https://example.com/a", "https://example.com/b"], "https://example.com/b", want=["https://example.com/b"]),
    gives(["https://example.com/a"], "https://example.com/b", want=[]),
    gives(
        ["HTTPS://EXAMPLE.com", "https://example.com:443/"],
        "https://example.com/",
        want=["https://example.com/", "https://example.com/"],
        why="the database compares texts, so each URL needs one spelling",
    ),
    gives(
        ["https://bücher.example/"],
        "https://xn--bcher-kva.example/",
        want=["https://xn--bcher-kva.example/"],
        why="a host in Unicode and its ASCII form are one host",
    ),
    gives(
        ["https://example.com/a%2Fb?q=1%2B1+x#c"],
        "https://example.com/a%2Fb?q=1%2B1+x#c",
        want=["https://example.com/a%2Fb?q=1%2B1+x#c"],
        why="the URL comes back as it was",
    ),
    refuses(
        ["https://example.com:99999/"], "https://example.com/", why="what is not a URL does not get into the table"
    ),
]


def test_sqlalchemy_column() -> None:
    assert all_right(sqlalchemy_column, CHECKS)
