"""The oldest supported Python, whatever Python runs the tests: the grammar of 3.9, and nothing of the library that is newer.

Pyright, in `make lint`, checks the same with the types of the whole library. A Python 3.9 that is installed runs all tests too.
"""

from __future__ import annotations

import ast
import pathlib
import unittest
from typing import Iterator

OLDEST = (3, 9)
FOLDER = pathlib.Path(__file__).resolve().parent.parent

# What came after 3.9, by module, as far as a client could use it. The empty name stands for the whole module.
NEWER: dict[str, set[str]] = {
    "asyncio": {"Barrier", "Runner", "TaskGroup", "timeout"},
    "builtins": {"BaseExceptionGroup", "EncodingWarning", "ExceptionGroup", "PythonFinalizationError", "aiter", "anext"},
    "contextlib": {"AsyncContextDecorator", "aclosing", "chdir"},
    "copy": {"replace"},
    "dataclasses": {"KW_ONLY"},
    "datetime": {"UTC"},
    "enum": {"EnumCheck", "FlagBoundary", "ReprEnum", "StrEnum", "member", "nonmember", "property", "verify"},
    "functools": {"Placeholder"},
    "hashlib": {"file_digest"},
    "http": {"HTTPMethod"},
    "inspect": {"get_annotations", "getmembers_static"},
    "itertools": {"batched", "pairwise"},
    "math": {"cbrt", "exp2", "fma", "sumprod"},
    "operator": {"call", "is_none", "is_not_none"},
    "os": {"process_cpu_count"},
    "queue": {"ShutDown"},
    "string.templatelib": {""},
    "sys": {"exception", "orig_argv", "stdlib_module_names"},
    "threading": {"getprofile", "gettrace", "setprofile_all_threads"},
    "tomllib": {""},
    "types": {"EllipsisType", "NoneType", "NotImplementedType", "UnionType", "get_original_bases"},
    "typing": {
        "Concatenate", "LiteralString", "Never", "NotRequired", "ParamSpec", "ReadOnly", "Required", "Self", "TypeAlias", "TypeAliasType",
        "TypeGuard", "TypeIs", "TypeVarTuple", "Unpack", "assert_never", "assert_type", "clear_overloads", "dataclass_transform",
        "get_overloads", "is_typeddict", "override", "reveal_type",
    },
}

# Arguments that came after 3.9, by function.
NEWER_ARGUMENTS: dict[str, set[str]] = {
    "bisect": {"key"}, "bisect_left": {"key"}, "bisect_right": {"key"}, "insort": {"key"},
    "dataclass": {"kw_only", "match_args", "slots", "weakref_slot"},
    "zip": {"strict"},
}


def sources() -> list[pathlib.Path]:
    return [file for folder in ("src", "example", "backend", "tests") for file in sorted((FOLDER / folder).rglob("*.py"))]


def newer(tree: ast.AST) -> Iterator[str]:
    """What a module uses that Python 3.9 does not have."""
    modules: dict[str, str] = {}  # by the name that the module has here
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                modules[name.asname or name.name] = name.name
                if "" in NEWER.get(name.name, ()):
                    yield name.name
        elif isinstance(node, ast.ImportFrom) and node.module:
            for name in node.names:
                if NEWER.get(node.module, set()) & {name.name, ""}:
                    yield f"{node.module}.{name.name}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = modules.get(node.value.id, "")
            if node.attr in NEWER.get(module, ()):
                yield f"{module}.{node.attr}"
        elif isinstance(node, ast.Name) and node.id in NEWER["builtins"]:
            yield node.id
        elif isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            for argument in node.keywords:
                if argument.arg in NEWER_ARGUMENTS.get(name, ()):
                    yield f"{name}({argument.arg}=)"


def unions(tree: ast.Module) -> Iterator[int]:
    """Lines with annotations such as int | None in a module that evaluates them: 3.9 has no such operator between types."""
    if any(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body):
        return
    for node in ast.walk(tree):
        for annotation in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if annotation is not None and any(isinstance(part, ast.BinOp) for part in ast.walk(annotation)):
                yield annotation.lineno


class Oldest(unittest.TestCase):
    def test_grammar_and_library(self) -> None:
        files = sources()
        self.assertGreater(len(files), 20)
        for file in files:
            with self.subTest(file=file.name):
                tree = ast.parse(file.read_text("utf-8"), str(file), feature_version=OLDEST)
                self.assertEqual([], list(newer(tree)))
                self.assertEqual([], list(unions(tree)))

    def test_finds_what_is_newer(self) -> None:
        with self.assertRaises(SyntaxError):
            ast.parse("match x:\n    case 1: pass\n", feature_version=OLDEST)
        for text, found in {
            "import datetime as d\nd.UTC": "datetime.UTC", "from typing import Self": "typing.Self", "import tomllib": "tomllib",
            "zip(a, b, strict=True)": "zip(strict=)", "anext(x)": "anext",
        }.items():
            self.assertEqual([found], list(newer(ast.parse(text))))
        self.assertEqual([1], list(unions(ast.parse("def f(x: int | None): pass"))))


if __name__ == "__main__":
    unittest.main()
