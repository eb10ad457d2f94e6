"""What is stored of the matches of a stage, as the outcomes that its standings are worked out from."""

from __future__ import annotations

from collections.abc import Iterable

from games.models import PLAYED
from tournaments.models import Bye, Format, Match, MatchStatus, Slot, Stage
from tournaments.pairing.match import sums
from tournaments.standings.points import ByPlace, ByResult, PointsRule, bye_outcome, match_outcome
from tournaments.standings.results import POINT, Kind, Outcome

TWO_SEATS = ByResult()
"""A win is a point, a draw half a point."""


def points_rule(stage: Stage) -> PointsRule:
    """Return what the matches of ``stage`` bring: points by place where it has tables, else by result.

    A bye for want of a table is worth a win.
    """
    if not stage.place_points:
        return TWO_SEATS
    by_size = {int(size): tuple(POINT * points for points in own) for size, own in stage.place_points.items()}
    return ByPlace(by_size, allocated=by_size[max(by_size)][0])


def stage_outcomes(
    stage: Stage, matches: Iterable[Match], byes: Iterable[Bye], *, game_points: bool = True
) -> list[Outcome]:
    """Return the outcomes of ``stage`` so far: of the decided ones of its ``matches``, and of its ``byes``.

    ``matches`` come loaded as for :func:`match_result`, ``byes`` with their round. In a fixed schedule, where they are
    known long before, byes count from when a match of their round or a later one is decided.
    """
    rule = points_rule(stage)
    found = [outcome for match in matches if (outcome := match_result(match, rule, game_points=game_points))]
    counted = max((outcome.round for outcome in found), default=0)
    return found + [
        bye_outcome(rule, round=bye.round.number, entrant=bye.entrant_id, kind=Kind(bye.kind))
        for bye in byes
        if stage.format != Format.TABLE_SCHEDULE or bye.round.number <= counted
    ]


def match_result(match: Match, rule: PointsRule = TWO_SEATS, *, game_points: bool = True) -> Outcome | None:
    """Return the outcome of a match (round, slots, entrants, games and seats loaded); None before it is decided.

    Without ``game_points`` games and seats are not looked at.
    Where nobody has the first place all have left, before the match or during it: none of them is taken to have come.
    """
    slots = [slot for slot in match.slots.all() if slot.entrant_id is not None]
    if match.status != MatchStatus.DECIDED or len(slots) < 2:
        return None
    unfinished = all(slot.place != 1 for slot in slots)
    return match_outcome(
        rule,
        round=match.round.number,
        places={slot.entrant_id or 0: slot.place or 0 for slot in slots},
        absent={slot.entrant_id or 0 for slot in slots if slot.walkover or unfinished},
        game_points=_game_points(match, slots) if game_points else None,
    )


def _game_points(match: Match, slots: Iterable[Slot]) -> dict[int, int]:
    """Return what each entrant has from the games of a match, in 1/840 point."""
    entrants = {slot.entrant.player_id: slot.entrant_id or 0 for slot in slots if slot.entrant is not None}
    games = [each.game for each in match.match_games.all() if each.game.status in PLAYED]
    results = [
        {entrants[seat.player_id or 0]: (game.places or [])[seat.number] for seat in game.seat_set.all()}
        for game in games
    ]
    return sums(entrants.values(), results)


def stage_results(matches: Iterable[Match], rule: PointsRule = TWO_SEATS) -> list[Outcome]:
    """Return the outcomes of the decided ones of ``matches``, which come loaded as for :func:`match_result`."""
    return [outcome for match in matches if (outcome := match_result(match, rule)) is not None]
