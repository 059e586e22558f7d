"""The name, method and path of an operation of the API."""

from __future__ import annotations

import re
from typing import NamedTuple, Optional
from urllib.parse import quote


class Operation(NamedTuple):
    """One operation of the API: its name, method and path."""

    name: str
    method: str
    path: str

    def address(self, identifier: Optional[str]) -> str:
        """Put an identifier into the path.

        Raises ValueError for identifiers that could become another path in the client, a proxy or
        the server.
        """
        parameter = re.search(r"\{(\w+)\}", self.path)
        if parameter is None:
            return self.path
        if identifier in (None, "", ".", ".."):
            raise ValueError(f"{self.name}: {parameter[1]} {identifier!r} cannot exist")
        return self.path.replace(parameter[0], quote(str(identifier), safe=""))
