"""Tell addresses of this machine alone from those that others reach."""

import ipaddress

__all__ = ["LOOPBACK_NAMES", "host_name", "is_loopback"]

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})
"""What stands in the Host header of a request that a person on this machine made."""


def is_loopback(host: str) -> bool:
    """Tell whether only this machine reaches an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def host_name(host: str) -> str:
    """Return an address as it stands in a link and in the Host header."""
    return f"[{host}]" if ":" in host else host
