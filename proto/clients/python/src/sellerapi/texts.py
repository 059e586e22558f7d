"""Checking that what is sent is text."""

from __future__ import annotations

from typing import Any, Iterable, Mapping, Optional, Tuple, cast


def check_texts(
    operation: str,
    identifier: Optional[str],
    filter: Optional[Mapping[str, Any]],
    body: Optional[object],
) -> None:
    """Raise ValueError, which names the field, for a text that cannot be written as UTF-8.

    Such texts come from bytes that were not understood: they have lone surrogates.
    """
    query = ((f"query.{name}", value) for name, value in (filter or {}).items())
    for name, value in (("the path", identifier), *query, *_texts("", body)):
        try:
            str(value).encode()
        except UnicodeEncodeError:
            raise ValueError(f"{operation}: {name} is not UTF-8") from None


def _texts(name: str, value: object) -> Iterable[Tuple[str, str]]:
    """Yield the texts in a value, with names such as items[3].tracking_no."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, Mapping):
        for member, inner in cast(Mapping[str, object], value).items():
            yield from _texts(f"{name}.{member}" if name else member, inner)
    elif isinstance(value, (list, tuple)):
        for index, inner in enumerate(cast(Tuple[object, ...], value)):
            yield from _texts(f"{name}[{index}]", inner)
