"""A tournament's stages as the pages show them: parts of a bracket, their rounds as columns, matches as cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from players.models import Player
from tournaments import wording
from tournaments.cards import Card, Chair, card, stage_matches
from tournaments.models import Match, MatchStatus, Round, Stage, Tournament
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
    """One stage. ``knock_out``: matches lead to others; ``paged``: ``sections`` hold the chosen round alone."""

    stage: Stage
    format: str
    rounds: tuple[Round, ...]
    sections: tuple[Section, ...]
    knock_out: bool
    paged: bool = False
    shown: Round | None = None
    cards: tuple[Card, ...] = field(default=(), repr=False)


def brackets(
    tournament: Tournament, viewer: Player | None, round_id: int | None = None, matches: list[Match] | None = None
) -> list[Bracket]:
    """Return the stages of ``tournament`` that have rounds; ``round_id`` chooses the round of a paged bracket."""
    stages = list(tournament.stages.all())
    rounds = list(
        Round.objects.published().filter(stage__tournament=tournament).select_related("stage").order_by("number")
    )
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
    knock_out = any(match.advance for match in matches)
    byes = _byes(rounds, by_round, viewer) if knock_out else {}
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
    paged = len(cards) > WHOLE_BRACKET or not knock_out
    shown = None
    if paged:
        shown = next((each for each in rounds if each.pk == round_id), current)
        columns = [column for column in columns if column.round.pk == shown.pk]
        sections = [Section("round", "", tuple(columns))]
    else:
        sections = _sections(columns)
    return Bracket(
        stage=stage,
        format=wording.stage_format(stage),
        rounds=tuple(rounds),
        sections=tuple(sections),
        knock_out=knock_out,
        paged=paged,
        shown=shown,
        cards=cards,
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
