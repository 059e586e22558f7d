"""Builds the package: the build backend (PEP 517) that pip and other programs call.

It has no dependencies to download, so that a source archive can also be installed offline. The same
files give the same archives, byte for byte.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import re
import tarfile
import zipfile
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Tuple

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "sellerapi"
[VERSION] = re.findall(r'__version__ = "(.+)"', (PACKAGE / "version.py").read_text("utf-8"))
NAME = f"sellerapi-{VERSION}"

METADATA = f"""Metadata-Version: 2.1
Name: sellerapi
Version: {VERSION}
Summary: Client of the Seller Open API: a seller's orders, claims and product inquiries.
Home-page: https://sellerapi.dev
License: Apache-2.0
Keywords: orders,claims,shipping,marketplace
Classifier: License :: OSI Approved :: Apache Software License
Classifier: Operating System :: OS Independent
Classifier: Programming Language :: Python :: 3
Classifier: Typing :: Typed
Requires-Python: >=3.9
Description-Content-Type: text/markdown

"""
WHEEL = """Wheel-Version: 1.0
Generator: sellerapi_build
Root-Is-Purelib: true
Tag: py3-none-any
"""

Settings = Optional[Dict[str, Any]]


def get_requires_for_build_wheel(config_settings: Settings = None) -> List[str]:
    """Return the requirements of the build: none."""
    return []


get_requires_for_build_sdist = get_requires_for_build_wheel


def build_wheel(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: Optional[str] = None
) -> str:
    """Build the wheel and return its name."""
    name = f"{NAME}-py3-none-any.whl"
    info = f"{NAME}.dist-info"
    files = [*_files(PACKAGE, "sellerapi"), *_described(info)]
    record = "".join(f"{path},{_digest(data)},{len(data)}\n" for path, data in files)
    files.append((f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode()))
    with zipfile.ZipFile(Path(wheel_directory) / name, "w") as wheel:
        for path, data in files:
            entry = zipfile.ZipInfo(path)  # with the earliest date of the ZIP format
            entry.external_attr = 0o100644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
    return name


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    """Build the source archive and return its name."""
    name = f"{NAME}.tar.gz"
    files = [(f"{NAME}/PKG-INFO", _metadata())]
    for part in ("backend", "example", "src"):
        files += _files(ROOT / part, f"{NAME}/{part}")
    for part in ("CHANGELOG.md", "LICENSE", "README.md", "pyproject.toml"):
        files.append((f"{NAME}/{part}", (ROOT / part).read_bytes()))
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, data in files:
            entry = tarfile.TarInfo(path)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    (Path(sdist_directory) / name).write_bytes(gzip.compress(packed.getvalue(), mtime=0))
    return name


def _described(info: str) -> Iterator[Tuple[str, bytes]]:
    """Return the metadata files of a wheel."""
    yield f"{info}/METADATA", _metadata()
    yield f"{info}/WHEEL", WHEEL.encode()
    yield f"{info}/LICENSE", (ROOT / "LICENSE").read_bytes()


def _metadata() -> bytes:
    return METADATA.encode() + (ROOT / "README.md").read_bytes()


def _files(folder: Path, named: str) -> Iterator[Tuple[str, bytes]]:
    """Return the files of a folder, under another name, without compiled bytecode."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield f"{named}/{path.relative_to(folder).as_posix()}", path.read_bytes()


def _digest(data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode()
    return f"sha256={digest.rstrip('=')}"
