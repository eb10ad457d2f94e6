"""Verification finds every kind of fault, in the order of the specification."""

from __future__ import annotations

import hashlib
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from games.engine.canonical import canonical, read_json
from games.engine.deal import commitment_of, deal_seed, shuffled
from games.engine.replay import Refereed
from games.engine.transcript import Header, Transcript, parse
from games.engine.verify import FAULTS, verify
from tests.engine.builders import GAME, document, random_action


@pytest.fixture
def game() -> dict[str, Any]:
    return document(seed="verify", seats=3)


def rehash(document: dict[str, Any]) -> dict[str, Any]:
    """Return ``document`` with a chain that fits it, as a forger would make it. Written from the specification."""
    keys = (
        "format",
        "game",
        "rules",
        "game_id",
        "seats",
        "deal",
        *(["deal_group"] if "deal_group" in document else []),
    )
    fairness = document["fairness"] or {"commitment": None, "client_seeds": None}
    header = {key: document[key] for key in keys}
    header |= {key: fairness[key] for key in ("commitment", "client_seeds")}
    last = hashlib.sha256(canonical(header)).digest()
    for record in document["records"]:
        last = hashlib.sha256(last + canonical({key: record[key] for key in ("n", "at", "seat", "action")})).digest()
        record["hash"] = last.hex()
    return document


def fault_of(document: dict[str, Any]) -> tuple[str | None, int | None]:
    report = verify(document)
    assert report.ok == (report.fault is None)
    assert report.fault is None or report.fault in FAULTS
    assert set(report.to_json()) == {"ok", "fault", "at_record", "message", "records", "complete", "places"}
    canonical(report.to_json())
    return report.fault, report.at_record


def test_a_whole_game(game: dict[str, Any]) -> None:
    report = verify(game)
    assert report.ok, report
    assert report.complete
    assert report.records == len(game["records"])
    assert list(report.places or ()) == game["outcome"]["places"]
    assert verify(parse(game)) == report
    assert parse(game).to_json() == game
    assert rehash(deepcopy(game)) == game


def test_a_running_game_is_checked_in_part(game: dict[str, Any]) -> None:
    game["fairness"]["server_seed"] = None
    game["records"].pop()
    game["outcome"] = {"status": "running", "places": None, "points": None}
    report = verify(game)
    assert (report.ok, report.complete, report.places) == (True, False, None)
    game["records"][2]["at"] = 0
    assert fault_of(game) == ("chain-broken", 3)
    assert fault_of(rehash(game)) == ("clock-backwards", 3)
    game["records"][2]["at"] = game["records"][1]["at"]
    game["records"][2]["action"] = {"type": "fly"}
    assert fault_of(rehash(game)) == (None, None)


class TestBadFormat:
    @pytest.mark.parametrize(
        "key", ["format", "game", "rules", "seats", "names", "fairness", "deal", "records", "outcome"]
    )
    def test_a_key_that_lacks(self, game: dict[str, Any], key: str) -> None:
        del game[key]
        assert fault_of(game) == ("bad-format", None)

    @pytest.mark.parametrize("path", [(), ("fairness",), ("records", 0), ("outcome",)])
    def test_a_key_too_many(self, game: dict[str, Any], path: tuple[Any, ...]) -> None:
        place: Any = game
        for step in path:
            place = place[step]
        place["more"] = 1
        assert fault_of(game) == ("bad-format", None)

    @pytest.mark.parametrize(
        ("path", "value"),
        [
            (("format",), "bearena.transcript/2"),
            (("game",), "poker"),
            (("game",), ["hold-my-bear"]),
            (("seats",), 9),
            (("seats",), True),
            (("seats",), 3.0),
            (("rules", "bears_alone"), "free"),
            (("rules", "animals"), ["vole", "tiger", "bear"]),
            (("rules",), {}),
            (("rules",), None),
            (("game_id",), "a\0b"),
            (("game_id",), 7),
            (("names",), ["Ana", "Bo"]),
            (("names", 0), None),
            (("fairness",), None),
            (("fairness", "commitment"), "AB" * 32),
            (("fairness", "commitment"), None),
            (("fairness", "server_seed"), "00"),
            (("fairness", "client_seeds"), ["", ""]),
            (("fairness", "client_seeds", 0), "x" * 65),
            (("fairness", "client_seeds", 0), "a\0"),
            (("deal",), {"deck": []}),
            (("deal_group",), None),
            (("deal_group",), "g"),  # with client seeds
            (("records",), {}),
            (("records", 0), None),
            (("records", 0, "n"), "1"),
            (("records", 0, "n"), 0),
            (("records", 0, "at"), -1),
            (("records", 0, "at"), 1.5),
            (("records", 0, "at"), 2**60),
            (("records", 0, "seat"), 3),
            (("records", 0, "seat"), "0"),
            (("records", 0, "action"), []),
            (("records", 0, "action"), {"type": "\ud800"}),
            (("records", 0, "hash"), "0" * 63),
            (("records", 0, "hash"), None),
            (("outcome", "status"), "won"),
            (("outcome", "status"), ["finished"]),
            (("outcome", "places"), [1, 2]),
            (("outcome", "places"), [1, "2", 2]),
            (("outcome", "points"), 3),
        ],
    )
    def test_a_value_of_another_form(self, game: dict[str, Any], path: tuple[Any, ...], value: Any) -> None:
        place: Any = game
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value
        assert fault_of(game) == ("bad-format", None)

    @pytest.mark.parametrize("value", [None, 1, "x", [], {}, True])
    def test_no_document_at_all(self, value: Any) -> None:
        assert fault_of(value) == ("bad-format", None)


def test_a_forged_commitment(game: dict[str, Any]) -> None:
    game["fairness"]["commitment"] = commitment_of(b"another")
    assert fault_of(game) == ("commitment-mismatch", None)
    assert fault_of(rehash(game)) == ("commitment-mismatch", None)


def test_a_forged_server_seed(game: dict[str, Any]) -> None:
    game["fairness"]["server_seed"] = "0" * 64
    assert fault_of(game) == ("commitment-mismatch", None)


class TestChain:
    @pytest.mark.parametrize(
        ("path", "value"),
        [(("game_id",), "other"), (("fairness", "client_seeds", 1), "y"), (("rules", "bears_alone"), "own-sport")],
    )
    def test_a_changed_header(self, game: dict[str, Any], path: tuple[Any, ...], value: Any) -> None:
        place: Any = game
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value
        assert fault_of(game) == ("chain-broken", 1)

    def test_a_removed_record(self, game: dict[str, Any]) -> None:
        del game["records"][3]
        assert fault_of(game) == ("chain-broken", 4)

    def test_a_removed_record_with_the_rest_renumbered(self, game: dict[str, Any]) -> None:
        del game["records"][3]
        for n, record in enumerate(game["records"], start=1):
            record["n"] = n
        assert fault_of(game) == ("chain-broken", 4)

    def test_swapped_records(self, game: dict[str, Any]) -> None:
        records = game["records"]
        records[2], records[3] = records[3], records[2]
        assert fault_of(game) == ("chain-broken", 3)

    def test_wrong_numbers_under_a_right_chain(self, game: dict[str, Any]) -> None:
        game["records"][4]["n"] = 6
        assert fault_of(rehash(game)) == ("chain-broken", 5)

    def test_names_are_not_hashed(self, game: dict[str, Any]) -> None:
        game["names"] = ["forgotten", "Bo", ""]
        assert fault_of(game) == (None, None)


class TestIllegalAction:
    def test_an_action_that_the_rules_forbid(self, game: dict[str, Any]) -> None:
        game["records"][2]["action"] = {"type": "steal", "from": [0]}
        assert fault_of(rehash(game)) == ("illegal-action", 3)

    def test_an_action_not_in_normal_form(self) -> None:
        forged = document(seed="forms", seats=3)
        for record in forged["records"]:
            if record["action"]["type"] == "play" and len(record["action"]["cards"]) > 1:
                record["action"]["cards"].reverse()
                break
        assert fault_of(rehash(forged)) == ("illegal-action", record["n"])

    def test_an_action_of_the_wrong_sender(self, game: dict[str, Any]) -> None:
        seat = game["records"][0]["seat"]
        game["records"][0]["seat"] = (seat + 1) % 3
        assert fault_of(rehash(game)) == ("illegal-action", 1)
        game["records"][0]["seat"] = None
        assert fault_of(rehash(game)) == ("illegal-action", 1)

    def test_another_deal(self, game: dict[str, Any]) -> None:
        game["fairness"]["client_seeds"] = ["other", "", ""]
        fault, _ = fault_of(rehash(game))
        assert fault == "illegal-action"

    def test_a_record_after_the_end(self, game: dict[str, Any]) -> None:
        last = game["records"][-1]
        game["records"].append({**last, "n": last["n"] + 1, "seat": 0, "action": {"type": "resign"}})
        assert fault_of(rehash(game)) == ("illegal-action", last["n"] + 1)


def test_a_clock_that_goes_back(game: dict[str, Any]) -> None:
    game["records"][3]["at"] = game["records"][2]["at"]
    assert fault_of(rehash(game)) == (None, None)
    game["records"][3]["at"] -= 1
    assert fault_of(rehash(game)) == ("clock-backwards", 4)


class TestOutcome:
    @pytest.mark.parametrize(
        "outcome",
        [
            {"status": "finished", "places": [1, 1, 1], "points": None},
            {"status": "finished", "places": [3, 3, 3], "points": None},
            {"status": "finished", "places": None, "points": None},
            {"status": "drawn", "places": [1, 1, 1], "points": None},
            {"status": "void", "places": [1, 1, 1], "points": None},
            {"status": "running", "places": None, "points": None},
        ],
    )
    def test_a_forged_outcome(self, game: dict[str, Any], outcome: dict[str, Any]) -> None:
        game["outcome"] = outcome
        assert fault_of(game) == ("outcome-mismatch", None)

    def test_points_that_the_game_does_not_have(self, game: dict[str, Any]) -> None:
        game["outcome"]["points"] = [1, 0, 0]
        assert fault_of(game) == ("outcome-mismatch", None)

    def test_records_cut_off(self, game: dict[str, Any]) -> None:
        game["records"].pop()
        assert fault_of(game) == ("outcome-mismatch", None)

    def test_records_cut_off_and_called_running(self, game: dict[str, Any]) -> None:
        game["records"].pop()
        game["outcome"] = {"status": "running", "places": None, "points": None}
        assert fault_of(game) == ("outcome-mismatch", None)


def test_the_first_kind_of_fault_wins_wherever_it_stands(game: dict[str, Any]) -> None:
    game["outcome"]["places"] = [1, 1, 1]
    game["records"][1]["at"] = 0
    assert fault_of(rehash(game)) == ("clock-backwards", 2)
    game["records"][-1]["action"] = {"type": "steal", "from": [0]}
    assert fault_of(rehash(game)) == ("illegal-action", len(game["records"]))
    game["records"][-1]["hash"] = "0" * 64
    assert fault_of(game) == ("chain-broken", len(game["records"]))
    game["fairness"]["server_seed"] = "0" * 64
    assert fault_of(game) == ("commitment-mismatch", None)
    game["names"] = []
    assert fault_of(game) == ("bad-format", None)


def test_a_flipped_bit_anywhere_in_hashed_content_is_found(game: dict[str, Any]) -> None:
    """Each flip leaves no JSON, or another document that does not verify, or one that says the same."""
    source = canonical(game)
    hashed = canonical({key: value for key, value in game.items() if key != "names"})
    rng = Random(1)
    found = 0
    for _ in range(400):
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
    assert found > 100


def explicit(deck: list[str], moves: int) -> dict[str, Any]:
    """Return a game dealt by hand after some moves."""
    header = Header("hold-my-bear", GAME.rules({}, 3), "by hand", 3, deal=tuple(deck))
    refereed = Refereed(header, None)
    records = []
    rng = Random(2)
    while len(records) < moves and not refereed.outcome.is_over:
        (seat,) = GAME.to_act(refereed.position)
        proposal = refereed.propose(len(records), seat, random_action(refereed.position, seat, rng))
        refereed.push(proposal)
        records.append(proposal.record)
    read: dict[str, Any] = read_json(
        canonical(Transcript(header, ("A", "B", "C"), None, tuple(records), refereed.outcome).to_json())
    )
    return read


class TestExplicitDeal:
    DECK = sorted(GAME.deck({}), key=lambda card: card[::-1])

    def test_a_whole_one(self) -> None:
        dealt = explicit(self.DECK, 500)
        assert (dealt["fairness"], dealt["deal"]) == (None, {"deck": self.DECK})
        report = verify(dealt)
        assert (report.ok, report.complete) == (True, True)
        assert rehash(deepcopy(dealt)) == dealt

    def test_one_that_runs_is_checked_by_the_rules_too(self) -> None:
        dealt = explicit(self.DECK, 3)
        report = verify(dealt)
        assert (report.ok, report.complete) == (True, False)
        dealt["records"][1]["action"] = {"type": "steal", "from": [0]}
        assert fault_of(rehash(dealt)) == ("illegal-action", 2)

    def test_a_deck_that_is_no_permutation(self) -> None:
        dealt = explicit(self.DECK, 3)
        dealt["deal"]["deck"][0] = dealt["deal"]["deck"][-1]
        assert fault_of(rehash(dealt)) == ("bad-format", None)

    def test_no_group(self) -> None:
        dealt = explicit(self.DECK, 3)
        dealt["deal_group"] = "g"
        assert fault_of(rehash(dealt)) == ("bad-format", None)


def test_a_deal_group_stands_in_place_of_the_game_id() -> None:
    server_seed = bytes(32)
    header = Header(
        "hold-my-bear", GAME.rules({}, 2), "table 1", 2, commitment_of(server_seed), ("", ""), None, "round 1"
    )
    refereed = Refereed(header, server_seed)
    seed = deal_seed(server_seed, "table 7", ["", ""], "round 1")
    assert refereed.position.table == (shuffled(GAME.deck({}), seed).deck[0],)
    proposal = refereed.propose(5, 1, {"type": "resign"})
    refereed.push(proposal)
    transcript = Transcript(header, ("A", "B"), server_seed.hex(), (proposal.record,), refereed.outcome)
    grouped: dict[str, Any] = read_json(canonical(transcript.to_json()))
    assert grouped["deal_group"] == "round 1"
    assert rehash(deepcopy(grouped)) == grouped
    assert fault_of(grouped) == (None, None)


def test_games_that_people_leave_or_that_are_void_verify() -> None:
    assert all(verify(document(seed=str(seed), seats=5, quit_chance=0.2)).ok for seed in range(20))
    header = Header("hold-my-bear", GAME.rules({}, 2), "id", 2, commitment_of(b"s"), ("", ""))
    refereed = Refereed(header, b"s")
    proposal = refereed.propose(0, None, {"type": "void", "reason": "power cut"})
    assert proposal.record.action == {"type": "void", "reason": "power cut"}
    assert refereed.n == 0
