"""What bounds a socket, and sockets together. The figures are settings of the host (docs/hosts.md)."""

from __future__ import annotations

import ipaddress
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.conf import settings

from games.live.sessions import Identity

BURST = 3
"""How many seconds' worth of messages may come at once."""
NETWORK_BITS = 64
"""One household has as many addresses of IPv6 as it likes, below one such prefix."""

type Claim = tuple[str, object]


class Allowance:
    """How many messages a socket may still send: some at once, and so many a second."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._left = rate * BURST
        self._at = time.monotonic()

    def take(self) -> bool:
        """Use one message up; False if there is none left."""
        now = time.monotonic()
        self._left = min(self._rate * BURST, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Room:
    """How many sockets of this process are open, by what they claim a place of."""

    def __init__(self) -> None:
        self._taken: Counter[Claim] = Counter()

    def enter(self, claims: Mapping[Claim, int]) -> bool:
        """Take a place for each of ``claims``, of so many; False, and nothing taken, if one has none left."""
        if any(self._taken[claim] >= most for claim, most in claims.items()):
            return False
        self._taken.update(claims.keys())
        return True

    def leave(self, claims: Mapping[Claim, int]) -> None:
        """Give the places back."""
        for claim in claims:
            self._taken[claim] -= 1
            if not self._taken[claim]:
                del self._taken[claim]


def claims_of(scope: Mapping[str, Any], identity: Identity) -> dict[Claim, int]:
    """Return what any socket claims: a place of its address, and of who opened it."""
    claims: dict[Claim, int] = {}
    address = network_of(scope)
    if address is not None:
        claims["address", address] = settings.SOCKETS_AN_ADDRESS
    if identity.player_id is not None:
        claims["player", identity.player_id] = settings.SOCKETS_A_PERSON
    return claims


def claim_to_watch(game_id: UUID) -> dict[Claim, int]:
    """Return what a spectator's socket claims besides: a place at the game."""
    return {("spectator", game_id): settings.SPECTATORS_A_GAME}


def network_of(scope: Mapping[str, Any]) -> str | None:
    """Return the address that a socket came from, of IPv6 its network; None through a unix socket.

    Headers count only from a proxy that the host trusts (``BEARENA_PROXIES``); :mod:`config.asgi` sees to it.
    """
    client = scope.get("client")
    if not client:
        return None
    text: str = client[0]
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:  # an ASGI server may name its client otherwise
        return text
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is None:
            return str(ipaddress.ip_network((address, NETWORK_BITS), strict=False))
        address = address.ipv4_mapped
    return str(address)
