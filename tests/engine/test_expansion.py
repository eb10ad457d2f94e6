"""The expansion animals, one effect at a time."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine.frame import IllegalAction, NotYourTurn
from games.engine.hold_my_bear import Position
from tests.engine.builders import EXPANSION, GAME, cards, give, play, position, steps

BUSY = {"must_play": False, "rules": EXPANSION}


def at(*hands: str, **fields: Any) -> Position:
    return position(*hands, **{**BUSY, **fields})


def refused(here: Position, seat: int, action: dict[str, Any]) -> str:
    with pytest.raises(IllegalAction) as caught:
        GAME.apply(here, seat, action)
    return str(caught.value)


def respond(card: str) -> dict[str, Any]:
    return {"type": "respond", "card": cards(card)[0]}


class TestAlways:
    def test_ape(self) -> None:
        here = at("A1 A2 A4 v1 b3", "c1", table="t1")
        assert "ape" in refused(here, 0, play("A1 A2"))
        assert steps(here, (0, play("A1 A2 v1"))).position.owner == 0
        assert steps(here, (0, play("A1 b3"))).position.owner == 0

    def test_walrus(self) -> None:
        here = at("W1 W2 v1 b3", "c1", table="t1")
        assert "walruses only" in refused(here, 0, play("W1 W2 v1"))
        assert "walruses only" in refused(here, 0, play("W1 b3"))
        assert steps(here, (0, play("W1 W2"))).position.owner == 0

    def test_bat(self) -> None:
        here = at("U1 U2 v1 v2 f1", "c1", table="t1")
        assert "exactly one sport" in refused(here, 0, play("U1 U2 v1 v2"))
        assert steps(here, (0, play("U1 v1 v2"))).position.owner == 0

    def test_squid(self) -> None:
        here = at("Q1 Q2 v1 v2 f1", "c1", table="t1")
        assert "two or more" in refused(here, 0, play("Q1 v1 v2"))
        assert steps(here, (0, play("Q1 Q2 v1 v2"))).position.owner == 0

    @pytest.mark.parametrize(
        ("table", "hand", "legal"),
        [
            ("t3", "S3", True),  # no shared sport, 1 = 1
            ("S3", "t1", True),  # a sheep on the table is enough
            ("S3", "S1 S2", True),  # shared, 3 = 3
            ("S3", "S1 S1", False),  # shared, 2 < 3
            ("t1 t2", "S3", False),  # 1 < 2, and nought to nought is no tie of bears
            ("t4 b5", "S1 b4", True),  # one bear each
            ("t4 t1", "t1 t2 S1", False),  # shares tiger, 4 < 5
            ("t4 t1", "t1 t2 S2", True),  # shares tiger, 5 = 5
        ],
    )
    def test_sheep(self, table: str, hand: str, legal: bool) -> None:
        here = at(f"{hand} v5", "c1", table=table)
        if legal:
            assert steps(here, (0, play(hand))).position.owner == 0
        else:
            assert "at least" in refused(here, 0, play(hand))


class TestFish:
    def test_counts_as_the_highest_other_card(self) -> None:
        here = at("F1 t4 v1", "c1", table="t5 v2")
        assert steps(here, (0, play("F1 t4"))).position.owner == 0  # shares tiger: 4 + 4 > 7

    def test_goes_on_counting_so_while_it_lies_there(self) -> None:
        here = at("t5 v2", "c1", table="F1 t4")
        assert "you need more than 8" in refused(here, 0, play("t5 v2"))

    def test_alone_counts_as_printed(self) -> None:
        assert "you need more than 5" in refused(at("F3 F2 v1", "c1", table="F5"), 0, play("F2 F3"))

    def test_has_its_printed_number_for_the_bear_rule(self) -> None:
        assert "number 1" in refused(at("F1 t4 b1", "c1", table="c2"), 0, play("F1 t4"))


class TestPlayed:
    def test_aardvark_takes_a_card_back(self) -> None:
        here = at("a1 a2 v1 f1", "c1")
        step = steps(here, (0, play("a1 a2", do={"aardvark": {"card": "aardvark-2"}})))
        assert (step.position.table, step.position.hands[0]) == (("aardvark-1",), tuple(cards("a2 f1 v1")))
        assert step.position.known[0] == ("aardvark-2",)
        assert "choice for the aardvark" in refused(here, 0, play("a1 a2"))
        assert "set just played" in refused(here, 0, play("a1 a2", do={"aardvark": {"card": "vole-1"}}))

    def test_an_aardvark_alone_takes_nothing(self) -> None:
        here = at("a1 v1", "c1", table="a2", must_play=True)
        assert "no choice" in refused(at("a3 v1", "c1", table="a2"), 0, play("a3", do={"aardvark": {"card": "a"}}))
        assert {"type": "play", "cards": ["aardvark-1"], "needs": ["aardvark"]} not in GAME.legal(here, 0)[0]
        assert steps(at("a3 v1", "c1", table="a2"), (0, play("a3"))).position.table == ("aardvark-3",)

    def test_giraffe_makes_numbers_public(self) -> None:
        here = at("G2 b1 v1", "b2 b3 c1", "t1", table="G1")
        step = steps(here, (0, play("G2", do={"giraffe": {"animal": "bear"}})))
        assert [event.seen_by(None) for event in step.events if event.type == "count"] == [
            {"type": "count", "seat": 0, "animal": "bear", "counts": [1, 2, 0]}
        ]
        assert "animal of the deck" in refused(here, 0, play("G2", do={"giraffe": {"animal": "hare"}}))

    def test_what_giraffe_and_kangaroo_learned_is_remembered(self) -> None:
        here = at("G2 b1 v1", "b2 b3 c1", "t1", table="G1")
        here = steps(here, (0, play("G2", do={"giraffe": {"animal": "bear"}}))).position
        assert GAME.view(here, None)["counted"] == {"bear": [[1, 1], [2, 2], [0, 0]]}
        here = steps(here, (1, give(("b2", 0), ("c1", 2)))).position
        assert GAME.view(here, 2)["counted"] == {"bear": [[2, 2], [1, 1], [0, 0]]}
        # Seat 1 steals unseen: from a hand of two bears and a vole, and from one that has no bear.
        here = here._replace(hands=(here.hands[0], (), here.hands[2]), turn=1)
        here = here._replace(counted=(here.counted[0]._replace(bounds=((2, 2), (0, 0), (0, 0))),))
        here = steps(here, (1, {"type": "steal", "from": [0, 0, 2, 2]})).position
        assert GAME.view(here, None)["counted"] == {"bear": [[0, 1], [0, 2], [0, 0]]}

        here = at("K2 v1", "b2 c1", "t1", table="K1")
        here = steps(here, (0, play("K2", do={"kangaroo": {"seat": 1, "card": "tiger-1"}}))).position
        assert [GAME.view(here, viewer)["denied"] for viewer in (0, None)] == [[[], ["tiger-1"], []]] * 2
        here = steps(here, (1, give(("b2", 2), ("c1", 2))), (2, give(("c1", 0), ("t1", 1)))).position
        assert GAME.view(here, None)["denied"] == [[], [], []]

    def test_kangaroo_asks_for_a_card(self) -> None:
        here = at("K2 v1", "b2 c1", "t1", table="K1")
        step = steps(here, (0, play("K2", do={"kangaroo": {"seat": 1, "card": "bear-2"}})))
        assert step.position.hands == (("bear-2", "vole-1"), ("cat-1",), ("tiger-1",))
        assert step.position.known[0] == ("bear-2",)
        step = steps(here, (0, play("K2", do={"kangaroo": {"seat": 2, "card": "bear-2"}})))
        assert step.position.hands[2] == ("tiger-1",)
        assert step.events[1].public["given"] is False

    @pytest.mark.parametrize(
        "choice",
        [
            {"seat": 0, "card": "bear-2"},
            {"seat": 2, "card": "bear-2"},
            {"seat": True, "card": "bear-2"},
            {"seat": 1, "card": "bear-9"},
            {"seat": 1, "card": ["bear-2"]},
            {"seat": 1},
            {"seat": 1, "card": "bear-2", "x": 1},
            None,
        ],
    )
    def test_kangaroo_asks_only_what_it_may(self, choice: Any) -> None:
        here = at("K2 v1", "b2 c1", "t1", table="K1", out=[2])
        refused(here, 0, play("K2", do={"kangaroo": choice}))

    @pytest.mark.parametrize("do", [{"kangaroo": {"seat": 1, "card": "cat-1"}}, {"giraffe": {"animal": "cat"}}])
    def test_an_animal_that_is_not_in_the_deck_is_not_asked_for(self, do: dict[str, Any]) -> None:
        here = at("K2 K3 G2 G3", "t2", rules={"animals": ["bear", "giraffe", "kangaroo", "tiger"]})
        good = {"kangaroo": {"seat": 1, "card": "bear-1"}, "giraffe": {"animal": "bear"}}
        steps(here, (0, play("K2 K3 G2 G3", do=good)))
        assert "of the deck" in refused(here, 0, play("K2 K3 G2 G3", do={**good, **do}))

    def test_badger_lets_the_owner_steal(self) -> None:
        here = at("B2 v1", "c1", "t1", table="B1", owner=2)
        step = steps(here, (0, play("B2")))
        assert step.position.hands == ((), ("cat-1",), ("tiger-1", "vole-1"))
        assert step.position.drawn == 1
        (event,) = [event for event in step.events if event.type == "badger"]
        assert "taken" not in event.seen_by(1)
        assert event.seen_by(0)["taken"] == event.seen_by(2)["taken"] == [{"from": 0, "card": "vole-1"}]

    @pytest.mark.parametrize("fields", [{"owner": None}, {"owner": None, "out": [2]}])
    def test_badger_without_an_owner_does_nothing(self, fields: dict[str, Any]) -> None:
        step = steps(at("B2 v1", "c1", "t1", table="B1", **fields), (0, play("B2")))
        assert step.position.hands[0] == ("vole-1",)
        assert step.position.drawn == 0

    def test_badger_with_the_last_card_costs_nothing(self) -> None:
        assert steps(at("B2", "c1", table="B1", owner=1), (0, play("B2"))).position.drawn == 0

    def test_rabbit_keeps_must_play_on(self) -> None:
        after = steps(at("R2 v1", "R3 c1", table="R1"), (0, play("R2"))).position
        assert after.must_play
        assert "must play" in refused(after, 1, give(("c1", 0), ("R3", 0)))
        assert not steps(at("v1 v2", "c1", table="R1"), (0, play("v1 v2"))).position.must_play

    def test_a_rabbit_taken_back_does_not(self) -> None:
        here = at("R2 a1 v1", "R3 c1", table="R1")
        after = steps(here, (0, play("a1 R2", do={"aardvark": {"card": "rabbit-2"}}))).position
        assert not after.must_play

    def test_rabbit_on_the_table_is_must_play_on_input(self) -> None:
        assert at("v1", "c1", table="R1").must_play

    def test_the_order_of_played_actions(self) -> None:
        do = {
            "aardvark": {"card": "kangaroo-1"},
            "giraffe": {"animal": "kangaroo"},
            "kangaroo": {"seat": 1, "card": "cat-1"},
        }
        here = at("a1 G1 K1 B1 v1 b5", "c1", "t1", table="d1", owner=2)
        step = steps(here, (0, play("a1 G1 K1 B1 b5", do=do)))
        assert [event.type for event in step.events] == ["play", "take-back", "count", "ask", "badger"]
        assert step.events[2].public["counts"] == [1, 0, 0]
        assert len(step.position.hands[2]) == 2

    def test_plays_with_choices_are_listed_once(self) -> None:
        here = at("a1 G1 b5", "c1", "t1", table="d1")
        listed = [action for action in GAME.legal(here, 0)[0] if "needs" in action]
        whole = {"type": "play", "cards": cards("a1 G1 b5"), "needs": ["aardvark", "giraffe"]}
        assert listed.count(whole) == 1
        choices = GAME.choices(here, 0, whole)
        assert len(choices) == 3 * len(EXPANSION["animals"])
        for do in choices:
            GAME.apply(here, 0, {"type": "play", "cards": whole["cards"], "do": do})
        refused(here, 0, whole)


class TestGiven:
    def test_turtle_waits_for_the_receiver(self) -> None:
        here = at("T3 v1 f1", "c1 T2", "d1")
        step = steps(here, (0, give(("T3", 1), ("v1", 2))))
        after = step.position
        assert GAME.to_json(after)["waiting"] == {"seat": 1, "for": "turtle", "to": 0, "number": 3}
        assert (after.turn, GAME.to_act(after)) == (0, (1,))
        assert GAME.legal(after, 1)[0] == [respond("c1"), respond("T2")]
        assert GAME.legal(after, 0)[0] == []
        with pytest.raises(NotYourTurn):
            GAME.apply(after, 0, give(("f1", 1)))
        assert "give a card back" in refused(after, 1, give(("c1", 0), ("T2", 0)))
        assert "one of" in refused(after, 1, respond("T3"))
        done = steps(after, (1, respond("c1"))).position
        assert (done.hands[0], done.turn, done.waiting) == (tuple(cards("c1 f1")), 1, None)

    def test_a_turtle_with_one_answer_is_answered_by_itself(self) -> None:
        step = steps(at("T3 v1 f1", "c1", "d1"), (0, give(("T3", 1), ("v1", 2))))
        assert step.position.hands == (tuple(cards("c1 f1")), ("turtle-3",), tuple(cards("d1 v1")))
        assert [event.type for event in step.events] == ["give", "hand-over"]

    def test_a_turtle_with_none(self) -> None:
        step = steps(at("T3 v1 f1", "", "d1"), (0, give(("T3", 1), ("v1", 2))))
        assert step.position.hands[1] == ("turtle-3",)

    def test_bison_asks_for_a_bear_held_after_both_cards_moved(self) -> None:
        step = steps(at("I1 b1 f1", "c1", "d1"), (0, give(("b1", 1), ("I1", 1))))
        assert step.position.hands[:2] == (tuple(cards("b1 f1")), tuple(cards("I1 c1")))
        step = steps(at("I1 v1 f1", "b1 b2", "d1"), (0, give(("I1", 1), ("v1", 1))))
        assert GAME.to_json(step.position)["waiting"] == {"seat": 1, "for": "bison", "to": 0}
        assert "one of bear-1, bear-2" in refused(step.position, 1, respond("v1"))

    def test_bison_then_turtle(self) -> None:
        here = at("I1 T1 f1", "b1 b2", "d1 d2")
        after = steps(here, (0, give(("I1", 1), ("T1", 2)))).position
        assert GAME.to_json(after)["pending"] == [{"seat": 2, "for": "turtle", "to": 0, "number": 1}]
        after = steps(after, (1, respond("b2"))).position
        assert (GAME.to_act(after), after.pending) == ((2,), ())
        assert steps(after, (2, respond("d2"))).position.hands[0] == tuple(cards("b2 d2 f1"))

    def test_two_of_one_animal_act_once(self) -> None:
        here = at("T1 T2 f1", "c1 c2", "d1 d2")
        after = steps(here, (0, give(("T1", 2), ("T2", 1)))).position
        assert (GAME.to_act(after), after.pending) == ((2,), ())

    def test_beaver_makes_the_receiver_give(self) -> None:
        here = at("E1 v1 f1", "t4 c1", "d1")
        after = steps(here, (0, give(("E1", 2), ("v1", 2)))).position
        assert after.must_give == (2,)
        after = steps(after, (1, play("t4"))).position
        assert {action["type"] for action in GAME.legal(after, 2)[0]} == {"give"}
        assert "beaver" in refused(after, 2, play("v1"))
        assert steps(after, (2, give(("E1", 1), ("v1", 0)))).position.must_give == (1,)

    def test_beaver_beats_must_play(self) -> None:
        here = at("t4 t5", "c1", must_play=True, must_give=[0])
        assert steps(here, (0, give(("t4", 1), ("t5", 1)))).position.must_give == ()

    def test_a_forced_bear_does_not_use_it_up(self) -> None:
        here = at("b4 t5", "c1", owner=0, must_give=[0])
        assert steps(here, (0, {"type": "force-bear", "card": "bear-4"})).position.must_give == (0,)

    def test_handed_over_cards_trigger_nothing(self) -> None:
        here = at("T3 v1 f1", "E1", "d1")
        assert steps(here, (0, give(("T3", 1), ("v1", 2)))).position.must_give == ()


class TestLeavingWhileACardIsDue:
    HERE = at("I1 T1 f1", "b1 b2", "d1 d2", "c1")
    AFTER = steps(HERE, (0, give(("I1", 1), ("T1", 2)))).position

    def test_the_responder(self) -> None:
        after = steps(self.AFTER, (1, {"type": "resign"})).position
        assert (GAME.to_act(after), after.turn) == ((2,), 0)

    def test_one_who_would_respond_later(self) -> None:
        after = steps(self.AFTER, (2, {"type": "resign"})).position
        assert (GAME.to_act(after), after.pending) == ((1,), ())

    def test_the_giver(self) -> None:
        after = steps(self.AFTER, (None, {"type": "forfeit", "seat": 0, "reason": "time"})).position
        assert (after.waiting, after.pending, after.turn) == (None, (), 1)

    def test_somebody_else(self) -> None:
        after = steps(self.AFTER, (3, {"type": "resign"})).position
        assert (after.waiting, after.pending, after.turn) == (self.AFTER.waiting, self.AFTER.pending, 0)
