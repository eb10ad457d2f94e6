"""A tournament's stages as the pages show them: parts of a bracket, their rounds as columns, matches as cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from players.models import Player
from tournaments.cards import Card, Chair, card, with_everything
from tournaments.models import Match, MatchStatus, Round, Slot, Stage
from tournaments.pairing.bracket import Part
from tournaments.trees import Cell, tree

WHOLE_BRACKET = 128
"""Up to so many matches a stage is shown whole (128 entrants of a single elimination); beyond that round by round."""
LONG_COLUMN = 4
"""A phone shows one round at a time where a round has more to show than this; else the rounds lie side by side."""
TITLES = {
    Part.MAIN: "Winners’ bracket",
    Part.LOSERS: "Losers’ bracket",
    Part.FINAL: "Final",
    Part.THIRD_PLACE: "Match for third place",
}


@dataclass(frozen=True, slots=True)
class Column:
    """A round: its cards in bracket order, and who has a bye in it. ``cells`` place the cards in a tree."""

    round: Round
    cards: tuple[Card, ...]
    byes: tuple[Chair, ...] = ()
    current: bool = False
    cells: tuple[Cell, ...] = ()

    @property
    def playing(self) -> int:
        """How many matches of the round are in play."""
        return sum(card.playing for card in self.cards)

    @property
    def height(self) -> int:
        """How many matches and byes stand in the column."""
        return sum(not cell.is_empty for cell in self.cells) if self.cells else len(self.cards)


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a bracket under its ``title`` (empty where there is only one part), drawn with lines if ``tree``."""

    key: str
    title: str
    columns: tuple[Column, ...]
    tree: bool = False

    @property
    def long(self) -> bool:
        """True if a round of this part is too long to lie beside others on a phone."""
        return len(self.columns) > 1 and max(column.height for column in self.columns) > LONG_COLUMN


@dataclass(frozen=True, slots=True)
class Bracket:
    """One knock-out stage. ``paged``: ``sections`` hold the round ``shown`` alone."""

    stage: Stage
    rounds: tuple[Round, ...]
    sections: tuple[Section, ...]
    paged: bool = False
    shown: Round | None = None


def bracket_of(stage: Stage, rounds: Sequence[Round], viewer: Player | None, round_id: int | None = None) -> Bracket:
    """Return a knock-out ``stage`` with its public ``rounds``, in order; a long one round by round."""
    if Match.objects.filter(round__stage=stage).count() > WHOLE_BRACKET:
        return _paged(stage, rounds, viewer, round_id)
    matches = with_everything(Match.objects.filter(round__stage=stage))
    by_round: dict[int, list[Match]] = {each.pk: [] for each in rounds}
    for match in matches:
        by_round[match.round_id].append(match)
    current = current_round(stage, rounds)
    byes = _byes(rounds, [slot for match in matches for slot in match.slots.all()], viewer)
    columns = [_column(each, by_round[each.pk], byes, viewer, current) for each in rounds]
    return Bracket(stage, tuple(rounds), tuple(_sections(columns)))


def _paged(stage: Stage, rounds: Sequence[Round], viewer: Player | None, round_id: int | None) -> Bracket:
    """Return one round of a bracket, with only its matches loaded."""
    current = current_round(stage, rounds)
    shown = next((each for each in rounds if each.pk == round_id), current)
    later = [each for each in rounds if each.number > shown.number]
    entering = Slot.objects.filter(match__round__in=later, source=None, entrant__isnull=False)
    byes = _byes(rounds, entering.select_related("entrant__player", "match"), viewer)
    matches = with_everything(Match.objects.filter(round=shown))
    column = _column(shown, matches, byes, viewer, current)
    return Bracket(stage, tuple(rounds), (Section("round", "", (column,)),), paged=True, shown=shown)


def current_round(stage: Stage, rounds: Sequence[Round]) -> Round:
    """Return the first round that is not over, or the last."""
    undecided = Match.objects.filter(round__stage=stage).exclude(status=MatchStatus.DECIDED)
    first = undecided.order_by("round__number").values_list("round_id", flat=True).first()
    return next((each for each in rounds if each.pk == first), rounds[-1])


def _column(
    shown: Round, matches: Sequence[Match], byes: Mapping[int, list[Chair]], viewer: Player | None, current: Round
) -> Column:
    most = max((len(match.slots.all()) for match in matches), default=0)
    return Column(
        round=shown,
        cards=tuple(card(match, viewer, most) for match in matches),
        byes=tuple(byes.get(shown.pk, ())),
        current=shown.pk == current.pk,
    )


def _sections(columns: Sequence[Column]) -> list[Section]:
    """Return the parts of a bracket, each with its rounds; the round that is played is the current one of its part."""
    by_part: dict[Part, list[Column]] = {part: [] for part in TITLES}
    for column in columns:
        by_part[Part(column.cards[0].match.part)].append(column)
    double = bool(by_part[Part.FINAL])
    sections = []
    for part, own in by_part.items():
        if not own:
            continue
        drawn = part in (Part.MAIN, Part.LOSERS) and all(len(c.chairs) <= 2 for column in own for c in column.cards)
        # A round that is a part of its own is named already, and so is the only part.
        title = TITLES[part] if double and (drawn or len(own) > 1) else ""
        current = next((column for column in own if not all(each.decided for each in column.cards)), own[-1])
        own = [replace(column, current=column is current) for column in own]
        sections.append(Section(part, title, tuple(_as_tree(own) if drawn else own), drawn))
    return sections


def _as_tree(columns: Sequence[Column]) -> list[Column]:
    cells = tree([column.cards for column in columns])
    return [replace(column, byes=(), cells=tuple(own)) for column, own in zip(columns, cells, strict=True)]


def _byes(rounds: Sequence[Round], slots: Iterable[Slot], viewer: Player | None) -> dict[int, list[Chair]]:
    """Return, per round before an entrant's first match, the chair of that entrant; ``slots`` come with their match."""
    found: dict[int, list[Chair]] = {}
    position = {each.pk: at for at, each in enumerate(rounds)}
    for slot in slots:
        if slot.source_id is None and slot.entrant is not None:
            player = slot.entrant.player
            chair = Chair(
                name=player.name,
                entrant_id=slot.entrant_id,
                player=player,
                seed=slot.entrant.seed,
                mine=viewer is not None and player.pk == viewer.pk,
            )
            for earlier in rounds[: position[slot.match.round_id]]:
                found.setdefault(earlier.pk, []).append(chair)
    for chairs in found.values():
        chairs.sort(key=lambda chair: chair.seed or 0)
    return found
