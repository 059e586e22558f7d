"""How an operation of the interface is reached."""

from __future__ import annotations

import re
from typing import NamedTuple, Optional
from urllib.parse import quote


class Operation(NamedTuple):
    """One row of the interface: its name there, and how it is reached."""

    name: str
    method: str
    path: str

    def address(self, identifier: Optional[str]) -> str:
        """Put an identifier into the path.

        One that would become another path, whatever stands between client and server, is refused.
        """
        parameter = re.search(r"\{(\w+)\}", self.path)
        if parameter is None:
            return self.path
        if identifier in (None, "", ".", ".."):
            raise ValueError(f"{self.name}: {parameter[1]} {identifier!r} cannot exist")
        return self.path.replace(parameter[0], quote(str(identifier), safe=""))
