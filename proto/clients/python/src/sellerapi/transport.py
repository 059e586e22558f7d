"""Sending calls until they have a final response."""

from __future__ import annotations

import http.client
import json
import random
import ssl
import threading
import urllib.error
import urllib.request
import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Dict, Mapping, Optional, Tuple, TypedDict, cast
from urllib.parse import urlsplit

from . import answer
from .answer import ResponseInfo
from .clock import Clock, SystemClock
from .errors import Error, UnansweredError
from .operation import Operation
from .query import query_of
from .retry import RetryPolicy
from .texts import check_texts
from .version import __version__

if TYPE_CHECKING:
    from typing_extensions import Unpack


_LANGUAGES = ("en", "ko")


class ClientOptions(TypedDict, total=False):
    """The options of a client; all have defaults."""

    retry: RetryPolicy
    """The limits of retries."""
    timeout: float
    """Seconds that an attempt waits for the server; 45 by default, since a batch may take 30 s."""
    language: str
    """Language of messages, `en` or `ko`; English by default."""
    user_agent: str
    """Identifies the calling program in the server's log."""
    ssl_context: ssl.SSLContext
    """The TLS settings, for servers whose certificate is from a private certificate authority."""
    new_key: Callable[[], str]
    """Generates idempotency keys. Every key must be unique among all keys of the seller."""
    clock: Clock
    """Replaces the clock, in tests."""
    jitter: Callable[[], float]
    """Replaces the source of jitter, numbers from 0 to 1, in tests."""


@dataclass(frozen=True)
class Call:
    """One request, sent once or several times."""

    operation: Operation
    identifier: Optional[str] = None
    filter: Optional[Mapping[str, Any]] = None
    body: Optional[object] = None
    key: str = ""
    request_id: str = ""
    on_response: Optional[Callable[[ResponseInfo], None]] = None
    stop: Optional[threading.Event] = None

    def unanswered(self, attempt: int, cause: BaseException, *, repeatable: bool) -> Error:
        """Return the error of a call that has no usable response."""
        return UnansweredError(
            self.operation.name,
            idempotency_key=self.key,
            attempts=attempt,
            repeatable=repeatable,
            cause=cause,
        )


class Transport:
    """Sends calls until they have a final response. Threads can share it: it is immutable."""

    def __init__(self, base_url: str, api_key: str, **options: Unpack[ClientOptions]) -> None:
        """Create the transport of a client."""
        _check(base_url)
        api_key = api_key.strip()
        if not api_key or not api_key.isascii() or not api_key.isprintable():
            raise ValueError("the API key is empty or has characters that no key has")
        strange = options.keys() - ClientOptions.__annotations__.keys()
        if strange:
            names, known = ", ".join(sorted(strange)), ", ".join(ClientOptions.__annotations__)
            raise TypeError(f"no such option: {names}; the options are {known}")
        self.clock: Clock = options.get("clock") or SystemClock()
        self.new_key = options.get("new_key") or (lambda: str(uuid.uuid4()))
        self._base = base_url.rstrip("/")
        self._api_key = lambda: api_key  # so that printing the attributes does not show it
        self._retry = options.get("retry") or RetryPolicy()
        self.timeout = options.get("timeout", 45)
        self._jitter = options.get("jitter") or random.random
        self._opener = _opener(options.get("ssl_context"))
        self._headers = {
            "Accept": "application/json",
            "User-Agent": options.get("user_agent") or f"sellerapi-python/{__version__}",
        }
        language = options.get("language")
        if language:
            if language not in _LANGUAGES:
                known = ", ".join(_LANGUAGES)
                raise ValueError(f"language {language!r}: the languages are {known}")
            self._headers["Accept-Language"] = language

    def send(self, call: Call) -> Any:
        """Return the data of the response."""
        check_texts(call.operation.name, call.identifier, call.filter, call.body)
        url = self._base + call.operation.address(call.identifier) + query_of(call.filter)
        headers = self._headers_of(call)
        body = None
        if call.body is not None:
            body = json.dumps(call.body, ensure_ascii=False).encode()
        attempt = 0
        if call.stop is not None and call.stop.is_set():
            raise call.unanswered(attempt, RuntimeError("stopped before it was sent"), repeatable=False)
        while True:
            attempt += 1
            try:
                return self._try(call, url, headers, body, attempt)
            except Error as error:
                pause = self._retry.pause(error, attempt, self._jitter)
                if pause is None:
                    raise
                if self.clock.wait(pause, call.stop):
                    raise call.unanswered(attempt, error, repeatable=False) from error

    def _try(
        self, call: Call, url: str, headers: Dict[str, str], body: Optional[bytes], attempt: int
    ) -> Any:
        """Send the call once."""
        request = urllib.request.Request(url, body, headers, method=call.operation.method)
        try:
            response, text = self._exchange(request)
        except (OSError, http.client.HTTPException) as error:
            raise call.unanswered(attempt, _cause(error), repeatable=_repeatable(error)) from error
        info = answer.info_of(response.status, response.headers, call.key, attempt)
        if call.on_response:
            call.on_response(info)
        envelope = answer.parse(text)
        if response.status != 200:
            raise answer.refusal(
                call.operation.name, info, envelope, response.headers, self.clock.now()
            )
        if envelope.get("data") is None:
            cause = ValueError("the answer is cut off or not the envelope")
            raise call.unanswered(attempt, cause, repeatable=True)
        return envelope["data"]

    def _exchange(self, request: urllib.request.Request) -> Tuple[http.client.HTTPResponse, bytes]:
        opened = self._opener.open(request, timeout=self.timeout)
        with cast(http.client.HTTPResponse, opened) as response:
            return response, response.read()

    def _headers_of(self, call: Call) -> Dict[str, str]:
        headers = {**self._headers, "X-Api-Key": self._api_key()}
        if call.operation.method != "GET":
            headers["Idempotency-Key"] = call.key
        if call.request_id:
            headers["X-Request-Id"] = call.request_id
        if call.body is not None:
            headers["Content-Type"] = "application/json"
        for name, value in headers.items():
            if not value.isascii() or not value.isprintable():
                problem = f"{name} has characters that no header can carry"
                raise ValueError(f"{call.operation.name}: {problem}")
        return headers


def _check(base_url: str) -> None:
    """Raise ValueError if the base address cannot work.

    The message does not quote the address, which may contain a password.
    """
    parts = urlsplit(base_url)
    strange = parts.query or parts.fragment or parts.username or parts.password
    if parts.scheme not in ("http", "https") or not parts.hostname or strange:
        raise ValueError("the base address must be like https://host")


def _opener(ssl_context: Optional[ssl.SSLContext]) -> urllib.request.OpenerDirector:
    """Return an opener that uses the proxies set in the environment.

    It does not follow redirects: the API never redirects, and a redirect to another host would send
    the API key there.
    """
    opener = urllib.request.OpenerDirector()
    opener.add_handler(urllib.request.ProxyHandler())
    opener.add_handler(urllib.request.HTTPHandler())
    opener.add_handler(urllib.request.HTTPSHandler(context=ssl_context))
    return opener


def _cause(error: BaseException) -> BaseException:
    """Return the error that urllib wraps, or the error itself if it wraps none."""
    if isinstance(error, urllib.error.URLError) and isinstance(error.reason, BaseException):
        return error.reason
    return error


def _repeatable(error: BaseException) -> bool:
    """Return whether a retry may lead to a response: not if the certificate is not trusted."""
    return not isinstance(_cause(error), ssl.SSLCertVerificationError)
