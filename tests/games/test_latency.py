"""One-way delay as the server measures it."""

from __future__ import annotations

import pytest

from games.live.latency import INTERVAL, SAMPLES, UNANSWERED, Latency


def measured(*there_and_back_ms: float) -> Latency:
    latency, now = Latency(), 100.0
    for milliseconds in there_and_back_ms:
        name = latency.probe(now)
        now += milliseconds / 1000
        assert latency.answered(name, now)
        now += 1
    return latency


def test_nothing_is_made_up_for_before_anything_is_measured() -> None:
    assert Latency().one_way_ms() == 0


@pytest.mark.parametrize("delay", [0, 7, 10, 33, 80, 100])
def test_half_the_way_there_and_back(delay: int) -> None:
    assert measured(*[2 * delay] * 4).one_way_ms() == delay


def test_never_more_than_a_hundred_milliseconds() -> None:
    assert measured(300, 900, 5000).one_way_ms() == 100


@pytest.mark.parametrize("spike", [0, 4000])
@pytest.mark.parametrize("place", range(SAMPLES))
def test_one_spike_changes_nothing(spike: int, place: int) -> None:
    samples = [60.0] * SAMPLES
    samples[place] = spike
    assert measured(*samples).one_way_ms() == 30


def test_of_the_first_two_the_smaller_counts() -> None:
    assert measured(60, 4000).one_way_ms() == 30


def test_only_the_last_measurements_count() -> None:
    assert measured(*[200] * 20, *[20] * SAMPLES).one_way_ms() == 10


def test_an_answer_counts_once_and_only_to_a_probe_that_was_sent() -> None:
    latency = Latency()
    name = latency.probe(1.0)
    assert not latency.answered("made-up", 1.0)
    assert latency.answered(name, 1.05)
    assert not latency.answered(name, 1.0)
    assert latency.one_way_ms() == 25


def test_names_of_probes_cannot_be_guessed() -> None:
    latency = Latency()
    names = {latency.probe(float(second)) for second in range(200)}
    assert len(names) == 200
    assert min(map(len, names)) >= 12


def test_who_never_answers_costs_no_memory() -> None:
    latency = Latency()
    names = [latency.probe(float(second)) for second in range(UNANSWERED + 1)]
    assert not latency.answered(names[0], 100.0)
    assert latency.answered(names[1], 100.0)


def test_probes_come_faster_at_the_start() -> None:
    assert Latency().interval < INTERVAL
    assert measured(*[10] * SAMPLES).interval == INTERVAL
