"""Keeps the copy of the example erp.py, and reads when a webhook says that lists have moved, as the guide describes it:

    python3 receiver.py copy.db PORT

It is written from the guide alone. SELLER_API_URL, SELLER_API_KEY and WEBHOOK_SECRET come from the environment. What a
delivery says is in no file: a program that was killed reads all lists when it begins again.
"""

import base64
import hashlib
import hmac
import json
import os
import sqlite3
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from erp import LISTS, SCHEMA, copy_of
from sellerapi import Client, is_temporary

POLL = 300
"""Every few minutes the lists are read without a delivery."""

FARTHEST = 300
"""How far the time of a delivery may be away."""

NAMES = {"orders": "orders", "claims": "claims", "inquiries": "qna"}
"""The names of the lists in a delivery."""

SECRET = base64.b64decode(os.environ["WEBHOOK_SECRET"][len("whsec_") :])

moved = {name: threading.Event() for name in LISTS}


def is_genuine(headers, body):
    """Return whether a delivery was signed with the secret a short time ago."""
    number, at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not at.isdigit() or abs(time.time() - int(at)) > FARTHEST:
        return False
    signed = hmac.new(SECRET, f"{number}.{at}.".encode() + body, hashlib.sha256).digest()
    want = "v1," + base64.b64encode(signed).decode()
    return any(hmac.compare_digest(want, one) for one in headers.get("webhook-signature", "").split(" "))


class Receiver(BaseHTTPRequestHandler):
    """Answers deliveries at once; the lists are read afterwards."""

    def do_POST(self):
        """Receive a delivery."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        genuine = is_genuine(self.headers, body)
        self.send_response(204 if genuine else 401)
        self.end_headers()
        if genuine:
            lists = json.loads(body)["data"]
            for name, event in moved.items():
                if lists[NAMES[name]]:
                    event.set()

    def log_message(self, *_):
        """Say nothing."""


def keep(client, path, name):
    """Read a list at the beginning, whenever it has moved, and every few minutes."""
    copied = copy_of(client, path, name)
    while True:
        moved[name].clear()
        try:
            copied.round()
        except Exception as error:
            if not is_temporary(error):
                print(error, file=sys.stderr, flush=True)
                os._exit(1)
            time.sleep(1)
            continue
        moved[name].wait(POLL)


def main(path, port):
    """Receive and read until the program is ended."""
    client = Client(os.environ["SELLER_API_URL"], os.environ["SELLER_API_KEY"])
    with sqlite3.connect(path, timeout=60) as db:
        db.executescript(SCHEMA)
    for name in LISTS:
        threading.Thread(target=keep, args=[client, path, name], daemon=True).start()
    ThreadingHTTPServer(("127.0.0.1", port), Receiver).serve_forever()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
