"""What the places at a table bring, and what parts those who are level, as forms ask for it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

from django import forms

from tournaments.forms.decks import DeckForm
from tournaments.models import POINTS_KINDS, SWISS_KINDS, TABLE_KINDS, Stage
from tournaments.services.settings import LARGEST_TABLE, MOST_POINTS, SMALLEST_TABLE
from tournaments.standings.points import usual_places
from tournaments.standings.tie_break import Rules
from tournaments.standings.tie_breaks import CODES, ROUND_ROBIN, SWISS, TABLES, tie_break

TABLE_SIZES = range(SMALLEST_TABLE, LARGEST_TABLE + 1)
FOR_TABLES = ("PL/1", "PL/2", "OA", "TS", "HH")
"""Tie-breaks that part nobody where two sit at a table."""
USUAL = (
    ("for-round-robin", ROUND_ROBIN),
    ("for-swiss", SWISS),
    ("for-table-rounds", TABLES),
)
"""The usual tie-breaks, each under the class of the formats that they are for."""


def _choices() -> list[Any]:
    """Return the tie-breaks by what they are for."""
    groups: dict[str, list[tuple[str, str]]] = {"Any format": [], "Two at a table": [], "Three to eight at a table": []}
    for code in sorted({*CODES, *SWISS, *ROUND_ROBIN, *TABLES} - {"PTS"}):
        one = tie_break(code, Rules.FIDE_2026)
        only_two = "Two at a table" if one.two_seats_only else "Any format"
        groups["Three to eight at a table" if code in FOR_TABLES else only_two].append((code, f"{one.name} ({code})"))
    return [("", "none"), *groups.items()]


TIE_BREAK_CHOICES = _choices()
OFFERED = {code for _, group in TIE_BREAK_CHOICES[1:] for code, _ in group}
TIE_BREAK_FIELDS = tuple(f"tie_break_{number}" for number in range(1, 7))


class StandingsForm(DeckForm):
    """Tie-breaks and points by place; left empty, what is usual in the format."""

    tie_break_1, tie_break_2, tie_break_3, tie_break_4, tie_break_5, tie_break_6 = (
        forms.ChoiceField(
            choices=TIE_BREAK_CHOICES, required=False, label="then by" if number else "Equal points are parted by"
        )
        for number in range(len(TIE_BREAK_FIELDS))
    )
    points_3, points_4, points_5, points_6, points_7, points_8 = (
        forms.CharField(
            required=False,
            max_length=60,
            label=f"At a table of {size}",
            widget=forms.TextInput(attrs={"placeholder": " ".join(map(str, usual_places(size, size)[size]))}),
        )
        for size in TABLE_SIZES
    )

    def tie_breaks(self) -> list[forms.BoundField]:
        """Return the fields of the tie-breaks in order."""
        return [self[name] for name in TIE_BREAK_FIELDS]

    def usual_tie_breaks(self) -> list[tuple[str, str]]:
        """Return what is usual, in words, each with the class of the formats for which it is."""
        return [
            (shown_for, ", ".join(f"{tie_break(code, Rules.FIDE_2026).name} ({code})" for code in codes))
            for shown_for, codes in USUAL
        ]

    def place_points(self) -> list[forms.BoundField]:
        """Return the fields of the points by place, the smallest table first."""
        return [self[f"points_{size}"] for size in TABLE_SIZES]

    def tie_break_errors(self) -> bool:
        """Return whether a tie-break is to blame for something."""
        return any(field.errors for field in self.tie_breaks())

    def place_points_errors(self) -> bool:
        """Return whether points of a place are to blame for something."""
        return any(field.errors for field in self.place_points())

    def offer_own(self, stage: Stage) -> None:
        """Offer the tie-breaks that ``stage`` has already, whatever they are."""
        own = [(code, code) for code in stage.tie_breaks if code not in OFFERED]
        for name in TIE_BREAK_FIELDS:
            self.fields[name].choices = [*TIE_BREAK_CHOICES, *own]  # type: ignore[attr-defined]

    def check_standings(self, data: Mapping[str, Any]) -> None:
        """Put what cannot be about points and tie-breaks at the field that is to blame."""
        chosen = data.get("format")
        if chosen not in POINTS_KINDS:
            return
        codes: list[str] = []
        for name in TIE_BREAK_FIELDS:
            code = data.get(name)
            if not code:
                continue
            if code in codes:
                self.add_error(name, "A tie-break is named twice.")
            elif chosen in TABLE_KINDS and tie_break(code, Rules.FIDE_2026).two_seats_only:
                self.add_error(name, f"{code} has no meaning at tables of more than two.")
            codes.append(code)
        if chosen in TABLE_KINDS:
            self._check_points(data)

    def _check_points(self, data: Mapping[str, Any]) -> None:
        sizes = self._sizes(data)
        for size in TABLE_SIZES:
            name = f"points_{size}"
            given = data.get(name, "")
            if not given:
                continue
            points = _numbers(given)
            if size not in sizes:
                self.add_error(name, f"This event has no tables of {size}.")
            elif points is None or any(value > MOST_POINTS for value in points):
                self.add_error(name, f"Write whole points of 0 to {MOST_POINTS}, the first place first: 5 3 2 1.")
            elif len(points) != size:
                self.add_error(name, f"A table of {size} has {size} places, and these are points for {len(points)}.")
            elif points != sorted(points, reverse=True) or not points[0]:
                self.add_error(name, "A better place cannot bring fewer points, and the first must bring some.")

    @staticmethod
    def _sizes(data: Mapping[str, Any]) -> range:
        """Return the sizes that tables can have."""
        usual = data.get("table_size") or 4
        smallest = data.get("smallest_table") or max(SMALLEST_TABLE, usual - 1)
        return range(smallest, (data.get("largest_table") or usual) + 1)

    def standings_values(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the tie-breaks and points of the checked ``data`` as fields of a stage."""
        values: dict[str, Any] = {"tie_breaks": []}
        if data["format"] in POINTS_KINDS:
            values["tie_breaks"] = [data[name] for name in TIE_BREAK_FIELDS if data[name]]
        if data["format"] in TABLE_KINDS:
            sizes = self._sizes(data)
            given = {size: _numbers(data[f"points_{size}"]) for size in sizes if data[f"points_{size}"]}
            usual = usual_places(sizes[0], sizes[-1])
            values["place_points"] = {size: given.get(size) or list(usual[size]) for size in sizes} if given else {}
        return values

    @staticmethod
    def standings_of(stage: Stage) -> dict[str, Any]:
        """Return what the form shows for ``stage``; nothing of what is usual there."""
        initial: dict[str, Any] = {}
        usual_order = TABLES if stage.format in TABLE_KINDS else SWISS if stage.format in SWISS_KINDS else ROUND_ROBIN
        if stage.tie_breaks and tuple(stage.tie_breaks) != usual_order:
            initial |= dict(zip_longest(TIE_BREAK_FIELDS, stage.tie_breaks[: len(TIE_BREAK_FIELDS)], fillvalue=""))
        if stage.place_points:
            usual = usual_places(min(map(int, stage.place_points)), max(map(int, stage.place_points)))
            own = {int(size): points for size, points in stage.place_points.items()}
            if any(list(usual[size]) != points for size, points in own.items()):
                initial |= {f"points_{size}": " ".join(map(str, points)) for size, points in own.items()}
        return initial


def _numbers(text: str) -> list[int] | None:
    """Return the whole numbers of ``5 3 2 1`` or ``5, 3, 2, 1``; None for anything else."""
    words = [word for word in re.split(r"[\s,;/]+", text.strip()) if word]
    return [int(word) for word in words] if all(re.fullmatch("[0-9]{1,6}", word) for word in words) else None
