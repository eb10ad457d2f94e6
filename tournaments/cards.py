"""A match as the pages show it: a card with its chairs and games.

Cards are read with a fixed number of queries. Nothing is decided here: who won, who goes on and who waits for whom is
what the services have stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Prefetch

from games.disclosure import shown
from games.models import GameStatus, Seat
from players.models import Player
from tournaments import wording
from tournaments.models import Match, MatchGame, MatchStatus, Slot, Tournament


@dataclass(frozen=True, slots=True)
class Chair:
    """A slot of a match: who sits there, or who will."""

    name: str
    entrant_id: int | None = None
    player: Player | None = None
    seed: int | None = None
    place: int | None = None
    wins: int | None = None
    through: bool = False
    winner: bool = False
    lost: bool = False
    walkover: bool = False
    withdrawn: bool = False
    mine: bool = False


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game of a match and what came of it."""

    number: int
    game_id: str
    status: str
    text: str
    live: bool
    over: bool
    counted: bool
    sealed: bool = False


@dataclass(frozen=True, slots=True)
class Card:
    """A match as a card."""

    title: str
    chairs: tuple[Chair, ...]
    match: Match
    games: tuple[GameLine, ...] = ()
    state: str = ""
    note: str = ""
    mine: bool = False

    @property
    def playing(self) -> bool:
        """True while the match is in play."""
        return self.match.status == MatchStatus.PLAYING

    @property
    def decided(self) -> bool:
        """True once the match has its places."""
        return self.match.status == MatchStatus.DECIDED


def stage_matches(tournament: Tournament) -> list[Match]:
    """Return every match of ``tournament`` with round, slots, entrants, players, games and seats loaded."""
    return with_everything(Match.objects.filter(round__stage__tournament=tournament))


def with_everything(matches: Iterable[Match]) -> list[Match]:
    """Return ``matches`` (a query) as a list, all that a card needs loaded in five queries."""
    slots = Slot.objects.select_related("entrant__player", "source__round").order_by("match_id", "number")
    seats = Seat.objects.select_related("player").order_by("game_id", "number")
    games = (
        MatchGame.objects.select_related("game__deal_group")
        .defer("game__server_seed", "game__rules", "game__deal_group__server_seed")
        .order_by("match_id", "number")
        .prefetch_related(Prefetch("game__seat_set", seats))
    )
    query = matches.select_related("round__stage").order_by("round__stage__number", "round__number", "table")  # type: ignore[attr-defined]
    return list(query.prefetch_related(Prefetch("slots", slots), Prefetch("match_games", games), "feeds"))


def game_winner(match_game: MatchGame, viewer: Player | None) -> Player | None:
    """Return who won a finished game, once ``viewer`` may know; None for any other."""
    game = match_game.game
    known = shown(game, viewer)
    if known.status != GameStatus.FINISHED or not known.places:
        return None
    return next((seat.player for seat in game.seat_set.all() if known.places[seat.number] == 1), None)


def game_line(match_game: MatchGame, viewer: Player | None) -> GameLine:
    """Return one game of a match in words, as ``viewer`` may know it."""
    game = match_game.game
    known = shown(game, viewer)
    winner = game_winner(match_game, viewer)
    return GameLine(
        number=match_game.number,
        game_id=str(game.pk),
        status=known.status,
        text=f"{winner.name} won" if winner is not None else wording.game_state(known.status),
        live=known.status in (GameStatus.RUNNING, GameStatus.SEATING),
        over=known.is_over,
        counted=match_game.counted_at is not None,
        sealed=game.is_sealed,
    )


def card(match: Match, viewer: Player | None, most_chairs: int) -> Card:
    """Return the card of a loaded ``match`` as ``viewer`` sees it; ``most_chairs`` is the round's largest table."""
    slots = list(match.slots.all())
    match_games = list(match.match_games.all())
    winners = [winner.pk for each in match_games if (winner := game_winner(each, viewer)) is not None]
    through, beaten = _so_far(match, match_games, viewer) if len(slots) > 2 else (set(), set())
    decided = match.status == MatchStatus.DECIDED
    show_wins = len(slots) == 2 and bool(match_games)
    final = decided and match.advance > 0 and not match.feeds.all()
    chairs = []
    for slot in slots:
        if slot.entrant is None:
            chairs.append(Chair(name=_awaited(slot)))
            continue
        player = slot.entrant.player
        goes_on = (
            decided and match.advance > 0 and slot.place is not None and slot.place <= match.advance
        ) or player.pk in through
        chairs.append(
            Chair(
                name=player.name,
                entrant_id=slot.entrant_id,
                player=player,
                seed=slot.entrant.seed,
                place=slot.place,
                wins=winners.count(player.pk) if show_wins else None,
                through=goes_on and not slot.walkover,
                winner=final and slot.place == 1,
                lost=(decided and match.advance > 0 and not goes_on) or player.pk in beaten,
                walkover=slot.walkover,
                withdrawn=slot.entrant.status == "withdrawn",
                mine=viewer is not None and player.pk == viewer.pk,
            )
        )
    lines = tuple(game_line(match_game, viewer) for match_game in match_games)
    return Card(
        title=f"Table {match.table}",
        chairs=tuple(chairs),
        match=match,
        games=lines,
        state=_state(match, chairs, lines),
        note=_note(match, len(slots), most_chairs),
        mine=any(chair.mine for chair in chairs),
    )


def _awaited(slot: Slot) -> str:
    """Return who will sit on an empty slot; nobody where the earlier match is over and sent nobody on."""
    if slot.source is None or slot.source_place is None or slot.source.status == MatchStatus.DECIDED:
        return "nobody"
    return wording.source(slot.source, slot.source_place)


def _so_far(match: Match, match_games: Sequence[MatchGame], viewer: Player | None) -> tuple[set[int], set[int]]:
    """Return the players who are through, and those who are out, while a table still plays for its other places.

    Who is not asked to the game that follows has either been first in one, or is out.
    """
    counting = [each for each in match_games if each.game.status not in (GameStatus.VOID, GameStatus.CANCELLED)]
    if match.status != MatchStatus.PLAYING or len(counting) < 2:
        return set(), set()
    *earlier, latest = counting
    playing = {seat.player_id for seat in latest.game.seat_set.all()}
    first, seen = set(), set()
    for match_game in earlier:
        places = shown(match_game.game, viewer).places or []
        for seat in match_game.game.seat_set.all():
            if seat.player_id is not None:
                seen.add(seat.player_id)
                if seat.number < len(places) and places[seat.number] == 1:
                    first.add(seat.player_id)
    return first - playing, seen - playing - first


def _state(match: Match, chairs: Sequence[Chair], lines: Sequence[GameLine]) -> str:
    if match.status == MatchStatus.DECIDED:
        if any(chair.walkover for chair in chairs) and not any(line.counted for line in lines):
            return "walkover"
        return "bye" if len(chairs) == 1 else "decided"
    if match.status == MatchStatus.PLAYING:
        return "in play" if any(line.status == GameStatus.RUNNING for line in lines) else "to begin"
    return "to come"


def _note(match: Match, chairs: int, most_chairs: int) -> str:
    """Return what is special about a table: how many go on, and that it is smaller than others of its round."""
    if most_chairs < 3:
        return ""
    words = [f"{match.advance} of {chairs} go{'es' if match.advance == 1 else ''} on"] if match.advance else []
    if chairs < most_chairs:
        words.append(f"smaller table: {chairs} seats, others have {most_chairs}")
    return ", ".join(words)
