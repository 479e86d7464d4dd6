import pytest
from answers import asked, candidate

from scrubjay.measure.fit import Trial, fit_weights, terms_of, trials_for
from scrubjay.sections import SearchSettings

NOW = SearchSettings()


def by_words(rank_value: float, vectors: float = 0.0, **more: float):
    return {"words": rank_value, "vectors": vectors, **more}


def told(right: dict[str, float], wrong: dict[str, float], **how: object):
    """Make one answer of two candidates, ordered as their sums are."""
    both = [candidate("right.py", right, is_right=True), candidate("wrong.py", wrong)]
    return asked(sorted(both, key=lambda c: -sum(r.value for r in c.reasons)), **how)


WORDS_KNOW = told(by_words(1.0, 0.2), by_words(0.8, 0.35))
VECTORS_KNOW = told(by_words(0.8, 0.35), by_words(1.0, 0.2))


@pytest.mark.parametrize("trial", [Trial(), Trial(2.0, 0.5), Trial(1.0, 1.0, coherence=False)])
def test_terms_add_up_to_the_score(trial):
    reasons = {"words": 0.9, "vectors": 0.4, "coherence": 0.6, "defines x": 0.5, "file name": 0.3}
    before = trial.words * 0.9 + trial.vectors * 0.4 + 0.6 * trial.coherence + 0.8
    now = 0.9 + 0.4 + 0.6 + 0.8
    terms = terms_of(candidate("a.py", {**reasons, "tests": -0.6 * now, "cosine": 0.2}))
    assert terms.score(trial) == pytest.approx(before * 0.4 + 0.2)


def test_features_of_any_second_stage_are_kept_as_they_are():
    terms = terms_of(candidate("a.py", {"words": 1.0, "cosine": 0.3, "relevance": 0.5}))
    assert terms.read == pytest.approx(0.8)
    assert terms_of(candidate("a.py", {"words": 1.0})).read is None


def test_too_few_questions_give_no_fit():
    assert fit_weights([WORDS_KNOW] * 59, NOW) is None


def test_weights_that_are_right_already_stay():
    fitted = fit_weights([WORDS_KNOW] * 60, NOW)
    assert fitted is not None
    assert not fitted.is_better
    assert fitted.best == Trial()
    assert fitted.gain.mean == 0


def test_better_weights_are_found_and_held_out():
    fitted = fit_weights([VECTORS_KNOW] * 60 + [WORDS_KNOW] * 6, NOW)
    assert fitted is not None
    assert fitted.is_better
    assert fitted.best.vectors / fitted.best.words >= 2
    assert fitted.gain.low > 0


def test_chance_is_not_taken_for_a_gain():
    fitted = fit_weights([VECTORS_KNOW, WORDS_KNOW] * 40, NOW)
    assert fitted is not None
    assert not fitted.is_better


def test_misleading_coherence_is_found():
    answer = told(by_words(1.0), by_words(0.5, coherence=0.7))
    fitted = fit_weights([answer] * 60, NOW)
    assert fitted is not None
    assert fitted.is_better
    assert fitted.best == Trial(coherence=False)
    assert fitted.best.settings(NOW) == {"search.coherence": False}


def test_unread_candidate_stays_below_those_read():
    read = candidate("wrong.py", {"words": 0.1, "cosine": 0.0})
    unread = candidate("right.py", {"words": 1.0}, is_right=True)
    fitted = fit_weights([asked([read, unread], reranker="m")] * 60, NOW)
    assert fitted is not None
    assert fitted.best == Trial()


def test_legs_that_are_off_are_not_tried():
    trials = trials_for(SearchSettings(vectors_weight=0.0, coherence=False))
    assert {(trial.vectors, trial.coherence) for trial in trials} == {(1.0, True)}
    assert len(trials) > 1
    assert trials[0] == Trial()


def test_trial_names_settings_with_their_new_values():
    now = SearchSettings(words_weight=1.5)
    assert Trial(words=2.0).settings(now) == {"search.words_weight": 3.0}
    assert Trial(vectors=0.0).applied(now).vectors_weight == 0
