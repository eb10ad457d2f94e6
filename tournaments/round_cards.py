"""A round of a stage with points as the pages show it: one page of its tables as cards, or the tables of some people.

The number of queries does not depend on how many tables there are.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import Count, Max, Q

from players.models import Player
from tournaments.brackets import current_round
from tournaments.cards import Card, card, with_everything
from tournaments.models import Match, MatchStatus, Round, Slot, Stage

TABLES_SHOWN = 24


@dataclass(frozen=True, slots=True)
class RoundShown:
    """The chosen round among the public ``rounds`` of its stage.

    ``own`` is the card of whoever looks, if it is on no other page; ``page`` counts the tables, or those found.
    """

    round: Round
    rounds: tuple[Round, ...]
    page: Page[int]
    cards: tuple[Card, ...]
    own: Card | None
    tables: int
    playing: int

    @property
    def all_cards(self) -> tuple[Card, ...]:
        """The cards in the order in which they are shown."""
        return self.cards if self.own is None else (self.own, *self.cards)


def round_shown(
    stage: Stage,
    rounds: Sequence[Round],
    viewer: Player | None,
    *,
    round_id: int | None,
    page: int | None,
    found: Collection[int] | None,
) -> RoundShown:
    """Return the round ``round_id`` of the public ``rounds`` of ``stage``, in order; left out, the one that is played.

    ``found`` are the entrants to whose tables it is narrowed down.
    """
    chosen = next((each for each in rounds if each.pk == round_id), None) or current_round(stage, rounds)
    matches = Match.objects.filter(round=chosen)
    counts = matches.aggregate(tables=Count("pk"), playing=Count("pk", filter=Q(status=MatchStatus.PLAYING)))
    most = 1 + (Slot.objects.filter(match__round=chosen).aggregate(most=Max("number"))["most"] or 0)
    listed = matches if found is None else matches.filter(slots__entrant__in=found).distinct()
    numbers = Paginator(list(listed.order_by("table").values_list("pk", flat=True)), TABLES_SHOWN).get_page(page)
    own = None
    if viewer is not None:
        own = matches.filter(slots__entrant__player=viewer).values_list("pk", flat=True).first()
    wanted = {*numbers.object_list} | ({own} if own is not None else set())
    cards = {each.pk: card(each, viewer, most) for each in with_everything(Match.objects.filter(pk__in=wanted))}
    return RoundShown(
        round=chosen,
        rounds=tuple(rounds),
        page=numbers,
        cards=tuple(cards[pk] for pk in numbers.object_list),
        own=cards[own] if own is not None and own not in numbers.object_list else None,
        tables=counts["tables"],
        playing=counts["playing"],
    )
