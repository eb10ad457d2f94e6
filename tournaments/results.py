"""What is stored of the matches of a stage, as the outcomes that its standings are worked out from."""

from __future__ import annotations

from collections.abc import Iterable

from games.models import PLAYED
from tournaments.models import Match, MatchStatus
from tournaments.pairing.match import sums
from tournaments.standings.points import ByResult, PointsRule, match_outcome
from tournaments.standings.results import Outcome

TWO_SEATS = ByResult()
"""A win is a point, a draw half a point."""


def match_result(match: Match, rule: PointsRule = TWO_SEATS) -> Outcome | None:
    """Return the outcome of a match (slots, entrants, games and seats loaded); None before it is decided.

    Where nobody has the first place all have left, before the match or during it: none of them is taken to have come.
    """
    entrants = {slot.entrant.player_id: slot for slot in match.slots.all() if slot.entrant is not None}
    if match.status != MatchStatus.DECIDED or len(entrants) < 2:
        return None
    slots = entrants.values()
    unfinished = all(slot.place != 1 for slot in slots)
    games = [each.game for each in match.match_games.all() if each.game.status in PLAYED]
    results = [
        {
            entrants[seat.player_id or 0].entrant_id or 0: (game.places or [])[seat.number]
            for seat in game.seat_set.all()
        }
        for game in games
    ]
    return match_outcome(
        rule,
        round=match.round.number,
        places={slot.entrant_id or 0: slot.place or 0 for slot in slots},
        absent={slot.entrant_id or 0 for slot in slots if slot.walkover or unfinished},
        game_points=sums([slot.entrant_id or 0 for slot in slots], results),
    )


def stage_results(matches: Iterable[Match], rule: PointsRule = TWO_SEATS) -> list[Outcome]:
    """Return the outcomes of the decided ones of ``matches``, which come loaded as for :func:`match_result`."""
    return [outcome for match in matches if (outcome := match_result(match, rule)) is not None]
