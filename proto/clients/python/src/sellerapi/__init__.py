"""The client of the Seller Open API: a seller's orders, claims and product inquiries.

    client = Client("https://open-api.example.com", os.environ["SELLER_API_KEY"])
    for order in client.orders({"item_status": "paid"}):
        client.ship_order(order["order_no"], {"item_ids": [...], "carrier_name": "CJ대한통운", ...})

There is one method for each operation of the API, named after it, and one type for each of its
schemas, whose documentation is the interface description. The package depends only on the standard
library of Python 3.9 or later. A client is safe for concurrent use by threads.
"""

from .answer import ResponseInfo
from .calls import CallOptions, ProcessOptions
from .client import Client
from .clock import Clock
from .errors import Error, SellerApiError, UnansweredError, has_code, is_temporary
from .retry import RetryPolicy
from .sync import Round, Sync, SyncOptions, SyncState
from .times import format_time, parse_time
from .transport import ClientOptions
from .version import __version__

__all__ = [
    "CallOptions",
    "Client",
    "ClientOptions",
    "Clock",
    "Error",
    "ProcessOptions",
    "ResponseInfo",
    "RetryPolicy",
    "Round",
    "SellerApiError",
    "Sync",
    "SyncOptions",
    "SyncState",
    "UnansweredError",
    "__version__",
    "format_time",
    "has_code",
    "is_temporary",
    "parse_time",
]
