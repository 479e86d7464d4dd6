import math
from dataclasses import replace

import pytest
from tests.search.conftest import WordReranker

from scrubjay.errors import ModelError, TooSlow, Transient
from scrubjay.search import answering
from scrubjay.search.rerank import SecondStage
from scrubjay.search.weights import PROFILES
from scrubjay.sections import RerankSettings

ALL = RerankSettings(threshold=0)
TEXTS = {
    "first.md": "the harbour\n",
    "second.md": "the harbour where boats sleep\n",
    "third.md": "a harbour, a harbour, a harbour\n",
}


def stage(answer=None, settings=ALL):
    return SecondStage(WordReranker(answer), settings)


def ask(library, question="where do boats sleep", **rest):
    library.put(TEXTS)
    return library.ask(question, **rest)


def test_rerank_moves_up_what_the_model_prefers(library):
    library.put({"a.md": "harbour harbour\n", "b.md": "harbour sleep boats where do\n"})
    asked = "harbour where do boats sleep"
    report = library.ask(asked, second=stage(), embedders=())
    assert report.hits[0].path == "b.md"
    assert report.reranker == "word-reranker"
    reasons = {reason.name: reason for reason in report.hits[0].contributions}
    assert reasons["relevance"].raw == 1.0
    assert "rerank" in [done.name for done in report.stages]


def test_rerank_gives_the_model_path_and_text(library):
    second = stage()
    ask(library, second=second)
    assert "second.md\nthe harbour where boats sleep\n" in second.reranker.read


def test_rerank_reads_only_the_first_candidates(library):
    library.put({f"{i}.md": f"harbour {'x ' * i}\n" for i in range(9)})
    second = stage(settings=replace(ALL, candidates=4))
    before = [hit.path for hit in library.ask("harbour at night").hits]
    report = library.ask("harbour at night", second=second)
    assert len(second.reranker.read) == 4
    assert {hit.path for hit in report.hits[:4]} == set(before[:4])
    assert [hit.path for hit in report.hits[4:]] == before[4:]


def test_rerank_reads_no_more_than_four_candidates_of_a_file(library):
    library.put({"a.md": "\n\n".join(["harbour"] * 9) + "\n", "b.md": "a harbour\n"})
    second = stage(settings=replace(ALL, candidates=6))
    library.ask("harbour at night", second=second)
    assert sum(text.startswith("a.md") for text in second.reranker.read) == 4
    all_places = stage(settings=replace(ALL, candidates=6))
    library.ask("harbour at night", second=all_places, one_per_file=False)
    assert sum(text.startswith("a.md") for text in all_places.reranker.read) > 4


@pytest.mark.parametrize("second", [None, stage()])
def test_scores_are_probabilities_best_first(shop, second):
    scores = [hit.score for hit in shop.ask("add items to the cart", second=second).hits]
    assert len(scores) > 2
    assert all(0 < score < 1 for score in scores)
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (TooSlow("late"), "took longer than 1.5 s"),
        (Transient("the server is down"), "the server is down"),
        (ModelError("no such model"), "no such model"),
        (math.nan, "impossible answer"),
    ],
)
def test_rerank_that_fails_leaves_the_order_and_says_so(library, answer, said):
    plain = ask(library)
    report = library.ask("where do boats sleep", second=stage(answer))
    assert [hit.path for hit in report.hits] == [hit.path for hit in plain.hits]
    assert report.reranker is None
    assert said in report.notes[0]


def test_rerank_refuses_too_few_values(library):
    second = stage()
    second.reranker.features = ("relevance", "another")
    assert "impossible answer" in ask(library, second=second).notes[0]


def test_rerank_leaves_scripts_that_the_model_does_not_know(shop):
    second = stage()
    report = shop.ask("用户登录 view", second=second)
    assert (report.notes, report.reranker) == ((answering.FOREIGN,), None)
    assert second.reranker.read == []


def test_rerank_reads_a_glossed_question_unless_the_texts_are_foreign(library):
    library.put({"a.py": "the harbour\n", "b.py": "a boat in the harbour\n"})
    second = stage()
    report = library.ask("港口 船", second=second, gloss=lambda question: "harbour boat")
    assert report.notes == (answering.READ_AS.format("harbour boat"),)
    assert report.hits[0].path == "b.py"
    assert second.reranker.read
    library.put({"港口.md": "港口 船 港口\n", "船.md": "船 港口\n"})
    report = library.ask("港口 船", second=stage(), gloss=lambda question: "harbour boat")
    assert answering.FOREIGN in report.notes


def test_rerank_does_not_read_for_a_path(shop):
    second = stage()
    assert shop.ask("shop/cart.py", second=second).hits[0].path == "shop/cart.py"
    assert second.reranker.read == []


def test_threshold_parts_hits_from_near_misses(library):
    scores = [hit.score for hit in ask(library, second=stage()).hits]
    settings = RerankSettings(threshold=(scores[0] + scores[1]) / 2)
    report = library.ask("where do boats sleep", second=stage(settings=settings))
    assert [hit.path for hit in report.hits] == ["second.md"]
    assert [hit.score for hit in report.near_misses] == scores[1:]
    assert report.threshold == settings.threshold
    assert report.notes == ()


def test_threshold_does_not_hide_a_page_for_being_one(library):
    library.put({"docs/a.md": "boats sleep where\n", "a.py": "x = 1\n"})
    plain = library.ask("where do boats sleep", second=stage())
    assert plain.hits[0].path == "docs/a.md"
    page = plain.hits[0]
    assert page.chance > page.score
    settings = RerankSettings(threshold=(page.score + page.chance) / 2)
    report = library.ask("where do boats sleep", second=stage(settings=settings))
    assert [hit.path for hit in report.hits] == ["docs/a.md"]


def test_nothing_above_the_threshold_says_what_to_adjust(library):
    report = ask(library, second=stage(settings=RerankSettings(threshold=1)))
    assert report.hits == ()
    assert report.near_misses[0].path == "second.md"
    assert "`rerank.threshold` asks for 1.00" in report.notes[-1]


def test_threshold_is_the_profile_s_own_unless_set(library):
    second = stage(settings=RerankSettings())
    second.reranker.profile = "minilm-384"
    assert ask(library, second=second).threshold == PROFILES["minilm-384"].threshold
