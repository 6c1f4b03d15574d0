"""What a server is started with."""

import ipaddress
from dataclasses import dataclass, field

MEBIBYTE = 1 << 20


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How one server runs. The token never shows in a `repr`, and so in no log and no traceback.

    Attributes:
        store: URL of the store.
        host: Address to listen on.
        port: Port to listen on; 0 takes a free one.
        token: What clients must show; without one everything is open to who reaches the server.
        body_bytes: The most that one request's body may hold, both as sent and unpacked.
        room_bytes: The most that all requests together may hold in memory; the next ones wait.
        patience_s: How long a request waits for room before it is sent away to come back later.
        body_s: How long a client may take to send a body.
        quiet_ms: A trace whose root has not ended is assembled when so long nothing came.
        ended_ms: One whose root has ended is assembled this long after its last span.
        session_s: How long a browser stays signed in.
    """

    store: str
    host: str = "127.0.0.1"
    port: int = 7373
    token: str | None = field(default=None, repr=False)
    body_bytes: int = 16 * MEBIBYTE
    room_bytes: int = 16 * MEBIBYTE
    patience_s: float = 1.0
    body_s: float = 30.0
    quiet_ms: int = 30_000
    ended_ms: int = 2_000
    session_s: int = 12 * 3600


def loopback(host: str) -> bool:
    """Say whether only this machine reaches a server that listens on a host."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
