"""The client of the API."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .claims import Claims
from .inquiries import Inquiries
from .orders import Orders
from .requests import Requests
from .transport import ClientOptions, Transport

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Client(Orders, Claims, Inquiries, Requests):
    """Calls the API as one seller: a method for each operation, named after it.

    It is safe for concurrent use by threads; concurrent calls share the key's limits. Failures are
    a SellerApiError or an UnansweredError.
    """

    def __init__(self, base_url: str, api_key: str, **options: Unpack[ClientOptions]) -> None:
        """Take a base address, such as https://open-api.example.com, and a key of that environment.

        The options, all with defaults:

        - `language`: the language of messages, `en` or `ko`;
        - `timeout`: seconds that an attempt waits for the server;
        - `retry`: a RetryPolicy with the limits of retries;
        - `user_agent`: the name of the calling program in the server's log;
        - `ssl_context`: the TLS settings, for a private certificate authority;
        - `new_key`: generates idempotency keys;
        - `clock`, `jitter`: replace the clock and the source of jitter, in tests.
        """
        super().__init__(Transport(base_url, api_key, **options))
