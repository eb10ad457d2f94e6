"""Who did how well with the same cards, from what is stored of a stage's matches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from games.models import PLAYED
from tournaments.models import EntrantStatus, Match, MatchStatus, PointsRule, Stage
from tournaments.standings.comparison import Appearance, Comparison, Held, compared, scores
from tournaments.standings.tie_break import Given

KEY, NAME = "CMP", "Against the same cards"


def comparisons(matches: Iterable[Match]) -> dict[tuple[int, int], Comparison]:
    """Return, by game of a match and entrant, how each hand of ``matches`` compares with the others of its deal.

    Only games of decided matches count, so that nothing is told of how a game ended before everybody may know.
    """
    keys, hands = [], []
    for match in matches:
        if match.status != MatchStatus.DECIDED:
            continue
        entrants = {slot.entrant.player_id: slot.entrant_id for slot in match.slots.all() if slot.entrant is not None}
        for match_game in match.match_games.all():
            game = match_game.game
            if game.deal_group_id is None or game.status not in PLAYED or game.places is None:
                continue
            for seat in game.seat_set.all():
                entrant = entrants[seat.player_id or 0]
                assert entrant is not None, "only slots with an entrant were taken"
                keys.append((match_game.pk, entrant))
                hands.append(Held(entrant, game.deal_group_id, seat.number, game.places[seat.number]))
    return dict(zip(keys, compared(hands), strict=True))


def lead_of(stage: Stage, entrants: Sequence[int], matches: Sequence[Match]) -> Given | None:
    """Return the column that decides a stage which goes by the same cards; None for any other.

    ``matches`` come with slots, entrants, games and seats loaded.
    """
    if stage.points_rule != PointsRule.SAME_CARDS:
        return None
    found = comparisons(matches)
    appearances = [
        Appearance(
            slot.entrant_id or 0,
            [
                found[match_game.pk, slot.entrant_id]
                for match_game in match.match_games.all()
                if slot.entrant_id is not None and (match_game.pk, slot.entrant_id) in found
            ],
            left=slot.entrant.status == EntrantStatus.WITHDRAWN,
        )
        for match in matches
        if match.status == MatchStatus.DECIDED
        for slot in match.slots.all()
        if slot.entrant is not None
    ]
    total = scores(entrants, appearances)
    return Given(KEY, NAME, {entrant: Fraction(value, total.unit) for entrant, value in total.by_entrant.items()})
