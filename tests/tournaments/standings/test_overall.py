"""Final places over several stages."""

from __future__ import annotations

from tournaments.standings.overall import Finished, final_places


def test_one_stage_gives_its_own_places_and_shares_them() -> None:
    assert final_places(Finished({7: 1, 8: 2, 9: 2, 10: 4})) == {7: 1, 8: 2, 9: 2, 10: 4}


def test_who_did_not_go_on_ranks_below_who_did() -> None:
    bracket = Finished({1: 3, 2: 1, 3: 3, 4: 2})
    assert final_places(Finished({1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 5, 7: 7}, [bracket])) == {
        2: 1,
        4: 2,
        1: 3,
        3: 3,
        5: 5,
        6: 5,
        7: 7,
    }


def test_stages_rank_in_the_order_of_the_places_that_lead_to_them_and_chains_go_on() -> None:
    final = Finished({1: 2, 2: 1})
    upper = Finished({1: 1, 2: 2, 3: 3}, [final])
    lower = Finished({4: 2, 5: 1})
    groups = Finished({1: 1, 3: 1, 2: 2, 4: 2, 5: 3, 6: 3}, [upper, lower])
    assert final_places(groups) == {2: 1, 1: 2, 3: 3, 5: 4, 4: 5, 6: 6}


def test_a_first_place_that_nobody_has_stays_empty() -> None:
    assert final_places(Finished({7: 2, 8: 3})) == {7: 2, 8: 3}
    assert final_places(Finished({1: 1, 2: 2, 3: 3}, [Finished({1: 2, 2: 3})])) == {1: 2, 2: 3, 3: 4}


def test_who_has_no_place_anywhere_is_left_out_and_who_lost_it_later_is_behind_those_who_went_on() -> None:
    assert final_places(Finished({1: 1, 2: 2, 3: 3, 4: None}, [Finished({1: None, 2: 1})])) == {2: 1, 1: 2, 3: 3}
