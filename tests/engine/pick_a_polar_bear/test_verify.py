"""Verification of this game's transcripts: every fault, mutations anywhere, and the times that grabs carry."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any

import pytest

from games.engine.canonical import canonical, read_json
from games.engine.deal import commitment_of
from games.engine.replay import Refereed
from games.engine.transcript import Header, Transcript, parse
from games.engine.verify import verify
from tests.engine.pick_a_polar_bear.builders import GAME, GO, IDLE, RESIGN, STOP, VARIANTS, document, grab, random_move
from tests.engine.test_verify import fault_of, rehash


@pytest.fixture
def game() -> dict[str, Any]:
    return document(seed="verify", seats=3, rules={"bonus": True, "different": True})


def first(game: dict[str, Any], kind: str) -> dict[str, Any]:
    found: dict[str, Any] = next(record for record in game["records"] if record["action"]["type"] == kind)
    return found


@pytest.mark.parametrize("rules", VARIANTS, ids=["base", "different", "bonus", "both"])
@pytest.mark.parametrize("seats", range(1, 9))
def test_whole_games_of_every_kind(seats: int, rules: dict[str, Any]) -> None:
    for quit_chance in (0.0, 0.02):
        played = document(seed="whole", seats=seats, rules=rules, quit_chance=quit_chance)
        report = verify(played)
        assert (report.ok, report.complete, report.records) == (True, True, len(played["records"]))
        assert parse(played).to_json() == played
        assert rehash(deepcopy(played)) == played
        assert len(played["outcome"]["points"]) == seats


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("rules",), {}),
        (("rules", "decks"), 2),
        (("rules", "decks"), True),
        (("rules", "bonus"), 1),
        (("rules", "more"), 1),
        (("seats",), 0),
        (("seats",), 9),
        (("outcome", "points"), [1, 2]),
        (("outcome", "points"), [1.5, 2, 3]),
    ],
)
def test_bad_format(game: dict[str, Any], path: tuple[Any, ...], value: Any) -> None:
    place: Any = game
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    assert fault_of(game) == ("bad-format", None)


def test_a_solo_game_is_no_game_of_hold_my_bear() -> None:
    solo = document(seed="solo", seats=1)
    assert fault_of(solo) == (None, None)
    solo["game"] = "hold-my-bear"
    assert fault_of(solo) == ("bad-format", None)


class TestIllegalAction:
    @pytest.mark.parametrize(
        ("kind", "seat", "action"),
        [
            ("go", None, IDLE),
            ("go", 0, GO),
            ("go", None, {"type": "go", "round": 1}),
            ("grab", ..., grab(99)),
            ("grab", ..., {"type": "grab"}),
            ("grab", None, ...),
            ("stop", ..., {"type": "stop", "reason": "done"}),
            ("stop", None, ...),
            ("answer", ..., {"type": "answer", "count": 31}),
            ("answer", ..., {"type": "answer", "count": "3"}),
            ("answer", ..., STOP),
        ],
    )
    def test_a_record_that_cannot_be(self, game: dict[str, Any], kind: str, seat: Any, action: Any) -> None:
        record = first(game, kind)
        record["seat"] = record["seat"] if seat is ... else seat
        record["action"] = record["action"] if action is ... else action
        assert fault_of(rehash(game)) == ("illegal-action", record["n"])

    def test_two_seats_cannot_grab_one_card(self, game: dict[str, Any]) -> None:
        record = first(game, "grab")
        again = {**record, "seat": (record["seat"] + 1) % 3}
        game["records"].insert(record["n"], again)
        for n, each in enumerate(game["records"], start=1):
            each["n"] = n
        assert fault_of(rehash(game)) == ("illegal-action", record["n"] + 1)

    def test_a_go_that_is_removed(self, game: dict[str, Any]) -> None:
        record = first(game, "go")
        game["records"].remove(record)
        for n, each in enumerate(game["records"], start=1):
            each["n"] = n
        assert fault_of(rehash(game)) == ("illegal-action", record["n"])


class TestOutcome:
    def test_forged_points_places_and_cut_off_records(self, game: dict[str, Any]) -> None:
        forged = deepcopy(game)
        forged["outcome"]["points"][0] += 1
        assert fault_of(forged) == ("outcome-mismatch", None)
        forged = deepcopy(game)
        forged["outcome"]["places"] = forged["outcome"]["places"][::-1]
        assert fault_of(forged) == ("outcome-mismatch", None)
        forged = deepcopy(game)
        forged["outcome"]["points"] = None
        assert fault_of(forged) == ("outcome-mismatch", None)
        game["records"].pop()
        assert fault_of(game) == ("outcome-mismatch", None)

    def test_another_grab_of_the_last_round_changes_the_points(self, game: dict[str, Any]) -> None:
        """A forger who gives one grab to another seat changes what the records lead to."""
        last_go = max(record["n"] for record in game["records"] if record["action"]["type"] == "go")
        for record in game["records"][last_go:]:
            if record["action"]["type"] == "grab":
                forged = deepcopy(game)
                forged["records"][record["n"] - 1]["seat"] = (record["seat"] + 1) % 3
                if fault_of(rehash(forged)) == ("outcome-mismatch", None):
                    return
        pytest.fail("no grab mattered")

    def test_void(self) -> None:
        header = Header("pick-a-polar-bear", GAME.rules({}, 2), "id", 2, commitment_of(bytes(32)), ("", ""))
        refereed = Refereed(header, bytes(32))
        records = []
        for seat, action in ((None, GO), (0, grab(3)), (None, {"type": "void", "reason": "power cut"})):
            proposal = refereed.propose(refereed.at + 5, seat, action)
            refereed.push(proposal)
            records.append(proposal.record)
        written = Transcript(header, ("A", "B"), "00" * 32, tuple(records), refereed.outcome)
        void: dict[str, Any] = read_json(canonical(written.to_json()))
        assert fault_of(void) == (None, None)
        assert void["outcome"] == {"status": "void", "places": [1, 1], "points": None}
        void["outcome"]["points"] = [0, 0]
        assert fault_of(void) == ("outcome-mismatch", None)


def with_times(game: dict[str, Any], **times: Any) -> tuple[dict[str, Any], int]:
    """Return ``game`` with times on its first grab, and that record's number."""
    record = first(game, "grab")
    record["action"].update(times)
    return rehash(game), record["n"]


class TestTimes:
    def test_right_ones_verify(self, game: dict[str, Any]) -> None:
        record = first(game, "grab")
        other = (record["seat"] + 1) % 3
        at = record["at"]
        beat = [{"seat": other, "arrived": at - 10, "lag": 20}]
        timed, _ = with_times(game, arrived=at - 50, lag=100, beat=beat)
        assert fault_of(timed) == (None, None)

    @pytest.mark.parametrize(
        ("arrived", "lag", "beaten"),
        [
            (1, 10, None),
            (-101, 10, None),
            (-10, 101, None),
            (-10, -1, None),
            (-10, 10, (-10, 11)),
            (-10, 10, (-20, 1)),
        ],
    )
    def test_wrong_ones_are_a_fault(self, game: dict[str, Any], arrived: int, lag: int, beaten: Any) -> None:
        record = first(game, "grab")
        times: dict[str, Any] = {"arrived": record["at"] + arrived, "lag": lag}
        if beaten:
            other = (record["seat"] + 1) % 3
            times["beat"] = [{"seat": other, "arrived": record["at"] + beaten[0], "lag": beaten[1]}]
        timed, n = with_times(game, **times)
        assert fault_of(timed) == ("illegal-action", n)

    def test_only_part_of_them(self, game: dict[str, Any]) -> None:
        timed, n = with_times(game, arrived=first(game, "grab")["at"])
        assert fault_of(timed) == ("illegal-action", n)


def test_a_flipped_bit_anywhere_in_hashed_content_is_found(game: dict[str, Any]) -> None:
    source = canonical(game)
    hashed = canonical({key: value for key, value in game.items() if key != "names"})
    rng = Random(1)
    found = 0
    for _ in range(250):
        place = rng.randrange(len(source))
        flipped = bytearray(source)
        flipped[place] ^= 1 << rng.randrange(8)
        try:
            changed = read_json(bytes(flipped))
        except ValueError:
            continue
        if isinstance(changed, dict):
            same = canonical({key: value for key, value in changed.items() if key != "names"}) == hashed
            assert verify(changed).ok == (same and changed.get("names") is not None)
            found += not same
    assert found > 60


def test_swapped_removed_and_repeated_records(game: dict[str, Any]) -> None:
    for change in (
        lambda records: records.__setitem__(slice(2, 4), records[3:1:-1]),
        lambda records: records.pop(3),
        lambda records: records.insert(3, records[2]),
    ):
        forged = deepcopy(game)
        change(forged["records"])
        assert fault_of(forged)[0] == "chain-broken"


def test_a_deal_by_hand() -> None:
    rules = GAME.rules({"bonus": True}, 2)
    deck = GAME.deck(rules)[::-1]
    header = Header("pick-a-polar-bear", rules, "by hand", 2, deal=deck)
    refereed = Refereed(header, None)
    records = []
    rng = Random(3)
    while not refereed.outcome.is_over:
        proposal = refereed.propose(refereed.at, *random_move(refereed.position, rng))
        refereed.push(proposal)
        records.append(proposal.record)
    assert refereed.position.setting.gone.count("bonus:arm+goggles") == 1, "discarded above the start cards"
    written = Transcript(header, ("A", "B"), None, tuple(records), refereed.outcome)
    dealt: dict[str, Any] = read_json(canonical(written.to_json()))
    assert (verify(dealt).ok, verify(dealt).complete) == (True, True)
    dealt["deal"]["deck"][0] = "L-W--"
    assert fault_of(rehash(dealt)) == ("bad-format", None)


def test_a_running_game_is_checked_in_part(game: dict[str, Any]) -> None:
    game["fairness"]["server_seed"] = None
    game["records"].pop()
    game["outcome"] = {"status": "running", "places": None, "points": None}
    report = verify(game)
    assert (report.ok, report.complete) == (True, False)
    resign = {**game["records"][-1], "n": len(game["records"]) + 1, "seat": 0, "action": RESIGN}
    game["records"].append(resign)
    assert fault_of(rehash(game)) == (None, None)
