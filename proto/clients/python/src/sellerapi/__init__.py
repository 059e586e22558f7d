"""The client of the Seller Open API: a seller's orders, claims and product inquiries.

    client = Client("https://open-api.example.com", os.environ["SELLER_API_KEY"])
    for order in client.orders({"item_status": "paid"}):
        client.ship_order(order["order_no"], {"item_ids": [...], "carrier_name": "CJ대한통운", ...})

There is a method for each operation of the interface, named after it, and a type for each of its
schemas. The interface description is the reference for both. The package needs nothing but the
standard library of Python 3.9 or later. A client can be used by many threads at once.
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
