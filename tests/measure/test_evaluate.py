from dataclasses import replace
from pathlib import Path

import pytest
from answers import hit, report

from scrubjay.errors import UsageError
from scrubjay.measure.evaluate import MEASURED, RESULTS, Request, find_questions, measure
from scrubjay.sections import RerankSettings, SearchSettings
from scrubjay.store.files import roots
from scrubjay.types import SearchReport, Stage, shown


def quiet(doing: str, done: int, total: int) -> None:
    """Hear of progress."""


@pytest.fixture
def request_of(shelf, tmp_path):
    """Make a request for questions that a.py answers, `count` of them."""
    shelf.put(**{"a.py": "one\n", "b.py": "two\n"})

    def make(count: int) -> Request:
        file = tmp_path / "set.jsonl"
        line = '{{"query": "retry after timeout {}", "relevant": ["a.py"]}}\n'
        file.write_text("".join(line.format(n) for n in range(count)))
        return Request(tmp_path, SearchSettings(), RerankSettings(), questions=file)

    return make


@pytest.fixture
def answering(shelf):
    """Answer by two made-up legs, with the weights of the settings: vectors know better."""
    name = shown(roots(shelf.stores.catalog)[0].path)
    asked: list[SearchSettings] = []

    def ask(question: str, settings: SearchSettings) -> SearchReport:
        asked.append(settings)
        legs = {"a.py": (0.8, 0.35), "b.py": (1.0, 0.2)}
        hits = []
        for path, (words, vectors) in legs.items():
            told = {"words": words * settings.words_weight}
            told["vectors"] = vectors * settings.vectors_weight
            found = hit(path, min(0.99, sum(told.values()) / 4), **told)
            hits.append(replace(found, root=name))
        hits.sort(key=lambda found: -found.score)
        stages = (Stage("rerank", 2.0, 2),)
        return report(question, hits, reranker="minilm-384", stages=stages, notes=("Odd.",))

    ask.asked = asked
    return ask


def test_answers_are_scored_and_timed(request_of, answering, shelf):
    done = measure(request_of(20), shelf.stores.catalog, answering, quiet)
    everything = done.groups[0]
    assert (everything.name, everything.questions) == ("all", 20)
    assert everything.scores.mrr == 0.5
    assert everything.scores.recall_5 == 1
    assert done.timing.overdue == 20
    assert done.timing.unread == 0
    assert done.reranker == "minilm-384"
    assert done.notes == ("Odd. (20 of 20 questions)",)
    assert {settings.results for settings in answering.asked} == {RESULTS}


def test_few_questions_suggest_nothing(request_of, answering, shelf):
    done = measure(request_of(59), shelf.stores.catalog, answering, quiet)
    assert done.weights.fitted is None
    assert done.weights.changes == {}
    assert done.threshold is None


def test_better_weights_are_suggested_once_they_held_twice(request_of, answering, shelf):
    told = []
    done = measure(
        request_of(60), shelf.stores.catalog, answering, lambda *how: told.append(how[0])
    )
    assert set(done.weights.changes) <= {"search.words_weight", "search.vectors_weight"}
    assert done.weights.changes
    assert done.weights.asked_again is not None
    assert done.weights.asked_again.low > 0
    assert told == ["asking"] * 60 + ["asking again, other weights"] * 60


def test_gain_that_does_not_come_true_is_not_suggested(request_of, answering, shelf):
    def stubborn(question: str, settings: SearchSettings) -> SearchReport:
        return answering(question, SearchSettings())

    done = measure(request_of(60), shelf.stores.catalog, stubborn, quiet)
    assert done.weights.fitted is not None
    assert done.weights.fitted.is_better
    assert done.weights.asked_again is not None
    assert done.weights.changes == {}


def test_worst_questions_show_what_came_first(request_of, answering, shelf):
    poor = measure(request_of(20), shelf.stores.catalog, answering, quiet).worst
    assert len(poor) == 10
    assert [expected.path for expected in poor[0].expected] == ["a.py"]
    assert poor[0].expected[0].rank == 2
    assert poor[0].top is not None
    assert (poor[0].top.path, poor[0].top.first_line) == ("b.py", 1)


def test_too_few_questions_are_refused(request_of, answering, shelf):
    with pytest.raises(UsageError, match="only 19 of 19"):
        measure(request_of(19), shelf.stores.catalog, answering, quiet)
    assert answering.asked == []


def test_questions_are_capped(request_of, shelf):
    request = replace(request_of(30), count=25)
    assert len(find_questions(request, shelf.stores.catalog).questions) == 25


def test_measured_overrides_are_settings():
    from scrubjay.app import Workspace

    settings = Workspace(Path("nowhere"), MEASURED).settings
    assert settings.rerank.threshold == 0
    assert settings.search.results == RESULTS
