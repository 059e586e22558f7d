"""Compares the types and methods with the interface description.

`go test` runs this module and passes the description as JSON, because the standard library cannot
read YAML. The expected types are derived from the description here, independently of the code
generator.
"""

from __future__ import annotations

import inspect
import json
import os
from datetime import datetime
from pathlib import Path
from typing import Any, Dict, Iterator, List, Literal, Optional, Tuple, Union, get_type_hints
from unittest import TestCase

import sellerapi.contract
from sellerapi import Client, operations
from sellerapi.operation import Operation

from .script import play

Schema = Dict[str, Any]

document = json.loads(Path(os.environ["SELLER_OPEN_API_JSON"]).read_text("utf-8"))
schemas: Dict[str, Schema] = document["components"]["schemas"]


def last(reference: str) -> str:
    """Return the name that a reference ends with."""
    return reference.rpartition("/")[2]


def is_record(name: str) -> bool:
    """Return whether a schema is a type of its own; envelopes are taken apart by the client."""
    return "properties" in schemas[name] and not name.endswith(("Envelope", "Meta", "Failure"))


def type_of(schema: Schema) -> Any:
    """Return the type that a schema describes."""
    if "$ref" in schema:
        name = last(schema["$ref"])
        return getattr(sellerapi.contract, name) if is_record(name) else type_of(schemas[name])
    if "oneOf" in schema:
        return Optional[type_of(schema["oneOf"][0])]
    kinds: List[str] = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    made: Any = plain_type_of(kinds[0], schema)
    return Optional[made] if "null" in kinds else made


def plain_type_of(kind: str, schema: Schema) -> Any:
    """Return the type of a value that is not null."""
    if kind == "array":
        return List[type_of(schema["items"])]
    if kind == "string" and "enum" in schema:
        return Literal[tuple(one for one in schema["enum"] if one is not None)]
    if kind == "string" and "x-extensible-enum" in schema:
        return Union[Literal[tuple(schema["x-extensible-enum"])], str]
    return {"string": str, "integer": int, "boolean": bool, "null": type(None)}[kind]


def described() -> Iterator[Tuple[str, str, Dict[str, Any]]]:
    """Return method, path and description of every operation that needs a key."""
    for path, methods in document["paths"].items():
        for method in ("get", "post"):
            if method in methods and "Description" not in methods[method]["tags"]:
                yield method.upper(), path, methods[method]


def filter_of(operation: Dict[str, Any]) -> Dict[str, Any]:
    """Return the types of the query parameters of an operation."""
    parameters = document["components"]["parameters"]
    all = [parameters[last(one["$ref"])] for one in operation.get("parameters", [])]
    return {
        one["name"]: Union[datetime, str]
        if last(one["schema"].get("$ref", "")) == "RequestTime"
        else type_of(one["schema"])
        for one in all
        if one["in"] == "query"
    }


class ContractTest(TestCase):
    """The types and methods of this package match the description."""

    def test_every_schema_has_its_type(self) -> None:
        for name, schema in schemas.items():
            if not is_record(name):
                continue
            with self.subTest(name):
                made: Any = getattr(sellerapi.contract, name)
                want = {member: type_of(one) for member, one in schema["properties"].items()}
                self.assertEqual(want, get_type_hints(made))
                self.assertEqual(set(schema.get("required", [])), set(made.__required_keys__))
        self.assertEqual(type_of(schemas["ErrorCode"]), sellerapi.contract.ErrorCode)

    def test_every_operation_is_described(self) -> None:
        listed = [one for one in vars(operations).values() if isinstance(one, Operation)]
        want = [(one["operationId"], method, path) for method, path, one in described()]
        self.assertEqual(sorted(want), sorted(tuple(one) for one in listed))

    def test_every_filter_has_its_type(self) -> None:
        for _, _, operation in described():
            want = filter_of(operation)
            if want:
                with self.subTest(operation["operationId"]):
                    method = getattr(Client, operation["operationId"])
                    hint = inspect.signature(method).parameters["filter"].annotation
                    made = getattr(sellerapi.contract, hint[len("Optional[") : -1])
                    self.assertEqual(want, get_type_hints(made))
                    self.assertEqual(set(), set(made.__required_keys__))

    def test_every_method_sends_what_is_described(self) -> None:
        for method, path, operation in described():
            with self.subTest(operation["operationId"]):
                self.send(method, path, operation)

    def send(self, method: str, path: str, operation: Dict[str, Any]) -> None:
        server, _, client = play(self, {"data": {}})
        body = operation.get("requestBody")
        made = getattr(client, operation["operationId"])
        made(*(["x"] if "{" in path else []), *([{}] if body else []))
        [request] = server.got
        [address] = [f"{one}x{rest.partition('}')[2]}" if brace else one for one, brace, rest in [path.partition("{")]]
        self.assertEqual((method, address), (request.method, request.path))
        self.assertEqual(method == "POST", "idempotency-key" in request.headers)
        self.assertEqual("{}" if body else "", request.body)
        if body:
            hint = inspect.signature(made).parameters["request"].annotation
            self.assertEqual(last(body["content"]["application/json"]["schema"]["$ref"]), hint)
