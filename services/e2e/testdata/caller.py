"""Calls the interface with the Python client: a call a line in, what came of it a line out."""

import json
import os
import sys

from sellerapi import Client, SellerApiError

client = Client(os.environ["SELLER_API_URL"], os.environ["SELLER_API_KEY"])
for line in sys.stdin:
    call = json.loads(line)
    try:
        outcome = {"result": getattr(client, call["method"])(*call["values"], **call["options"])}
    except SellerApiError as error:
        outcome = {"status": error.status, "code": error.code}
    print(json.dumps(outcome), flush=True)
