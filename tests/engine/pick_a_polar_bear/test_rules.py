"""The rules page, clause by clause."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine.frame import BadRules, GameOver, IllegalAction, NotYourTurn
from games.engine.pick_a_polar_bear.cards import BONUS_CARDS, FITTING, KINDS, SHOWING, differing
from tests.engine.pick_a_polar_bear.builders import (
    CLOSE,
    GAME,
    GO,
    IDLE,
    RESIGN,
    STOP,
    act,
    answer,
    grab,
    position,
    start,
    told,
)

DIFFERENT = {"different": True}
BONUS = {"bonus": True}
PILE = "LAO-- LAO-- LAOGF S-OGF S-OGF S-OGF"


class TestCards:
    def test_the_canonical_order_of_one_deck(self) -> None:
        deck = GAME.deck({"decks": 1})
        assert len(deck) == 96
        assert deck[:9:3] == ("L-W--", "L-W-F", "L-WG-")
        assert deck[0] == deck[1] == deck[2]
        assert deck[12] == "L-O--"
        assert deck[24] == "LAW--"
        assert deck[48] == "S-W--"
        assert deck[-1] == "SAOGF"

    def test_the_canonical_order_of_two_decks(self) -> None:
        deck = GAME.deck({"decks": 2, "bonus": True})
        assert len(deck) == 200
        assert (deck[0], deck[95], deck[96], deck[191]) == ("L-W--P", "SAOGFP", "L-W--S", "SAOGFS")
        assert deck[192:] == BONUS_CARDS
        assert deck[192] == "bonus:arm+goggles"
        assert deck[199] == "bonus:winter+goggles"

    def test_what_fits(self) -> None:
        for kinds in KINDS.values():
            for card in kinds:
                assert FITTING[card] == {other for other in kinds if len(differing(card, other)) <= 1}
                assert len(FITTING[card]) == len(card) + 1

    def test_what_shows_both_elements(self) -> None:
        assert len(SHOWING) == 8
        assert all(len(cards) == 8 + 16 for cards in SHOWING.values())
        assert "LAOG-" in SHOWING["bonus:autumn+arm"]
        assert "SAOG-P" in SHOWING["bonus:small+goggles"]
        assert "L-OGF" not in SHOWING["bonus:autumn+arm"]


class TestOptions:
    def test_the_seats_decide_the_decks(self) -> None:
        assert GAME.rules({}, 5) == {"decks": 1, "different": False, "bonus": False}
        assert GAME.rules({"bonus": True}, 6) == {"decks": 2, "different": False, "bonus": True}

    @pytest.mark.parametrize(
        ("options", "seats"),
        [
            ({}, 0),
            ({}, 9),
            ({"decks": 2}, 5),
            ({"decks": 1}, 6),
            ({"decks": 3}, 6),
            ({"decks": True}, 1),
            ({"decks": 1.0}, 1),
            ({"different": 1}, 3),
            ({"bonus": None}, 3),
            ({"speed": 3}, 3),
            ([], 3),
        ],
    )
    def test_what_is_refused(self, options: Any, seats: int) -> None:
        with pytest.raises(BadRules):
            GAME.rules(options, seats)

    def test_a_deck_of_unknown_rules(self) -> None:
        with pytest.raises(BadRules):
            GAME.deck({"decks": 4})


class TestSetUp:
    @pytest.mark.parametrize(("seats", "places"), [(1, 30), (5, 30), (6, 49), (8, 49)])
    def test_start_cards_first_then_the_grid(self, seats: int, places: int) -> None:
        rules = GAME.rules({}, seats)
        deck = GAME.deck(rules)
        here = GAME.start(rules, seats, deck, b"", 0)
        assert here.stacks == tuple((card,) for card in deck[:seats])
        assert here.grid == deck[seats : seats + places]
        assert here.setting.pile == deck[seats + places :]
        assert (here.setting.phase, here.setting.round) == ("ready", 1)

    def test_a_bonus_card_as_a_start_card_is_discarded(self) -> None:
        rules = GAME.rules(BONUS, 2)
        deck = sorted(GAME.deck(rules), key=lambda card: card[0] != "b")
        here = GAME.start(rules, 2, deck, b"", 0)
        assert here.stacks == (("L-W--",), ("L-W--",))
        assert here.setting.gone == tuple(sorted(BONUS_CARDS))
        assert here.setting.phase == "ready"

    def test_cards_left_in_the_grid_stay_where_they_are(self) -> None:
        here = position("L-W--", "L-W--", grid=". SAOG- . . SAO-F", pile=PILE)
        grid = act(here, (None, IDLE)).position.grid
        assert grid[:8] == ("LAOGF", "SAOG-", "S-OGF", "S-OGF", "SAO-F", "S-OGF", None, None)

    def test_the_next_round_begins_by_itself_after_the_check(self) -> None:
        step = act(position("L-W--", "L-W--", pile=PILE, round=4), (1, STOP))
        assert (step.position.setting.phase, step.position.setting.round) == ("ready", 5)
        assert told(step, "round") == [{"type": "round", "seat": None, "round": 5, "restricted": None}]

    def test_go_turns_the_start_cards_up(self) -> None:
        step = act(start(1, 3), (None, GO))
        assert step.position.setting.phase == "grab"
        assert told(step, "go") == [
            {"type": "go", "seat": None, "starts": [stack[0] for stack in step.position.stacks]}
        ]


class TestGrabbing:
    def test_a_card_goes_on_top_of_the_stack_whether_it_fits_or_not(self) -> None:
        here = position("L-W--", "SAOGF", grid="LAW-- . SAO-F")
        step = act(here, (1, grab(0)), (0, grab(2)))
        assert step.position.stacks == (("L-W--", "SAO-F"), ("SAOGF", "LAW--"))
        assert step.position.grid[:3] == (None, None, None)
        assert step.action == grab(2)

    def test_first_come_first_served(self) -> None:
        here = act(position("L-W--", "SAOGF", grid="LAW--"), (0, grab(0))).position
        with pytest.raises(IllegalAction, match="faster"):
            GAME.apply(here, 1, grab(0))

    def test_a_grab_shares_all_but_grid_and_stacks(self) -> None:
        here = position("L-W--", "SAOGF", grid="LAW--", pile=PILE)
        assert act(here, (0, grab(0))).position.setting is here.setting

    @pytest.mark.parametrize("place", [-1, 30, None, True, "0", 1.0, [0]])
    def test_places_that_do_not_exist(self, place: Any) -> None:
        with pytest.raises(IllegalAction, match="from 0 to 29"):
            GAME.apply(position("L-W--", "SAOGF", grid="LAW--"), 0, {"type": "grab", "place": place})

    def test_no_place_and_a_key_too_many(self) -> None:
        here = position("L-W--", "SAOGF", grid="LAW--")
        for action in ({"type": "grab"}, grab(0, speed=3), {"type": "grab", "plaice": 0}):
            with pytest.raises(IllegalAction):
                GAME.apply(here, 0, action)

    def test_before_go_and_after_the_stop(self) -> None:
        here = start(1, 2)
        for phase in (here, act(position("L-W--", "L-W--", grid="SAOG-", pile=PILE), (0, STOP)).position):
            for action in (grab(0), STOP):
                with pytest.raises(IllegalAction, match="wait for go") as refused:
                    GAME.apply(phase, 1, action)
                assert refused.value.code == "illegal-action"


class TestCheck:
    def test_a_report_says_why_each_stack_scored_or_not(self) -> None:
        here = position("L-W-- LAW--", "SAOGF SAO-F L-O-F", "LAWGF", grid="S-OG- LAW--", pile=PILE, points=[1, 2, -4])
        step = act(here, (2, STOP))
        assert told(step, "claim") == [{"type": "claim", "seat": 2, "right": True, "top": "LAWGF", "fits": []}]
        assert [GAME.wording(event.seen_by(None), ["Ana", "Bo", "Cy"]) for event in step.events] == [
            "Cy says stop.",
            "The stop was right: no card fits on LAWGF of Cy.",
            "Ana scores 2: a sound stack of 2 cards.",
            "Bo scores nothing: cards 2 and 3 of 3, SAO-F and L-O-F, differ in two attributes: size and raised arm.",
            "Cy scores 2: a sound stack of 1 card and one more, LAO--.",
            "Round 2 begins.",
        ]
        assert step.position.setting.points == (3, 2, -2)
        scores = {score["seat"]: score for score in told(step, "score")}
        assert (scores[1]["pair"], scores[1]["attributes"]) == (1, ["size", "arm"])
        assert (scores[2]["score"], scores[2]["extra"], scores[2]["place"]) == (2, "LAO--", None)

    def test_the_first_faulty_pair_is_reported(self) -> None:
        here = position("L-W-- LAO-- S-O--", "L-W--", pile=PILE)
        (score, _) = told(act(here, (None, IDLE)), "score")
        assert (score["reason"], score["pair"], score["attributes"]) == ("unsound", 0, ["arm", "background"])

    def test_a_wrong_stop_names_what_fits(self) -> None:
        here = position("L-W--", "SAOGF", grid="SAOG- . LAW-- L-W--", pile=PILE)
        step = act(here, (0, STOP))
        assert told(step, "claim")[0]["fits"] == [{"place": 2, "card": "LAW--"}, {"place": 3, "card": "L-W--"}]
        assert GAME.wording(step.events[1].seen_by(None), ["Ana", "Bo"]) == (
            "The stop was wrong: L-W-- and LAW-- still fit on L-W-- of Ana."
        )
        assert step.position.setting.points == (0, 1)
        check = GAME.view(step.position, None)["check"]
        assert (check["stopper"], check["fits"], check["round"]) == (0, [2, 3], 1)

    def test_a_wrong_stop_loses_an_unsound_stack_for_the_stop(self) -> None:
        here = position("L-O-- SAW-- L-W--", "SAOGF", grid="LAW--", pile=PILE)
        score, _ = told(act(here, (0, STOP)), "score")
        assert (score["reason"], score["score"]) == ("wrong-stop", 0)

    def test_an_idle_round_has_no_stopper_and_no_extra_card(self) -> None:
        step = act(position("L-W--", "SAOGF", grid="LAW--", pile=PILE), (None, IDLE))
        assert step.position.setting.points == (1, 1)
        assert not told(step, "claim")
        assert GAME.view(step.position, 0)["check"]["stopper"] is None

    def test_the_extra_card_is_the_lowest_of_the_grid_when_the_pile_is_empty(self) -> None:
        step = act(position("L-W--", "SAOGF", grid=". . SAOG- L-OGF"), (0, STOP))
        (score, _) = told(step, "score")
        assert (score["score"], score["extra"], score["place"]) == (2, "SAOG-", 2)
        assert GAME.outcome(step.position).points == (2, 1)
        assert step.position.grid[:4] == (None, None, None, "L-OGF")

    def test_or_there_is_none(self) -> None:
        step = act(position("L-W--", "SAOGF"), (0, STOP))
        assert GAME.outcome(step.position).points == (1, 1)

    def test_bonus_cards_above_the_extra_card_are_discarded(self) -> None:
        pile = "bonus:arm+fish bonus:winter+fish LAO-- " + PILE.replace("LAO-- ", "", 1)
        step = act(position("L-W--", "SAOGF", pile=pile, rules=BONUS), (0, STOP))
        assert [(each["card"], each["reason"]) for each in told(step, "discard")] == [
            ("bonus:arm+fish", "extra"),
            ("bonus:winter+fish", "extra"),
        ]
        assert told(step, "score")[0]["extra"] == "LAO--"

    def test_an_idle_end_is_the_table_s_alone_and_never_solo(self) -> None:
        with pytest.raises(IllegalAction, match="Only the table"):
            GAME.apply(position("L-W--", "SAOGF"), 0, IDLE)
        with pytest.raises(IllegalAction, match="solo"):
            GAME.apply(position("L-W--"), None, IDLE)

    def test_cards_of_two_decks_differ_in_the_animal_too(self) -> None:
        here = position("L-W--P L-W--S", "L-W--P LAW--S", *["SAOGFP"] * 3, "SAO-FP", pile="")
        assert GAME.outcome(act(here, (None, IDLE)).position).points == (2, 0, 1, 1, 1, 1)


class TestDifferent:
    def test_who_alone_scored_most_is_restricted(self) -> None:
        here = position("L-W-- LAW--", "SAOGF", "SAO-F", pile=PILE, rules=DIFFERENT)
        assert act(here, (None, IDLE)).position.setting.restricted == 0
        assert act(here, (1, STOP)).position.setting.restricted is None, "the extra card makes a tie"

    def test_a_tie_and_nothing_scored_restrict_nobody(self) -> None:
        tie = position("L-W--", "SAOGF", pile=PILE, rules=DIFFERENT, restricted=0)
        assert act(tie, (None, IDLE)).position.setting.restricted is None
        nothing = position("L-W-- SAOGF", "SAOGF L-W--", pile=PILE, rules=DIFFERENT, restricted=1)
        assert act(nothing, (None, IDLE)).position.setting.restricted is None

    def test_without_the_variant_nobody_is(self) -> None:
        here = position("L-W-- LAW--", "SAOGF", pile=PILE)
        assert act(here, (None, IDLE)).position.setting.restricted is None

    def test_solo_it_is_not_used(self) -> None:
        step = act(position("L-W-- LAW--", pile=PILE, rules=DIFFERENT), (0, STOP))
        assert step.position.setting.restricted is None

    def test_an_identical_pair_is_told(self) -> None:
        here = position("L-W-- L-W-- LAW--", "SAOGF", pile=PILE, rules=DIFFERENT, restricted=0)
        step = act(here, (None, IDLE))
        assert GAME.wording(step.events[1].seen_by(1), ["Ana", "Bo"]) == (
            "Ana scores nothing: cards 1 and 2 of 3 are both L-W--, and Ana may take no identical card this round."
        )

    def test_others_may_take_identical_cards(self) -> None:
        here = position("L-W-- L-W--", "SAOGF", pile=PILE, rules=DIFFERENT, restricted=1)
        assert act(here, (None, IDLE)).position.setting.points == (2, 1)

    def test_bonus_points_do_not_restrict(self) -> None:
        pile = "LAO-- LAO-- bonus:winter+fish LAOGF"
        here = position("L-W--", "SAOGF", grid=" ".join(["S-OGF"] * 3 + ["SAO--"] * 3 + ["SAO-F"] * 3 + ["S-O-F"]),
                        pile=pile, rules={**DIFFERENT, **BONUS})  # fmt: skip
        step = act(here, (None, IDLE), (0, answer(0)))
        assert step.position.setting.points == (3, 1)
        assert step.position.setting.restricted is None


TEN = "LAW-- LAW-- LAW-- LAO-- LAO-- LAO-- L-WG- L-WG- SAOG- SAOGF"
"""A grid of ten: six large with a raised arm and five in autumn with one."""


class TestBonus:
    def asked(self, *stacks: str, pile: str = "bonus:winter+fish S-OGF", question: str = "bonus:large+arm") -> Any:
        return position(*(stacks or ("L-W--", "SAO--", "S-O--")), grid=TEN, pile=pile, rules=BONUS, question=question)

    def test_the_first_right_answer_takes_the_card_and_filling_goes_on(self) -> None:
        step = act(self.asked(), (1, answer(5)), (0, answer(6)))
        setting = step.position.setting
        assert setting.points == (2, -2, 0)
        assert setting.question == "bonus:winter+fish", "several in a row are asked one after another"
        assert setting.answered == ()
        assert "bonus:large+arm" in setting.gone
        assert told(step, "answer") == [
            {"type": "answer", "seat": 0, "right": True, "card": "bonus:large+arm", "count": 6}
        ]
        step = act(step.position, (2, answer(0)))
        assert (step.position.setting.phase, step.position.grid[10]) == ("ready", "S-OGF")

    def test_what_a_wrong_answer_was_is_known_to_who_gave_it_alone(self) -> None:
        step = act(self.asked(), (1, answer(5)))
        [event] = [event for event in step.events if event.type == "answer"]
        assert event.seen_by(1)["count"] == 5
        assert all("count" not in event.seen_by(viewer) for viewer in (None, 0, 2))

    def test_nought_may_be_right(self) -> None:
        step = act(self.asked(question="bonus:winter+fish", pile=""), (2, answer(0)))
        assert step.position.setting.points == (0, 0, 2)

    def test_all_wrong(self) -> None:
        step = act(self.asked(pile="S-OGF"), (0, answer(1)), (1, answer(2)), (2, answer(10)))
        assert step.position.setting.points == (-2, -2, -2)
        assert told(step, "discard") == [
            {"type": "discard", "seat": None, "card": "bonus:large+arm", "reason": "all-wrong", "count": 6}
        ]
        assert (step.position.setting.phase, step.position.grid[10]) == ("ready", "S-OGF")

    def test_time_up_is_said_by_the_table_alone(self) -> None:
        step = act(self.asked(pile=""), (2, answer(1)), (None, CLOSE))
        assert (step.position.setting.phase, step.position.setting.points) == ("ready", (0, 0, -2))
        assert told(step, "discard")[0]["reason"] == "time"
        with pytest.raises(IllegalAction, match="Only the table"):
            GAME.apply(self.asked(), 0, CLOSE)

    def test_one_answer_each(self) -> None:
        here = act(self.asked(), (1, answer(5))).position
        with pytest.raises(IllegalAction, match="one answer each"):
            GAME.apply(here, 1, answer(6))
        assert GAME.to_act(here) == (0, 2)
        assert GAME.legal(here, 1) == ([], False)

    @pytest.mark.parametrize("count", [-1, 11, None, True, "6", 6.0])
    def test_answers_that_are_none(self, count: Any) -> None:
        with pytest.raises(IllegalAction, match="from 0 to 10"):
            GAME.apply(self.asked(), 0, {"type": "answer", "count": count})

    def test_only_answers_count_while_a_question_is_open(self) -> None:
        for seat, action in ((0, grab(0)), (0, STOP), (None, GO), (None, IDLE)):
            with pytest.raises(IllegalAction, match="question is open"):
                GAME.apply(self.asked(), seat, action)
        for seat, action in ((0, answer(1)), (None, CLOSE), (None, GO)):
            with pytest.raises(IllegalAction, match="The round is on"):
                GAME.apply(position("L-W--", "SAOGF"), seat, action)

    def test_a_seat_that_leaves_need_not_answer(self) -> None:
        step = act(self.asked(pile=""), (0, answer(1)), (1, answer(1)), (2, RESIGN))
        assert step.position.setting.phase == "ready"
        assert told(step, "discard")[0]["reason"] == "all-wrong"

    def test_with_a_full_grid_no_bonus_card_comes_up(self) -> None:
        grid = " ".join(list(GAME.deck({}))[60:90])
        step = act(position("L-W--", "L-W--", grid=grid, pile="L-WG- L-WG- bonus:arm+fish", rules=BONUS), (None, IDLE))
        assert step.position.setting.phase == "ready"
        assert step.position.setting.pile == ("bonus:arm+fish",)

    def test_a_pile_of_bonus_cards_alone_is_asked_through(self) -> None:
        step = act(self.asked(pile="bonus:winter+fish"), (0, answer(6)), (0, answer(0)))
        assert step.position.setting.points == (4, 0, 0)
        assert (step.position.setting.phase, step.position.setting.pile) == ("ready", ())


class TestEnd:
    def test_fewer_pictures_than_seats(self) -> None:
        here = position("L-W--", "L-W--", "SAOGF", pile="LAO-- bonus:arm+fish LAO--", points=[0, 0, 4], rules=BONUS)
        step = act(here, (None, IDLE))
        assert GAME.outcome(step.position).to_json() == {
            "status": "finished",
            "places": [2, 2, 1],
            "points": [1, 1, 5],
        }
        assert GAME.wording(step.events[-1].seen_by(None), ["Ana", "Bo", "Cy"]) == (
            "Cy wins. Points: Ana 1, Bo 1 and Cy 5."
        )

    def test_who_is_out_does_not_count_for_it(self) -> None:
        here = position("L-W--", "L-W--", "", pile="LAO-- LAO--", out=[2])
        step = act(here, (None, IDLE))
        assert GAME.outcome(step.position).status == "running"
        assert step.position.stacks == (("LAO--",), ("LAO--",), ())

    def test_who_is_out_is_placed_below_and_keeps_its_points(self) -> None:
        here = position("L-W--", "L-W--", "L-WG-", "L-WG-", points=[-3, 0, 9, 5])
        step = act(here, (2, RESIGN), (None, {"type": "forfeit", "seat": 3, "reason": "left"}), (None, IDLE))
        outcome = GAME.outcome(step.position)
        assert (outcome.places, outcome.points) == ((2, 1, 4, 3), (-2, 1, 9, 5))

    def test_the_last_one_in_scores_nothing_of_the_round_in_play(self) -> None:
        here = position("L-W-- LAW--", "SAOGF", pile=PILE, points=[0, 7])
        step = act(here, (1, RESIGN))
        outcome = GAME.outcome(step.position)
        assert (outcome.status, outcome.places, outcome.points) == ("finished", (1, 2), (0, 7))
        assert step.position.stacks[1] == ()

    def test_solo_ends_when_nobody_is_left(self) -> None:
        step = act(position("L-W-- LAW--", pile=PILE, points=[12]), (0, RESIGN))
        assert GAME.outcome(step.position).to_json() == {"status": "finished", "places": [1], "points": [12]}
        assert GAME.wording(step.events[-1].seen_by(0), ["Ana"]) == "The game is over: Ana 12."

    def test_a_solo_game_runs_to_its_score(self) -> None:
        step = act(position("L-W-- LAW--"), (0, STOP))
        assert GAME.outcome(step.position).to_json() == {"status": "finished", "places": [1], "points": [2]}

    def test_void(self) -> None:
        step = act(position("L-W--", "SAOGF", points=[5, 1]), (None, {"type": "void", "reason": "power cut"}))
        assert GAME.outcome(step.position).to_json() == {"status": "void", "places": [1, 1], "points": None}

    def test_the_restricted_seat_leaves_and_nobody_is_restricted(self) -> None:
        here = position("L-W--", "L-W--", "L-WG-", rules=DIFFERENT, restricted=1)
        assert act(here, (1, RESIGN)).position.setting.restricted is None

    def test_nothing_after_the_end(self) -> None:
        here = act(position("L-W--", "SAOGF", grid="LAW--"), (1, RESIGN)).position
        for seat, action in ((0, grab(0)), (0, STOP), (0, RESIGN), (None, GO), (None, IDLE), (None, {"type": "void"})):
            with pytest.raises(GameOver):
                GAME.apply(here, seat, action)
        with pytest.raises(GameOver):
            GAME.choices(here, 0, STOP)
        assert GAME.legal(here, 0) == ([], False)
        assert GAME.options(here, 0) == {}

    def test_who_is_out_can_do_nothing(self) -> None:
        here = position("L-W--", "L-W--", "", grid="LAW--", out=[2])
        for action in (grab(0), STOP):
            with pytest.raises(NotYourTurn):
                GAME.apply(here, 2, action)
        with pytest.raises(IllegalAction, match="out already"):
            GAME.apply(here, 2, RESIGN)
        assert GAME.legal(here, 2) == ([], False)


class TestSenders:
    @pytest.mark.parametrize(
        ("seat", "action"),
        [
            (None, grab(0)),
            (None, STOP),
            (None, answer(1)),
            (None, RESIGN),
            (0, GO),
            (0, {"type": "forfeit", "seat": 1, "reason": "time"}),
            (0, {"type": "void", "reason": "x"}),
            (2, STOP),
            (-1, STOP),
            (0, {"type": "fly"}),
            (0, {"type": ["grab"]}),
            (0, {}),
            (0, {"type": "stop", "place": 1}),
            (None, {"type": "idle", "reason": "x"}),
        ],
    )
    def test_the_wrong_sender_or_no_action(self, seat: int | None, action: dict[str, Any]) -> None:
        here = position("L-W--", "SAOGF", grid="LAW--", pile=PILE)
        before = GAME.to_json(here)
        with pytest.raises(IllegalAction) as refused:
            GAME.apply(here, seat, action)
        assert refused.value.code == "illegal-action"
        assert GAME.to_json(here) == before

    def test_no_action_has_choices(self) -> None:
        with pytest.raises(IllegalAction, match="choices"):
            GAME.choices(position("L-W--", "SAOGF"), 0, STOP)
