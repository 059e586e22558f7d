"""Ships an item with the Python client as a registry has it."""

import os
import sys

from sellerapi import Client

client = Client(os.environ["SELLER_API_URL"], os.environ["SELLER_API_KEY"])
order, item = sys.argv[1:]
parcel = {"carrier_name": "CJ대한통운", "tracking_no": "6123-4567-8904"}
print(client.ship_order(order, {"item_ids": [item], **parcel})["items"][0]["item_status"])
