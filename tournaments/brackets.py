"""A tournament's stages as the pages show them: rounds as columns, matches as cards.

They are read with a fixed number of queries. Nothing is decided here: who won, who goes on and who waits for whom is
what the services have stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from django.db.models import Prefetch

from games.disclosure import shown
from games.models import GameStatus, Seat
from players.models import Player
from tournaments import wording
from tournaments.models import Format, Match, MatchGame, MatchStatus, Round, Slot, Stage, Tournament

WHOLE_BRACKET = 64
"""Up to so many matches a stage is shown whole (64 entrants of two-seat matches); beyond that a round at a time."""


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
    """A match as a card; ``bye`` cards stand for an entrant who skips the round, and have no match."""

    title: str
    chairs: tuple[Chair, ...]
    match: Match | None = None
    games: tuple[GameLine, ...] = ()
    state: str = ""
    note: str = ""
    mine: bool = False
    bye: bool = False

    @property
    def playing(self) -> bool:
        """True while the match is in play."""
        return self.match is not None and self.match.status == MatchStatus.PLAYING

    @property
    def decided(self) -> bool:
        """True once the match has its places."""
        return self.match is not None and self.match.status == MatchStatus.DECIDED


@dataclass(frozen=True, slots=True)
class Column:
    """A round: its cards in bracket order, and who has a bye in it."""

    round: Round
    cards: tuple[Card, ...]
    byes: tuple[Chair, ...] = ()
    current: bool = False

    @property
    def playing(self) -> int:
        """How many matches of the round are in play."""
        return sum(card.playing for card in self.cards)


@dataclass(frozen=True, slots=True)
class Bracket:
    """One stage. ``tree``: two seats, drawn with lines; ``paged``: ``columns`` holds the chosen round alone."""

    stage: Stage
    format: str
    rounds: tuple[Round, ...]
    columns: tuple[Column, ...]
    tree: bool = False
    paged: bool = False
    shown: Round | None = None
    cards: tuple[Card, ...] = field(default=(), repr=False)


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


def brackets(
    tournament: Tournament, viewer: Player | None, round_id: int | None = None, matches: list[Match] | None = None
) -> list[Bracket]:
    """Return the stages of ``tournament`` that have rounds; ``round_id`` chooses the round of a paged bracket."""
    stages = list(tournament.stages.all())
    rounds = list(Round.objects.filter(stage__tournament=tournament).select_related("stage").order_by("number"))
    if matches is None:
        matches = stage_matches(tournament)
    shown = []
    for stage in stages:
        own_rounds = [each for each in rounds if each.stage_id == stage.pk]
        if own_rounds:
            own = [match for match in matches if match.round.stage_id == stage.pk]
            shown.append(_bracket(stage, own_rounds, own, viewer, round_id))
    return shown


def _bracket(
    stage: Stage, rounds: list[Round], matches: list[Match], viewer: Player | None, round_id: int | None
) -> Bracket:
    by_round: dict[int, list[Match]] = {each.pk: [] for each in rounds}
    for match in matches:
        by_round[match.round_id].append(match)
    current = next(
        (each for each in rounds if any(m.status != MatchStatus.DECIDED for m in by_round[each.pk])), rounds[-1]
    )
    byes = _byes(rounds, by_round, viewer) if stage.format != Format.ROUND_ROBIN else {}
    columns = []
    for each in rounds:
        most = max((len(match.slots.all()) for match in by_round[each.pk]), default=0)
        columns.append(
            Column(
                round=each,
                cards=tuple(card(match, viewer, most) for match in by_round[each.pk]),
                byes=tuple(byes.get(each.pk, ())),
                current=each.pk == current.pk,
            )
        )
    cards = tuple(each for column in columns for each in column.cards)
    paged = len(cards) > WHOLE_BRACKET or stage.format == Format.ROUND_ROBIN
    tree = stage.format == Format.SINGLE_ELIMINATION and not paged
    shown = None
    if paged:
        shown = next((each for each in rounds if each.pk == round_id), current)
        columns = [column for column in columns if column.round.pk == shown.pk]
    elif tree:
        columns = _as_tree(columns)
    return Bracket(
        stage=stage,
        format=wording.stage_format(stage),
        rounds=tuple(rounds),
        columns=tuple(columns),
        tree=tree,
        paged=paged,
        shown=shown,
        cards=cards,
    )


def _byes(rounds: list[Round], by_round: dict[int, list[Match]], viewer: Player | None) -> dict[int, list[Chair]]:
    """Return, per round before an entrant's first match, the chair of that entrant."""
    found: dict[int, list[Chair]] = {}
    for position, each in enumerate(rounds):
        for match in by_round[each.pk]:
            for slot in match.slots.all():
                if slot.source_id is None and slot.entrant is not None:
                    player = slot.entrant.player
                    chair = Chair(
                        name=player.name,
                        entrant_id=slot.entrant_id,
                        player=player,
                        seed=slot.entrant.seed,
                        mine=viewer is not None and player.pk == viewer.pk,
                    )
                    for earlier in rounds[:position]:
                        found.setdefault(earlier.pk, []).append(chair)
    for chairs in found.values():
        chairs.sort(key=lambda chair: chair.seed or 0)
    return found


def _as_tree(columns: list[Column]) -> list[Column]:
    """Return the columns with each match beside the two it is fed by, and a bye card where nothing feeds it.

    Every column then has twice as many cards as the next one, which is what the lines are drawn by.
    """
    cards = {each.match.pk: each for column in columns for each in column.cards if each.match is not None}
    rows: list[list[Card]] = [list(columns[-1].cards)]
    for column in reversed(columns[:-1]):
        row: list[Card] = []
        for later in rows[0]:
            slots = list(later.match.slots.all()) if later.match is not None else []
            for position in range(2):
                slot = slots[position] if position < len(slots) else None
                if slot is not None and slot.source_id in cards:
                    row.append(cards[slot.source_id])
                elif slot is not None and slot.entrant is not None:
                    row.append(Card(title="Bye", chairs=(later.chairs[position],), bye=True, state="bye"))
                else:
                    row.append(Card(title="", chairs=(), bye=True))
        if {each.match.pk for each in column.cards if each.match} - {each.match.pk for each in row if each.match}:
            return columns  # matches that feed nothing (a match for place 3): no tree to draw
        rows.insert(0, row)
    return [replace(column, cards=tuple(row)) for column, row in zip(columns, rows, strict=True)]
