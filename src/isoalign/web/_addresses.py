"""Distinguish loopback addresses from those that others can reach."""

import ipaddress

__all__ = ["LOOPBACK_NAMES", "host_name", "is_loopback"]

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})
"""Host headers of requests made on this machine."""


def is_loopback(host: str) -> bool:
    """Return whether an address can be reached from this machine only."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def host_name(host: str) -> str:
    """Return an address as it is written in a link and in the Host header."""
    return f"[{host}]" if ":" in host else host
