import pytest

from scrubjay.measure.metrics import Scores, compare, mean, score, score_places, spread


def test_perfect_ranking_scores_one_everywhere():
    assert score(["a", "b", "c"], {"a", "b"}) == Scores(1, 1, 1, 1, 1)


def test_missed_answer_scores_zero_everywhere():
    assert score(["a", "b"], {"x"}) == Scores(0, 0, 0, 0, 0)


def test_rank_discounts_what_a_file_is_worth():
    scores = score(["x", "y", "a"], {"a"})
    assert scores.ndcg_10 == pytest.approx(0.5)
    assert scores.mrr == pytest.approx(1 / 3)


def test_second_hit_of_a_file_takes_up_a_place():
    assert score(["x", "x", "a"], {"a"}).mrr == pytest.approx(1 / 3)


def test_recall_counts_up_to_its_depth():
    scores = score_places([5, 6, 11, 51], 4)
    assert (scores.recall_5, scores.recall_10, scores.recall_50) == (0.25, 0.5, 0.75)


def test_mean_averages_each_measure():
    assert mean([Scores(0, 0, 0, 0, 0), Scores(1, 0.5, 1, 1, 1)]).mrr == 0.25


def test_interval_holds_the_mean_and_repeats():
    held = spread([0.0, 1.0] * 20)
    assert held.low < held.mean == 0.5 < held.high
    assert held == spread([0.0, 1.0] * 20)
    assert 0.3 < held.low < 0.4


def test_interval_narrows_with_more_questions():
    few, many = spread([0.0, 1.0] * 5), spread([0.0, 1.0] * 50)
    assert many.high - many.low < (few.high - few.low) / 2


def test_comparison_is_paired():
    base = [0.1, 0.9] * 10
    gain = compare(base, [value + 0.05 for value in base])
    assert gain.low == pytest.approx(0.05)
    assert gain.high == pytest.approx(0.05)


def test_comparison_refuses_unequal_lengths():
    with pytest.raises(ValueError, match="argument 2"):
        compare([1.0], [1.0, 2.0])
