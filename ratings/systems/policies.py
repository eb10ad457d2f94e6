"""The policies that rate game by game, by the name that a pool carries."""

from __future__ import annotations

from collections.abc import Mapping

from ratings.systems.elo import BEARENA_ELO, BearenaElo

POLICIES: Mapping[str, BearenaElo] = {"bearena-elo": BEARENA_ELO}
