"""Making and editing a tournament."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import Q

from games.models import Absence, Spectating
from players.models import Club, Membership, User
from players.services import tidy_name
from tournaments import decks
from tournaments.forms.clocks import (
    ABSENCE_SECONDS_CHOICES,
    DISCONNECT_CHOICES,
    TIME_CHOICES,
    TIME_CONTROLS,
    clock_fields,
)
from tournaments.forms.decks import HOLD_MY_BEAR
from tournaments.forms.standings import StandingsForm
from tournaments.models import (
    SWISS_KINDS,
    TABLE_KINDS,
    Duplicate,
    Format,
    PointsRule,
    Publishing,
    ShortTables,
    Stage,
    Tournament,
)
from tournaments.services.permissions import is_house
from tournaments.services.settings import (
    LARGEST,
    LONGEST_DELAY_MOVES,
    LONGEST_DELAY_SECONDS,
    MOST_GROUPS,
    MOST_ROUNDS,
    most_entrants,
)
from tournaments.wording import FORMAT_MEANINGS

READY_CHOICES = [
    (60, "1 minute"),
    (120, "2 minutes"),
    (300, "5 minutes"),
    (900, "15 minutes"),
    (3600, "1 hour"),
    (86400, "1 day"),
]
"""How long a tournament's game waits for its players, in seconds."""
AT_TABLES = {Format.TABLE_ELIMINATION, *TABLE_KINDS}
"""Formats with more than two at a table."""
DRAWN = {*SWISS_KINDS, *TABLE_KINDS}
"""Formats of as many rounds as the organizer wants."""

AUDIENCE_FIELDS = (
    "break_seconds",
    "duplicate",
    "spectating",
    "spectator_delay_seconds",
    "spectator_delay_moves",
    "shown_at_end",
)
"""Fields of a tournament that its form takes as they are."""


class TournamentForm(StandingsForm):
    """What an organizer says about a tournament; :meth:`values` is what the services take."""

    name = forms.CharField(max_length=80, label="Name", help_text="Up to 80 characters, any script.")
    description = forms.CharField(
        max_length=4000,
        required=False,
        label="Description",
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="What players should know: when it starts, prizes, where to ask.",
    )
    club = forms.ModelChoiceField(
        queryset=Club.objects.none(), required=False, empty_label="no club", label="Club", help_text="Clubs you run."
    )
    format = forms.ChoiceField(
        choices=[(each.value, each.label) for each in FORMAT_MEANINGS],
        initial=Format.SINGLE_ELIMINATION,
        widget=forms.RadioSelect,
        label="Format",
    )
    best_of = forms.TypedChoiceField(
        choices=[(1, "one game"), *((n, f"{n} games") for n in range(2, 10))],
        coerce=int,
        initial=1,
        label="Games a match",
        help_text="Of two-seat matches. At tables a match goes on until enough entrants are through.",
    )
    table_size = forms.TypedChoiceField(
        choices=[(size, f"up to {size}") for size in range(3, 9)],
        coerce=int,
        initial=4,
        label="Entrants at a table",
        help_text="For formats at tables.",
    )
    advance = forms.TypedChoiceField(
        choices=[(1, "1 goes on"), *((number, f"{number} go on") for number in range(2, 8))],
        coerce=int,
        initial=2,
        label="Of each table",
        help_text="For elimination at tables: fewer than sit there.",
    )
    round_count = forms.IntegerField(
        min_value=1,
        max_value=MOST_ROUNDS,
        initial=5,
        required=False,
        label="Rounds",
        help_text="For Swiss and schedules. With two at a table 5 rounds suit up to 32 entrants, 7 up to 128.",
    )
    smallest_table = forms.TypedChoiceField(
        choices=[("", "one less than usual"), *((size, f"{size}") for size in range(3, 9))],
        coerce=int,
        empty_value=None,
        required=False,
        label="Smallest table",
        help_text="For Swiss and schedules at tables, where the number of entrants does not fit.",
    )
    largest_table = forms.TypedChoiceField(
        choices=[("", "the usual size"), *((size, f"{size}") for size in range(3, 9))],
        coerce=int,
        empty_value=None,
        required=False,
        label="Largest table",
    )
    short_tables = forms.ChoiceField(
        choices=ShortTables.choices, initial=ShortTables.LOW, required=False, label="Smaller tables are"
    )
    group_count = forms.IntegerField(
        min_value=1,
        max_value=MOST_GROUPS,
        initial=4,
        required=False,
        label="Groups",
        help_text="As even as possible, spread by seed. A group has 40 entrants at most.",
    )
    publish_rounds = forms.ChoiceField(
        choices=Publishing.choices,
        initial=Publishing.AUTOMATIC,
        required=False,
        label="A drawn round is published",
        help_text="For Swiss and schedules. By hand, you look at each draw first and may have it drawn again.",
    )
    third_place = forms.BooleanField(
        required=False, label="Match for third place", help_text="Between the losers of the semi-finals."
    )
    twice = forms.BooleanField(
        required=False, label="Everybody meets everybody twice", help_text="The second time with the seats changed."
    )
    time_control = forms.ChoiceField(choices=TIME_CHOICES, initial="normal", label="Clock")
    disconnect_seconds = forms.TypedChoiceField(
        choices=DISCONNECT_CHOICES,
        coerce=int,
        initial=60,
        required=False,
        label="Time without a connection",
        help_text="For each player in each game; their own time stands still meanwhile.",
    )
    absence = forms.ChoiceField(
        choices=Absence.choices, initial=Absence.WAIT, required=False, label="If who is to act has gone"
    )
    absence_seconds = forms.TypedChoiceField(
        choices=ABSENCE_SECONDS_CHOICES,
        coerce=int,
        initial=60,
        required=False,
        label="For so long",
        help_text="Everybody at the table sees it count down.",
    )
    house_rated = forms.BooleanField(
        required=False,
        label="Still rated if the house played",
        help_text="Else a game the house helped in is not rated.",
    )
    play_all = forms.BooleanField(
        required=False,
        label="All games of a match are played",
        help_text="Each counts, at tables too, and the sum decides. Else a match of two ends when one has won enough.",
    )
    break_seconds = forms.IntegerField(
        required=False,
        min_value=5,
        max_value=3600,
        initial=30,
        label="Seconds between the games of a match",
        help_text="The next game begins by itself, earlier if everybody is ready.",
    )
    duplicate = forms.ChoiceField(
        required=False,
        choices=Duplicate.choices,
        initial=Duplicate.NONE,
        label="Cards",
        help_text="Shared cards stay closed until all tables have finished. If they come again within a match, players "
        "know them from the game before: meant for programs and training.",
    )
    same_cards = forms.BooleanField(
        required=False,
        label="Points from the same cards",
        help_text="The standings go first by how everybody did against others who held the same cards.",
    )
    spectating = forms.ChoiceField(
        required=False,
        choices=Spectating.choices,
        initial=Spectating.ALL,
        label="Who may look on",
        help_text="Hidden hands are never shown. Who plays elsewhere can only be kept from looking on while logged in.",
    )
    spectator_delay_seconds = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=LONGEST_DELAY_SECONDS,
        initial=0,
        label="Spectators see a move later, by seconds",
        help_text="Results are published as much later too.",
    )
    spectator_delay_moves = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=LONGEST_DELAY_MOVES,
        initial=0,
        label="and by moves",
        help_text="Until the game is over.",
    )
    shown_at_end = forms.BooleanField(
        required=False, label="All at once at the end", help_text="When a game is over spectators see its end at once."
    )
    ready_seconds = forms.TypedChoiceField(
        choices=READY_CHOICES,
        coerce=int,
        initial=120,
        label="A game waits for its players",
        help_text="Then it is dealt all the same, and the clock of who is away runs.",
    )
    capacity = forms.IntegerField(
        min_value=2, max_value=LARGEST, initial=32, label="Places", help_text=f"2 to {LARGEST} entrants."
    )
    rated = forms.BooleanField(
        required=False, initial=True, label="Rated", help_text="Its games move the ratings of who plays."
    )

    def __init__(self, *args: Any, user: User, tournament: Tournament | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        managed = Q(memberships__player__user=user, memberships__role=Membership.Role.ORGANIZER)
        clubs = Club.objects.all() if is_house(user) else Club.objects.filter(managed)
        if tournament is not None and tournament.club_id is not None:
            clubs = clubs | Club.objects.filter(pk=tournament.club_id)
        self.fields["club"].queryset = clubs.distinct()  # type: ignore[attr-defined]
        self.game_before = tournament.game if tournament is not None else ""
        self.rules_before = dict(tournament.rules) if tournament is not None else {}
        if tournament is not None and tournament.ready_seconds not in dict(READY_CHOICES):
            own = (tournament.ready_seconds, f"{tournament.ready_seconds} seconds")
            self.fields["ready_seconds"].choices = sorted([*READY_CHOICES, own])  # type: ignore[attr-defined]

        stage = tournament.stages.first() if tournament is not None else None
        if stage is not None:
            self.offer_own(stage)

    def formats(self) -> list[tuple[Any, str]]:
        """Return each choice of a format with what it means."""
        return [(radio, FORMAT_MEANINGS[Format(radio.data["value"])]) for radio in self["format"]]

    @classmethod
    def initial_of(cls, tournament: Tournament) -> dict[str, Any]:
        """Return what the form shows for an existing tournament."""
        stage = tournament.stages.first()
        clock = (tournament.time_control, tournament.bank_ms, tournament.increment_ms)
        initial = {
            "name": tournament.name,
            "description": tournament.description,
            "club": tournament.club_id,
            "time_control": next((key for key, value in TIME_CONTROLS.items() if value == clock), "normal"),
            "disconnect_seconds": tournament.disconnect_ms // 1000,
            "absence": tournament.absence,
            "absence_seconds": tournament.absence_ms // 1000,
            "house_rated": tournament.house_rated,
            "ready_seconds": tournament.ready_seconds,
            **{field: getattr(tournament, field) for field in AUDIENCE_FIELDS},
            "game": tournament.game,
            "capacity": tournament.capacity,
            "rated": tournament.rated,
        }
        if tournament.game == HOLD_MY_BEAR:
            animals = tournament.rules["animals"]
            initial |= {"deck": decks.key_of(animals), "animals": animals}
        else:
            initial |= {key: tournament.rules[key] for key in ("different", "bonus")}
        if stage is not None:
            initial |= {"format": stage.format, "best_of": stage.best_of, "play_all": stage.play_all}
            initial |= {"third_place": stage.third_place, "twice": stage.twice}
            initial |= cls.standings_of(stage)
            initial["same_cards"] = stage.points_rule == PointsRule.SAME_CARDS
            if stage.format in AT_TABLES:
                initial |= {"table_size": stage.table_size, "advance": stage.advance}
            if stage.group_count is not None:
                initial["group_count"] = stage.group_count
            if stage.round_count is not None:
                initial |= {"round_count": stage.round_count, "publish_rounds": tournament.publish_rounds}
            if stage.smallest_table is not None:
                initial |= {"smallest_table": stage.smallest_table, "short_tables": stage.short_tables}
                initial["largest_table"] = stage.largest_table
        return initial

    def clean_name(self) -> str:
        """Refuse a name that shows nothing."""
        name = tidy_name(self.cleaned_data["name"])
        if not name:
            raise forms.ValidationError("Give the tournament a name that can be seen.")
        return name

    def clean(self) -> dict[str, Any]:
        """Refuse combinations that no tournament can have."""
        data = super().clean() or self.cleaned_data
        chosen = data.get("format")
        self.check_deck(data, data.get("table_size", 2) if chosen in AT_TABLES else 2)
        if chosen in DRAWN and data.get("round_count") is None and "round_count" not in self.errors:
            self.add_error("round_count", "Say how many rounds are played.")
        if chosen == Format.GROUPS and data.get("group_count") is None and "group_count" not in self.errors:
            self.add_error("group_count", "Say how many groups there are.")
        if chosen in AT_TABLES:
            size, advance = data.get("table_size"), data.get("advance")
            knock_out = chosen == Format.TABLE_ELIMINATION
            if knock_out and size is not None and advance is not None and advance >= size:
                self.add_error("advance", f"At a table of {size} at most {size - 1} can go on.")
            smallest = data.get("smallest_table")
            if not knock_out and size is not None and smallest is not None and smallest > size:
                self.add_error("smallest_table", f"The smallest table cannot be larger than the usual one of {size}.")
            largest = data.get("largest_table")
            if not knock_out and size is not None and largest is not None and largest < size:
                self.add_error("largest_table", f"The largest table cannot be smaller than the usual one of {size}.")
            if data.get("best_of", 1) != 1 and not data["play_all"]:
                self.add_error(
                    "best_of",
                    "Unless all games are played, tables play until enough are through: one game.",
                )
            if data.get("capacity", 3) < 3:
                self.add_error("capacity", "A tournament at tables needs at least 3 places.")
        elif data.get("best_of", 1) % 2 == 0 and not data["play_all"]:
            self.add_error("best_of", "Best of several needs an odd number, unless all games are played.")
        if data.get("same_cards") and chosen != Format.ROUND_ROBIN:
            self.add_error("same_cards", "Only a round robin has points that could come from the same cards.")
        elif data.get("same_cards") and data.get("duplicate") in ("", Duplicate.NONE):
            self.add_error("same_cards", "Then tables must be dealt the same cards.")
        self.check_standings(data)
        planned = Stage(format=chosen or "", group_count=data.get("group_count"))
        most = most_entrants(planned) if chosen else LARGEST
        if data.get("capacity", 0) > most:
            self.add_error("capacity", f"In this format {most} places are the most.")
        return data

    def given(self, field: str) -> Any:
        """Return what was said of ``field``, or what the form begins with where nothing was."""
        value = self.cleaned_data[field]
        return self.fields[field].initial if value in ("", None) else value

    def values(self) -> dict[str, Any]:
        """Return the cleaned data as tournament and stage fields."""
        data = self.cleaned_data
        chosen = data["format"]
        tables = {each: data[each] for each in ("smallest_table", "largest_table")}
        tables["short_tables"] = self.given("short_tables")
        return {
            "name": data["name"],
            "description": data["description"],
            "club": data["club"],
            "format": data["format"],
            "table_size": data["table_size"] if chosen in AT_TABLES else 2,
            "advance": data["advance"] if chosen == Format.TABLE_ELIMINATION else 1,
            "round_count": data["round_count"] if chosen in DRAWN else None,
            "publish_rounds": self.given("publish_rounds"),
            **(tables if chosen in TABLE_KINDS else {}),
            "best_of": data["best_of"],
            "play_all": data["play_all"],
            "third_place": data["third_place"] and data["format"] == Format.SINGLE_ELIMINATION,
            "twice": data["twice"] and data["format"] in (Format.ROUND_ROBIN, Format.GROUPS),
            "group_count": data["group_count"] if chosen == Format.GROUPS else None,
            **self.standings_values(data),
            "points_rule": PointsRule.SAME_CARDS if data["same_cards"] else PointsRule.RESULTS,
            **{field: self.given(field) for field in AUDIENCE_FIELDS},
            **clock_fields(data["time_control"]),
            "disconnect_ms": (data["disconnect_seconds"] or 0) * 1000,
            "absence": data["absence"] or Absence.WAIT,
            "absence_ms": (data["absence_seconds"] or 60) * 1000,
            "house_rated": data["house_rated"],
            "ready_seconds": data["ready_seconds"],
            "game": data["game"],
            "rules": {**(self.rules_before if data["game"] == self.game_before else {}), **self.deck_rules(data)},
            "capacity": data["capacity"],
            "rated": data["rated"],
        }
