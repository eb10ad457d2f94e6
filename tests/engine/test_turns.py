"""The turn of Hold my Bear: win, forced bear, steal, must play, giving, leaving, draw."""

from __future__ import annotations

import pytest

from games.engine.frame import BadPosition, GameOver, IllegalAction, NotYourTurn
from tests.engine.builders import GAME, give, play, position, steps

LATER = {"owner": 2, "must_play": False}


def refused(here, seat, action) -> str:
    with pytest.raises(IllegalAction) as caught:
        GAME.apply(here, seat, action)
    return str(caught.value)


class TestPlay:
    def test_the_old_set_leaves_and_the_new_one_is_yours(self) -> None:
        after = steps(position("t4 v1", "v2 h1", "h2"), (0, play("t4"))).position
        assert (after.table, after.owner, after.turn, after.must_play) == (("tiger-4",), 0, 1, False)
        assert "tiger-3" in after.gone
        assert after.hands[0] == ("vole-1",)

    def test_cards_that_are_not_held(self) -> None:
        here = position("t4 v1", "t5")
        assert refused(here, 0, play("t5")) == "You do not hold tiger-5."
        assert refused(here, 0, play("v1 v1")) == "You hold vole-1 only once."

    @pytest.mark.parametrize(
        "action",
        [
            {"type": "play", "cards": ["vole-1", "tiger-4"]},
            {"type": "play", "cards": []},
            {"type": "play", "cards": [], "as": "vole"},
            {"type": "play", "cards": "tiger-4"},
            {"type": "play", "cards": [["tiger-4"]]},
            {"type": "play", "cards": ["tiger-9"]},
            {"type": "play"},
            {"type": "play", "cards": ["tiger-4"], "as": None},
            {"type": "play", "cards": ["tiger-4"], "as": "vole"},
            {"type": "play", "cards": ["tiger-4"], "as": 3},
            {"type": "play", "cards": ["tiger-4"], "do": {}},
            {"type": "play", "cards": ["tiger-4"], "do": None},
            {"type": "play", "cards": ["tiger-4"], "do": {"giraffe": {"animal": "bear"}}},
            {"type": "play", "cards": ["tiger-4"], "needs": []},
            {"type": "play", "cards": ["tiger-4"], "more": 1},
            {"type": "dance"},
            {"type": None},
            {"type": ["play"]},
            {},
        ],
    )
    def test_what_is_not_in_normal_form_is_refused(self, action) -> None:
        refused(position("t4 v1", "t5"), 0, action)

    def test_bears_alone_may_be_named(self) -> None:
        here = position("b1 v5", "t5", table="h2")
        after = steps(here, (0, play("b1", "vole"))).position
        assert (after.table_as, after.owner) == ("vole", 0)
        assert "Bears can be named" in refused(here, 0, play("b1", "bear"))
        assert "Bears can be named" in refused(here, 0, play("b1", "cat"))

    @pytest.mark.parametrize("text", ["b1 v5", "a3 b1", "a3 v5"])
    def test_a_set_with_others_may_not(self, text) -> None:
        here = position(
            "a3 b2 b1 v5", "d5", table="h1", rules={"animals": ["aardvark", "bear", "dog", "hamster", "vole"]}
        )
        assert "Only a set of bears alone" in refused(here, 0, play(text, "vole"))

    def test_the_name_stays_while_the_set_lies_there(self) -> None:
        here = position("v5 f1", "t5", table="b3", table_as="vole")
        after = steps(here, (0, play("v5"))).position
        assert after.table_as is None
        assert "Other sport (ferret on vole)" in refused(here, 0, play("f1"))

    def test_an_unnamed_bear_is_its_own_sport(self) -> None:
        here = position("b4 t5", "t1", table="b3")
        assert steps(here, (0, play("b4"))).position.owner == 0
        assert "Other sport (tiger on bear)" in refused(here, 0, play("t5"))


class TestMustPlay:
    def test_giving_is_refused_to_who_can_play(self) -> None:
        assert "must play" in refused(position("t4 v1", "t5"), 0, give(("t4", 1), ("v1", 1)))

    def test_who_cannot_play_gives(self) -> None:
        after = steps(position("v1 f2", "t5 h1"), (0, give(("f2", 1), ("v1", 1)))).position
        assert (after.turn, after.must_play, after.unowned_turns) == (1, True, 1)

    def test_when_it_is_off_anyone_may_give(self) -> None:
        after = steps(position("t4 v1", "t5", "f1", **LATER), (0, give(("t4", 1), ("v1", 2)))).position
        assert after.hands == ((), ("tiger-4", "tiger-5"), ("ferret-1", "vole-1"))


class TestGive:
    HERE = position("t4 v1 v1", "t5", "f1", **LATER)

    @pytest.mark.parametrize(
        "action",
        [
            give(("t4", 1)),
            give(("t4", 1), ("v1", 1), ("v1", 1)),
            give(("v1", 1), ("t4", 1)),
            give(("t4", 0), ("v1", 1)),
            give(("t4", 3), ("v1", 1)),
            give(("t4", 1), ("t4", 1)),
            give(("t5", 1), ("v1", 1)),
            {"type": "give", "gifts": None},
            {"type": "give", "gifts": [1, 2]},
            {"type": "give", "gifts": [{"card": "tiger-4", "to": True}, {"card": "vole-1", "to": 1}]},
            {"type": "give", "gifts": [{"card": "tiger-4", "to": 1, "x": 1}, {"card": "vole-1", "to": 1}]},
            {**give(("t4", 1), ("v1", 1)), "x": 1},
        ],
    )
    def test_what_is_refused(self, action) -> None:
        refused(self.HERE, 0, action)

    def test_equal_cards_to_different_seats_are_two_actions(self) -> None:
        listed, _ = GAME.legal(self.HERE, 0)
        for action in (give(("v1", 1), ("v1", 2)), give(("v1", 2), ("v1", 1))):
            assert action in listed
            assert steps(self.HERE, (0, action)).position.hands[1:] == (("tiger-5", "vole-1"), ("ferret-1", "vole-1"))

    def test_the_last_card_is_given_alone(self) -> None:
        here = position("v1", "t5", "f1", **LATER)
        assert steps(here, (0, give(("v1", 2)))).position.hands == ((), ("tiger-5",), ("ferret-1", "vole-1"))

    def test_nothing_is_given_to_a_seat_that_is_out(self) -> None:
        assert "still in" in refused(position("t4 v1", "t5", "f1", out=[1], **LATER), 0, give(("t4", 1), ("v1", 2)))


class TestWinCheck:
    def test_a_bear_in_hand_forces_a_bear(self) -> None:
        here = position("b2 b4 v1", "h1 h2", table="t5 t4", owner=0, must_play=False)
        listed, _ = GAME.legal(here, 0)
        assert {action["card"] for action in listed} == {"bear-2", "bear-4"}
        assert "choose the bear" in refused(here, 0, play("b2 b4"))
        step = steps(here, (0, {"type": "force-bear", "card": "bear-4", "as": "vole"}))
        after = step.position
        assert (after.table, after.table_as, after.owner, after.turn, after.must_play) == (
            ("bear-4",),
            "vole",
            0,
            1,
            True,
        )
        assert {"tiger-4", "tiger-5"} <= set(after.gone)

    @pytest.mark.parametrize("extra", [{"card": "bear-3"}, {"card": "vole-1"}, {"card": "bear-2", "as": "bear"}, {}])
    def test_a_forced_bear_that_is_refused(self, extra) -> None:
        here = position("b2 b4 v1", "h1 h2", table="t5 t4", owner=0, must_play=False)
        refused(here, 0, {"type": "force-bear", **extra})

    def test_own_sport_forbids_naming_a_forced_bear(self) -> None:
        here = position("b2 v1", "h1", table="t5", owner=0, must_play=False, rules={"bears_alone": "own-sport"})
        assert "cannot be named" in refused(here, 0, {"type": "force-bear", "card": "bear-2", "as": "vole"})
        assert GAME.legal(here, 0)[0] == [{"type": "force-bear", "card": "bear-2"}]

    def test_must_play_binds_after_a_forced_bear(self) -> None:
        here = position("b2 b4 v1", "h1 h5 f1", table="t5 t4", owner=0, must_play=False)
        after = steps(here, (0, {"type": "force-bear", "card": "bear-2", "as": "hamster"})).position
        assert "must play" in refused(after, 1, give(("f1", 0), ("h1", 0)))

    def test_the_owner_without_a_bear_wins_even_with_an_empty_hand(self) -> None:
        step = steps(position("", "f1 v1", "v4 v5", turn=2, owner=0, must_play=False), (2, give(("v4", 1), ("v5", 1))))
        assert step.position.outcome is not None
        assert step.position.outcome.places == (1, 2, 2)
        assert step.events[-1].type == "win"
        with pytest.raises(GameOver):
            GAME.apply(step.position, 0, {"type": "resign"})


class TestSteal:
    HERE = position("", "t1 t2", "f1 f2 f3", owner=1, must_play=False)

    def test_what_may_be_stolen(self) -> None:
        assert [action["from"] for action in GAME.legal(self.HERE, 0)[0]] == [[1, 1, 2, 2], [1, 2, 2, 2]]

    @pytest.mark.parametrize(
        "seats", [[1, 1, 1, 2], [2, 2, 1, 1], [1, 1, 2], [1, 1, 2, 2, 2], [0, 1, 1, 2], [1, 1, 2, 3], None, ["1"] * 4]
    )
    def test_what_is_refused(self, seats) -> None:
        refused(self.HERE, 0, {"type": "steal", "from": seats})

    def test_playing_with_an_empty_hand_is_refused(self) -> None:
        assert "steal first" in refused(self.HERE, 0, give(("t1", 1)))

    def test_the_turn_goes_on_after_it(self) -> None:
        step = steps(self.HERE, (0, {"type": "steal", "from": [1, 1, 2, 2]}))
        after = step.position
        assert (after.turn, after.drawn, [len(hand) for hand in after.hands]) == (0, 4, [4, 0, 1])
        assert {"tiger-1", "tiger-2"} <= set(after.hands[0])
        with pytest.raises(NotYourTurn):
            GAME.apply(after, 1, play("f1"))

    def test_what_everybody_knew_is_certain_no_more(self) -> None:
        """Of three equal cards in a hand that two are drawn from, one at least is still there; of others none."""
        here = position("", "f1 f1 f1 t1", "f2 f3 f4", owner=1, must_play=False)
        here = here._replace(known=((), ("ferret-1", "ferret-1", "ferret-1", "tiger-1"), ("ferret-2",)))
        after = steps(here, (0, {"type": "steal", "from": [1, 1, 2, 2]})).position
        assert after.known == ((), ("ferret-1",), ())

    def test_only_thief_and_victim_learn_what_was_drawn(self) -> None:
        (event,) = steps(self.HERE, (0, {"type": "steal", "from": [1, 1, 2, 2]})).events
        assert event.seen_by(None) == {"type": "steal", "seat": 0, "from": [1, 1, 2, 2]}
        assert len(event.seen_by(0)["taken"]) == len(event.whole()["taken"]) == 4
        assert {card["from"] for card in event.seen_by(1)["taken"]} == {1}
        assert {card["from"] for card in event.seen_by(2)["taken"]} == {2}

    def test_cards_of_a_seat_that_is_out_may_be_stolen(self) -> None:
        here = position("", "t1 t2", "f1 f2 f3", owner=1, out=[2], must_play=False)
        assert [1, 2, 2, 2] in [action["from"] for action in GAME.legal(here, 0)[0]]

    def test_the_draw_follows_the_stream(self) -> None:
        here = position("", "t1 t2 t3", table="f1", owner=1, must_play=False, seed="00" * 32, drawn=5)
        after = steps(here, (0, {"type": "steal", "from": [1, 1, 1]})).position
        assert (after.drawn, after.hands) == (8, (("tiger-1", "tiger-2", "tiger-3"), ()))

    def test_a_pass_when_nobody_holds_a_card(self) -> None:
        step = steps(position("t4", "", ""), (0, play("t4")))
        assert [event.type for event in step.events] == ["play", "pass", "pass", "win"]


class TestDraw:
    def test_when_every_seat_had_its_turn_and_nobody_owns_the_table(self) -> None:
        here = position("v1 f2", "h1 h4", "f1 v4", table="t5 t4")
        step = steps(here, (0, give(("f2", 2), ("v1", 1))), (1, give(("h1", 0), ("v1", 0))))
        assert step.position.unowned_turns == 2
        step = steps(step.position, (2, give(("f1", 0), ("v4", 0))))
        assert step.position.outcome is not None
        assert (step.position.outcome.status, step.position.outcome.places) == ("drawn", (1, 1, 1))
        assert step.events[-1].seat is None

    def test_turns_of_seats_that_are_out_count(self) -> None:
        here = position("v1 f2", "h1 h4", "f1 v4", table="t5 t4", out=[1])
        step = steps(here, (0, give(("f2", 2), ("v1", 2))))
        assert (step.position.turn, step.position.unowned_turns) == (2, 2)
        step = steps(step.position, (2, give(("f1", 0), ("v4", 0))))
        assert step.position.outcome is not None
        assert step.position.outcome.places == (1, 3, 1)


class TestLeaving:
    def test_any_seat_may_resign_at_any_time(self) -> None:
        after = steps(position("t4 v1", "t5", "f1"), (2, {"type": "resign"})).position
        assert (after.turn, after.out, after.hands[2]) == (0, (2,), ("ferret-1",))

    def test_who_is_on_turn_passes_it_on(self) -> None:
        after = steps(position("t4 v1", "t5", "f1"), (0, {"type": "resign"})).position
        assert (after.turn, after.unowned_turns) == (1, 1)

    def test_the_set_of_the_owner_belongs_to_nobody(self) -> None:
        here = position("t4 v1", "t5", "f1", owner=2, must_play=False)
        after = steps(here, (2, {"type": "resign"})).position
        assert (after.owner, after.must_play, after.unowned_turns, after.turn) == (None, True, 0, 0)

    def test_an_owner_who_leaves_instead_of_a_forced_bear(self) -> None:
        here = position("b4 v1", "t5", "f1", owner=0, must_play=False)
        after = steps(here, (0, {"type": "resign"})).position
        assert (after.owner, after.must_play, after.unowned_turns, after.turn) == (None, True, 1, 1)

    def test_the_last_one_in_wins_and_who_left_later_is_placed_better(self) -> None:
        step = steps(
            position("t4 v1", "t5", "f1", "h1"),
            (2, {"type": "resign"}),
            (None, {"type": "forfeit", "seat": 0, "reason": "time"}),
            (3, {"type": "resign"}),
        )
        assert step.position.outcome is not None
        assert step.position.outcome.places == (3, 1, 4, 2)

    def test_who_is_out_stands_below_the_losers(self) -> None:
        here = position("", "f1 v1", "v4 v5", "h1", turn=2, owner=0, out=[3], must_play=False)
        step = steps(here, (2, give(("v4", 1), ("v5", 1))))
        assert step.position.outcome is not None
        assert step.position.outcome.places == (1, 2, 2, 4)

    def test_leaving_twice_is_refused(self) -> None:
        here = position("t4 v1", "t5", "f1", out=[1])
        refused(here, 1, {"type": "resign"})
        refused(here, None, {"type": "forfeit", "seat": 1, "reason": "left"})
        with pytest.raises(NotYourTurn):
            GAME.apply(here, 1, play("t5"))

    @pytest.mark.parametrize(
        ("seat", "action"),
        [
            (None, {"type": "resign"}),
            (0, {"type": "resign", "x": 1}),
            (0, {"type": "forfeit", "seat": 1, "reason": "time"}),
            (None, {"type": "forfeit", "seat": 3, "reason": "time"}),
            (None, {"type": "forfeit", "seat": True, "reason": "time"}),
            (None, {"type": "forfeit", "seat": 1, "reason": "rude"}),
            (None, {"type": "forfeit", "seat": 1, "reason": ["time"]}),
            (None, {"type": "forfeit", "seat": 1}),
            (0, {"type": "void", "reason": "x"}),
            (None, {"type": "void"}),
            (None, {"type": "void", "reason": 3}),
            (None, {"type": "void", "reason": "x", "y": 1}),
            (None, play("t4")),
            (7, play("t4")),
        ],
    )
    def test_wrong_sender_or_form(self, seat, action) -> None:
        refused(position("t4 v1", "t5", "f1"), seat, action)

    def test_a_void_game_places_everybody_first(self) -> None:
        step = steps(position("t4 v1", "t5", "f1", out=[1]), (None, {"type": "void", "reason": "power cut"}))
        assert step.position.outcome is not None
        assert (step.position.outcome.status, step.position.outcome.places) == ("void", (1, 1, 1))


class TestPositionsFromOutside:
    def test_what_happens_by_itself_has_happened(self) -> None:
        assert position("v1", "f1", owner=0, must_play=False).outcome is not None
        assert position("v1", "f1", out=[1]).outcome is not None
        assert position("", "", "", table="t1").outcome is not None

    @pytest.mark.parametrize(
        "fields",
        [
            {"owner": 5},
            {"turn": -1},
            {"turn": 1, "out": [1]},
            {"out": [1, 1]},
            {"out": [0, 1, 2]},
            {"owner": 1, "out": [1]},
            {"owner": 1, "unowned_turns": 1},
            {"unowned_turns": 4},
            {"must_give": [3]},
            {"table_as": "vole"},
            {"table": "b1", "table_as": "cat"},
            {"table": "b1", "table_as": "vole", "rules": {"bears_alone": "own-sport"}},
            {"table": ""},
            {"table": "h1 h1 h2 h2 h3 h4"},
            {"waiting": {"seat": 1, "for": "bison", "to": 0}},
            {"pending": [{"seat": 1, "for": "turtle", "to": 0, "number": 1}]},
            {"outcome": {"status": "finished", "places": [1, 2, 3, 4], "points": None}},
            {"outcome": {"status": "finished", "places": [1, 1, 2], "points": None}},
            {"outcome": {"status": "void", "places": [1, 2, 2], "points": None}},
            {"outcome": {"status": "running", "places": [1, 2, 2], "points": None}},
        ],
    )
    def test_what_no_game_could_be_in(self, fields) -> None:
        fields = {"table": "t3", **fields}
        with pytest.raises(BadPosition):
            position("t4 v1", "t5", "f1", **fields)

    def test_cards_the_deck_does_not_have(self) -> None:
        for here in (position("t4 v1", "t4"), position("c1", "t4")):
            with pytest.raises(BadPosition):
                GAME.check_cards(here)
        GAME.check_cards(position("t4 v1", "t5"))
