from dataclasses import replace

import pytest
from answers import asked, candidate

from scrubjay.measure.asking import Asked
from scrubjay.measure.threshold import has_threshold, weigh_thresholds
from scrubjay.search.query_class import QueryClass


def answer(right: float, *wrong: float, reranker: str | None = "m") -> Asked:
    hits = [candidate("right.py", {}, score=right, is_right=True)]
    hits += [candidate(f"w{n}.py", {}, score=score) for n, score in enumerate(wrong)]
    return asked(sorted(hits, key=lambda c: -c.score), reranker=reranker)


CLEAR = [answer(0.8, 0.3, 0.12, 0.06)] * 60


def test_threshold_hides_wrong_hits_and_keeps_right_ones():
    advice = weigh_thresholds(CLEAR, 10, 0.0)
    assert advice is not None
    assert advice.suggested is not None
    assert advice.suggested.threshold == 0.7
    assert advice.suggested.kept == 1
    assert advice.suggested.precision == 1
    assert advice.now.shown == 4


def test_trade_offs_are_counted_over_the_hits_that_are_shown():
    advice = weigh_thresholds(CLEAR, 2, 0.1)
    assert advice is not None
    first = advice.trade_offs[0]
    assert (first.threshold, first.shown, first.precision) == (0, 2, 0.5)


def test_threshold_looks_at_the_chance_as_the_search_does():
    page = candidate("right.py", {}, score=0.05, chance=0.8, is_right=True)
    other = candidate("w.py", {}, score=0.3)
    advice = weigh_thresholds([asked([other, page], reranker="m")] * 60, 10, 0.0)
    assert advice is not None
    assert advice.suggested is not None
    assert (advice.suggested.threshold, advice.suggested.kept) == (0.7, 1)


def test_threshold_that_is_good_stays():
    advice = weigh_thresholds(CLEAR, 10, 0.5)
    assert advice is not None
    assert advice.suggested is None


def test_threshold_that_hides_right_hits_is_lowered():
    advice = weigh_thresholds([answer(0.4, 0.3, 0.3, 0.06)] * 60, 10, 0.5)
    assert advice is not None
    assert advice.now.lost == 1
    assert advice.now.silent == 1
    assert advice.suggested is not None
    assert advice.suggested.threshold == 0.4


def test_threshold_that_costs_right_hits_is_not_raised():
    mixed = [answer(0.8, 0.3)] * 57 + [answer(0.02, 0.3)] * 3
    advice = weigh_thresholds(mixed, 10, 0.0)
    assert advice is not None
    assert advice.suggested is None


def test_too_few_answers_give_no_advice():
    assert weigh_thresholds(CLEAR[:59], 10, 0.0) is None
    assert weigh_thresholds([answer(0.8, 0.1, reranker=None)] * 60, 10, 0.0) is None


@pytest.mark.parametrize(
    ("kind", "expected"),
    [(QueryClass.NATURAL, True), (QueryClass.SYMBOL, False), (QueryClass.ERROR, False)],
)
def test_threshold_applies_to_what_is_read_in_full(kind, expected):
    assert has_threshold(replace(CLEAR[0], kind=kind)) is expected
